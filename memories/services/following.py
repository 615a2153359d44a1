"""A text that follows an older text of the same item: what is still said stays, what is not said any more goes.

Statements are matched by their words. Of the rest, an older and a newer statement are paired where the newer one reads
as a change of the older: then it supersedes it. What finds no partner is retired. Whatever people, agents or other
texts hold up stays (withdrawing.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction

from memories import decisions
from memories.actors import Actor
from memories.choices import CURRENT, LIVE, Tier, WriteState
from memories.decisions import Vanished
from memories.models import Memory, Write
from memories.reader import reader
from memories.reading import Statement, Verdict
from memories.services import access, drafts, lifecycle, withdrawing
from memories.services.recording import Rival

#: An older and a newer statement of one item that share so many of their words are one statement, reworded.
REWORDED_SHARE = 0.6
#: Fewer shared words are not even compared.
COMPARED_SHARE = 0.3
#: With so many candidates for one vanished statement, the closest wordings are compared.
MOST_COMPARED = 5
#: So far back texts are looked at whose own reading never came to its end.
MOST_UNREAD = 20

CHANGED = "Its item changed at the source."
NOT_SAID = "Not said any more at the source."


@dataclass(slots=True)
class Plan:
    """What a text does to the statements of those it follows. Empty for a text that follows none."""

    texts: Sequence[UUID] = ()
    said: Mapping[bytes, Memory] = field(default_factory=dict)
    successors: Mapping[bytes, Sequence[UUID]] = field(default_factory=dict)
    #: Statements to be retired before the first of the new ones is stored.
    gone: list[UUID] = field(default_factory=list)
    #: All that are not said any more, whatever becomes of them.
    vanished: Sequence[UUID] = ()

    def still(self, statement: Statement) -> Memory | None:
        return self.said.get(drafts.key_of(statement.text)) if self.said else None

    def rivals(self, statement: Statement, near: Sequence[Rival]) -> tuple[Rival, ...]:
        """What stands near it, and what it is the new wording of, each once."""
        replaced = self.successors.get(drafts.key_of(statement.text), ()) if self.successors else ()
        named = {each.id: each for each in near} | {id_: Rival(id_, certain=True) for id_ in replaced}
        return tuple(named.values())


def take_over(older: Memory, newer: Memory, *, by: Actor) -> None:
    """The newer raw text takes the place of the older one. Must run inside the caller's transaction."""
    older = access.locked_memory(by, older.pk)
    if older.status in LIVE:
        lifecycle.supersede(older, successor=newer, by=by, why=CHANGED)


def plan(write: Write, found: Sequence[Statement], *, by: Actor) -> Plan:
    """Reads only. Made again after a stop it says what is still to be done."""
    if write.follows_id is None:
        return Plan()
    texts = list(_texts(write))
    before = Memory.objects.filter(pk__in=withdrawing.said_in(texts)).statements_only().defer("words")
    said = {bytes(memory.key): memory for memory in sorted(before, key=lambda each: (each.status in LIVE, each.pk))}
    keys = {drafts.key_of(each.text) for each in found}
    vanished = [memory for key, memory in said.items() if key not in keys and memory.status in LIVE]
    stays = withdrawing.upheld([each.pk for each in vanished], without=texts)
    news = [each for each in found if drafts.key_of(each.text) not in said]
    partners = _partners([each for each in vanished if each.pk not in stays], news)
    made = Plan(texts, said, vanished=[each.pk for each in vanished])
    successors: dict[bytes, list[UUID]] = {}
    for memory in vanished:
        partner = partners.get(memory.pk)
        fate = decisions.on_vanished(
            is_upheld=memory.pk in stays, has_successor=partner is not None and memory.status in CURRENT,
            origin=by.type, act=Tier(write.raw.tier), current=Tier(memory.tier),
        )  # fmt: skip
        if partner is not None and fate == Vanished.SUPERSEDE:
            successors.setdefault(drafts.key_of(partner.text), []).append(memory.pk)
        elif fate == Vanished.RETIRE:
            made.gone.append(memory.pk)
    made.successors = successors
    return made


def withdraw_first(follow: Plan, *, by: Actor) -> None:
    """Retire what finds no successor, in the transaction that stores the first new statements."""
    _retire(follow, follow.gone, by=by)
    follow.gone.clear()


def withdraw_rest(follow: Plan, *, by: Actor) -> None:
    """What was to be superseded and was not, because its successor was refused or known: it goes all the same."""
    with transaction.atomic():
        _retire(follow, follow.vanished, by=by)


def _retire(follow: Plan, ids: Sequence[UUID], *, by: Actor) -> None:
    if ids:
        access.lock_pool(by.product_id, None)
        rows = Memory.objects.filter(pk__in=ids).live()
        withdrawing.retire_unheld(rows, without=follow.texts, by=by, why=NOT_SAID)


def _texts(write: Write) -> Iterator[UUID]:
    """The text it follows and, where that one was never read to its end, those before it."""
    for _ in range(MOST_UNREAD):
        if write.follows_id is None:
            return
        yield write.follows_id
        older = Write.objects.filter(raw=write.follows_id).first()
        if older is None or older.state == WriteState.DONE:
            return
        write = older


def _partners(vanished: Sequence[Memory], news: Sequence[Statement]) -> dict[UUID, Statement]:
    """Which new statement each vanished one became, the plainest pairs first; each new one is taken by one wording."""
    words_of_new = [frozenset(each.text.casefold().split()) for each in news]
    offers = []
    for memory in vanished:
        shares = _closest(frozenset(memory.content.casefold().split()), words_of_new)
        offers += [(*_likeness(news[place].text, memory.content, share), memory.pk, place) for share, place in shares]
    partners: dict[UUID, Statement] = {}
    taken: set[int] = set()
    for displaces, share, id_, place in sorted(offers, key=lambda each: (not each[0], -each[1], each[3])):
        if id_ not in partners and place not in taken and (displaces or share >= REWORDED_SHARE):
            partners[id_] = news[place]
            taken.add(place)
    return partners


def _closest(words: frozenset[str], others: Sequence[frozenset[str]]) -> list[tuple[float, int]]:
    shares = ((_share(words, other), place) for place, other in enumerate(others))
    return sorted((each for each in shares if each[0] >= COMPARED_SHARE), reverse=True)[:MOST_COMPARED]


def _likeness(newer: str, older: str, share: float) -> tuple[bool, float]:
    comparison = reader().compare(newer, older)
    return comparison.verdict in (Verdict.REPLACES, Verdict.CONTRADICTS), share


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0
