"""What the steps that look for patterns look at: every readable statement as plain values, read once a run."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import F

from memories.choices import EntityType
from memories.cognition import aims
from memories.cognition.aims import Occasion, Remark
from memories.cognition.patterns import Said
from memories.cognition.reading import readable
from memories.models import Evidence, Mention, Product

ROWS = 2_000


def statements(product: Product) -> Iterator[Said]:
    """With the names in each, and the day that it is about, where it is about one day."""
    zone = ZoneInfo(product.zone)
    rows = readable(product).order_by("pk").values_list("pk", "content", "about_from", "about_until")
    for chunk in _chunks(rows.iterator(ROWS)):
        named = _names(product, [pk for pk, *_ in chunk])
        for pk, content, start, until in chunk:
            first = start.astimezone(zone).date() if start else None
            last = until.astimezone(zone).date() if until else first
            yield Said(pk, content, named[pk], first if first == last else None)


def remarks(product: Product) -> list[Remark]:
    """The statements that state an aim, with every occasion on which each was made."""
    rows = readable(product).order_by("pk").values_list("pk", "content")
    found = {pk: content for pk, content in rows.iterator(ROWS) if aims.may_be(content)}
    said: dict[UUID, list[Occasion]] = defaultdict(list)
    for chunk in _chunks(iter(found)):
        for memory, occasion in _occasions(product, chunk):
            said[memory].append(occasion)
    return [Remark(pk, content, said[pk]) for pk, content in found.items()]


def _names(product: Product, ids: Sequence[UUID]) -> dict[UUID, list[tuple[str, EntityType]]]:
    named: dict[UUID, list[tuple[str, EntityType]]] = defaultdict(list)
    rows = Mention.objects.filter(product=product, memory__in=ids).order_by("pk")
    for memory, words, kind in rows.values_list("memory", "words", "entity__type"):
        named[memory].append((words, EntityType(kind)))
    return named


def _occasions(product: Product, ids: Sequence[UUID]) -> Iterator[tuple[UUID, Occasion]]:
    """An author is an agent, a speaker, a source or whoever else wrote; what an item repeats it says once."""
    zone = ZoneInfo(product.zone)
    rows = Evidence.objects.filter(product=product, memory__in=ids).order_by("pk")
    columns = rows.annotate(recorded=F("memory__recorded_at")).values_list(
        "memory", "speaker", "agent", "source_id", "item_key", "raw", "raw__key", "said_at", "recorded"
    )
    texts: dict[bytes, UUID] = {}
    for memory, speaker, agent, source, item, raw, key, said_at, recorded in columns:
        day: date = (said_at or recorded).astimezone(zone).date()
        yield memory, Occasion(_author(speaker, agent, source, item), _first(texts, key, raw), day)


def _author(speaker: str, agent: UUID | None, source: UUID | None, item: str) -> str:
    if speaker:
        return speaker
    if agent:
        return f"agent {agent}"
    return f"item {source} {item}" if source else "person"


def _first(texts: dict[bytes, UUID], key: Any, raw: UUID | None) -> UUID | None:
    """One text sent twice is one."""
    return texts.setdefault(bytes(key), raw) if key and raw else raw


def _chunks(rows: Iterator) -> Iterator[list]:  # type: ignore[type-arg]  # of whatever
    chunk = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == ROWS:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
