"""What a summary may be about: a long text, a session of messages, or something that many facts name."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import F, QuerySet

from memories.choices import EntityType
from memories.cognition.reading import readable
from memories.models import Conclusion, Entity, Evidence, Memory, Mention, Product

#: So many statements make a text or a session long, and an entity much spoken of.
LONG, MUCH = 15, 8
#: Of a larger group the latest are looked at.
MOST = 400
#: Everything is about a date, and a plain term is about nothing.
_NAMELESS = (EntityType.DATE, EntityType.TERM, EntityType.OTHER)


@dataclass(frozen=True, slots=True)
class Member:
    """One statement of a group, and who said it."""

    memory: Memory
    speaker: str = ""
    said_at: datetime | None = None

    @property
    def when(self) -> datetime:
        """The time it is about, else when it was said, else when it was recorded."""
        return self.memory.about_from or self.said_at or self.memory.recorded_at


@dataclass(frozen=True, slots=True)
class Group:
    """`subject` names it for good; `title` is what people read."""

    subject: str
    title: str
    members: Sequence[Member]
    least: int
    zone: ZoneInfo

    @property
    def is_large(self) -> bool:
        return len(self.members) >= self.least


def touched(product: Product, ids: Collection[UUID]) -> Iterator[str]:
    """The subjects of the groups that these memories belong to, and of what was concluded from them."""
    said = Evidence.objects.filter(memory__in=ids, raw__isnull=False, product=product)
    sessions = said.exclude(session="").values_list("session", flat=True)
    texts = said.filter(session="").exclude(raw=F("memory")).values_list("raw", flat=True)
    named = Entity.objects.filter(product=product, mentions__memory__in=ids).exclude(type__in=_NAMELESS)
    rested = Conclusion.objects.filter(product=product, step="summaries", memory__evidence__rests_on__in=ids)
    subjects = {f"session:{each}" for each in sessions} | {f"text:{each}" for each in texts}
    subjects |= {f"entity:{each}" for each in named.values_list("key", flat=True)}
    yield from sorted(subjects | set(rested.values_list("subject", flat=True)))


def group(product: Product, subject: str) -> Group | None:
    """What belongs to it now; None where there is no such thing any more."""
    sort, _, name = subject.partition(":")
    return {"session": _session, "text": _text, "entity": _entity}[sort](product, subject, name)


def _session(product: Product, subject: str, name: str) -> Group:
    """The messages of a session, each statement with its speaker."""
    said = Evidence.objects.filter(product=product, session=name)
    return Group(subject, f"the conversation “{_short(name)}”", _members(product, said), LONG, ZoneInfo(product.zone))


def _text(product: Product, subject: str, name: str) -> Group | None:
    raw = Memory.objects.recallable(product.pk).filter(pk=name, product=product, owner__isnull=True).first()
    if raw is None:
        return None
    first = raw.first_evidence()
    title = (first.item_key if first else "") or next(iter(raw.content.strip().splitlines()), "")
    said = Evidence.objects.filter(product=product, raw=raw)
    return Group(subject, f"“{_short(title.lstrip('# '))}”", _members(product, said), LONG, ZoneInfo(product.zone))


def _entity(product: Product, subject: str, name: str) -> Group | None:
    entity = Entity.objects.filter(product=product, key=name).first()
    if entity is None:
        return None
    mentions = Mention.objects.filter(entity=entity).values("memory")
    rows = readable(product).filter(pk__in=mentions).order_by("-pk")[:MOST]
    return Group(subject, entity.name, _with_speakers(rows), MUCH, ZoneInfo(product.zone))


def _members(product: Product, said: "QuerySet[Evidence]") -> list[Member]:
    rows = readable(product).filter(pk__in=said.order_by().values("memory")).order_by("-pk")[:MOST]
    return _with_speakers(rows)


def _with_speakers(rows: Iterable[Memory]) -> list[Member]:
    """Each with who said it first, and when."""
    held = list(rows)
    said = Evidence.objects.filter(memory__in=[each.pk for each in held]).exclude(speaker="", said_at__isnull=True)
    told = {id_: (speaker, at) for id_, speaker, at in said.order_by("-id").values_list("memory", "speaker", "said_at")}
    return [Member(each, *told.get(each.pk, ("", None))) for each in held]


def _short(title: str, most: int = 80) -> str:
    return title if len(title) <= most else f"{title[: most - 1]}…"
