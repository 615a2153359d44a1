"""What goes with what was chosen: other versions, other copies, what a raw text said, what was built on it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TypeVar
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q

from memories import filters
from memories.actors import Actor
from memories.choices import Kind, Origin
from memories.filters import Filters
from memories.models import Agent, Evidence, Memory, Mention
from memories.querysets import MemoryQuerySet
from memories.reading import statement_key
from memories.services.erasing.words import Needles

#: Ids in one query.
AT_ONCE = 1_000

Thing = TypeVar("Thing")


class ChosenBy(StrEnum):
    """How the memories were chosen; a receipt says this and not what was asked for."""

    MEMORY = "memory"
    FILTER = "filter"
    PERSON = "person"
    AGENT = "agent"
    PRODUCT = "product"


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody wants erased, in one product.

    `ids`, `filters`, `person` or `agent_id`, by `chosen_by`. `is_of_machine`: the command, which reaches private pools
    too; people reach what they may see. `only_this` leaves the other versions.
    """

    product_id: UUID
    chosen_by: ChosenBy
    ids: Sequence[UUID] = ()
    filters: Filters = filters.NO_FILTERS
    person: str = ""
    agent_id: UUID | None = None
    is_of_machine: bool = False
    only_this: bool = False

    def pools(self) -> MemoryQuerySet:
        rows = Memory.objects.filter(product_id=self.product_id, erased_at__isnull=True)
        return rows if self.is_of_machine else rows.filter(owner__isnull=True)


def chosen(choice: Choice) -> set[UUID]:
    """The rows that were named, before anything that goes with them."""
    rows = choice.pools()
    if choice.chosen_by == ChosenBy.MEMORY:
        rows = rows.filter(pk__in=choice.ids)
    elif choice.chosen_by == ChosenBy.FILTER:
        rows = rows.filter(_by_filter(choice))
    elif choice.chosen_by == ChosenBy.PERSON:
        rows = rows.filter(_about_person(choice.product_id, choice.person))
    elif choice.chosen_by == ChosenBy.AGENT:
        rows = rows.filter(agent_id=choice.agent_id) if choice.agent_id else rows.none()
    return set(rows.values_list("pk", flat=True))


def _by_filter(choice: Choice) -> Q:
    """What the filter shows a person; of the machine, what it shows every agent too."""
    eyes = [Actor(Origin.PERSON, "", choice.product_id)]
    if choice.is_of_machine:
        agents = Agent.objects.filter(product_id=choice.product_id).order_by("pk")
        eyes += [Actor(Origin.AGENT, each.name, choice.product_id, agent_id=each.pk) for each in agents]
    wanted = Q(pk__in=[])
    for by in eyes:
        wanted |= Q(pk__in=filters.narrowed(by, choice.filters).values("pk"))
    return wanted


def _about_person(product_id: UUID, name: str) -> Q:
    """A trait about them, a statement that names them, or one that they said themselves."""
    named = Mention.objects.filter(product_id=product_id, entity__key=statement_key(name)).values("memory")
    said = Evidence.objects.filter(product_id=product_id, speaker__iexact=name).values("memory")
    return Q(person__iexact=name) | Q(pk__in=named) | Q(pk__in=said)


def with_company(choice: Choice, roots: Collection[UUID]) -> set[UUID]:
    """The rows and, unless only they are meant, what would still tell it: versions, copies, what was built on it."""
    found, ahead = set(roots), set(roots)
    while ahead and not choice.only_this:
        near: set[UUID] = set()
        for some in in_parts(sorted(ahead)):
            near |= _beside(choice.pools(), some)
            if choice.chosen_by != ChosenBy.AGENT:
                near |= _versions(choice.pools(), some)
        ahead = near - found
        found |= ahead
    return found | _spent_texts(choice.pools(), found)


def _versions(rows: MemoryQuerySet, ids: Sequence[UUID]) -> set[UUID]:
    """One step along the chain of versions, either way. A raw text that follows another is no version of it."""
    kept = rows.exclude(kind=Kind.RAW)
    return set(kept.filter(Q(replaced_by__in=ids) | Q(replaces__in=ids)).values_list("pk", flat=True))


def _beside(rows: MemoryQuerySet, ids: Sequence[UUID]) -> set[UUID]:
    """The same statement said elsewhere, what a raw text alone said, and what was concluded from these."""
    same = Memory.objects.filter(pk__in=ids).exclude(kind=Kind.RAW).values("key")
    built = Evidence.objects.filter(raw__in=ids).values("memory")
    elsewhere = Evidence.objects.filter(Q(raw__isnull=True) | ~Q(raw__in=ids), memory=OuterRef("pk"))
    concluded = Evidence.objects.filter(rests_on__in=ids).values("memory")
    alone = Q(pk__in=concluded) | (Q(pk__in=built) & (Q(origin=Origin.COGNITION) | ~Exists(elsewhere)))
    copies = rows.exclude(kind=Kind.RAW).filter(Q(key__in=same) | Q(duplicate_of__in=ids))
    return set(copies.values_list("pk", flat=True)) | set(rows.filter(alone).values_list("pk", flat=True))


def _spent_texts(rows: MemoryQuerySet, going: Collection[UUID]) -> set[UUID]:
    """Raw texts of which no statement stays: they go as a whole."""
    spent: set[UUID] = set()
    for some in in_parts(sorted(going)):
        raws = Evidence.objects.filter(memory__in=some, raw__isnull=False).exclude(raw=F("memory")).values("raw")
        read = Evidence.objects.filter(raw__in=raws).exclude(raw=F("memory"))
        staying = set(
            read.filter(memory__erased_at__isnull=True).exclude(memory__in=going).values_list("raw_id", flat=True)
        )
        spent |= set(rows.filter(pk__in=raws).values_list("pk", flat=True)) - staying
    return spent


def needles_of(ids: Collection[UUID]) -> Needles:
    """The words of these rows, and the passages that they were read from."""
    texts: set[str] = set()
    for some in in_parts(sorted(ids)):
        rows = Memory.objects.filter(pk__in=some)
        texts |= set(rows.exclude(kind=Kind.RAW).values_list("content", flat=True))
        texts |= set(Evidence.objects.filter(memory__in=some).values_list("excerpt", flat=True))
    return Needles(texts)


def in_parts(things: Collection[Thing], size: int = AT_ONCE) -> Iterator[Sequence[Thing]]:
    rest = iter(things)
    while part := list(islice(rest, size)):
        yield part
