"""Names in a text: of people, teams, organisations, products, services, places, documents, terms, codes, and dates.

Rules find what is written as a name (capitals, identifiers, quotes), a small model what reads like one; words around
them tell the kind. `names` is the light form for statements; `found` is for the graph.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memories.reading import dates
from memories.reading.chat import turns
from memories.reading.name_words import (
    ACRONYMS,
    CODE,
    COMMON_STARTERS,
    DATED,
    DOCUMENT,
    LABELS,
    LEADING,
    NO_NAME,
    ORGANISATION,
    PLACE,
    PRODUCT,
    ROLE,
    ROLES,
    SERVICE,
    TEAM,
    TERM,
    TITLE,
    USER,
)
from memories.reading.syntax import Entity, entities
from memories.reading.tokens import COMMON, Token, stem, tokens


class NameKind(StrEnum):
    PERSON = "person"
    TEAM = "team"
    ORGANISATION = "organisation"
    PRODUCT = "product"
    SERVICE = "service"
    PLACE = "place"
    DATE = "date"
    DOCUMENT = "document"
    TERM = "term"
    CODE = "code"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Name:
    """`text` is what stands there, `whole` the fullest form of the same name in the text: "Novak" is "Petra Novak"."""

    text: str
    kind: NameKind
    start: int
    end: int
    whole: str = ""


#: Patterns that find a name and know its kind.
_PATTERNS = (
    (TERM, NameKind.TERM), (TEAM, NameKind.TEAM), (DOCUMENT, NameKind.DOCUMENT), (SERVICE, NameKind.SERVICE),
    (PRODUCT, NameKind.PRODUCT), (USER, NameKind.PERSON),
)  # fmt: skip
MOST_WORDS_OF_A_PERSON = 3
#: The model reads a passage at a time; a longer one is cut at its lines.
_LONGEST_PASSAGE = 4_000
_CAPITALS = re.compile(
    r"(?<![\w@#/.-])(?:\d{4}\s(?=[A-Z]\w+\s[A-Z]))?[A-ZÀ-Þ][\w’'&-]*"
    r"(?:\s(?:(?:of|de|la|van|von|der|du|del)\s)?(?:[A-ZÀ-Þ][\w’'&-]*|\d+(?:\.\d+)*(?!\w)))*"
)
_LEAD = re.compile(r"(?:[a-z]+\s)+(?=[A-ZÀ-Þ\d])|(?:The|A|An|This|Our|Its)\s")
#: No name has these inside.
_STRANGE = re.compile(r"[^\w .,&'’/+:()–-]")
_POSSESSIVE = re.compile(r"\s?['’]s?\s(?=[A-ZÀ-Þ])")
_APART = re.compile(r"\s(?:and|or|&|/)\s|,\s|\s,\s")
_FROM_TO = re.compile(r"\s(?:to|–|—|and)\s")


def names(text: str) -> tuple[str, ...]:
    """In the order of appearance, each once. A capital at the beginning of a sentence alone is no name."""
    return names_of(tokens(text))


def names_of(found: list[Token]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(token.text for token in found if token.kind == "name"))


def found(text: str) -> tuple[Name, ...]:
    """Every name, in order, with its kind and its place. The same name may come several times."""
    return found_all([text])[0]


def found_all(texts: Sequence[str]) -> list[tuple[Name, ...]]:
    """The names of each text. Many at once are read much faster than one by one."""
    pieces = [list(_passages(text)) for text in texts]
    seen = iter(entities([passage for each in pieces for _, passage in each]))
    return [_of_text(text, each, seen) for text, each in zip(texts, pieces, strict=True)]


def _of_text(text: str, pieces: list[tuple[int, str]], model: Iterator[tuple[Entity, ...]]) -> tuple[Name, ...]:
    made: list[Name] = []
    speakers = {turn.speaker for turn in turns(text, 0) if turn.speaker}
    for (start, passage), seen in zip(pieces, model, strict=False):  # the model goes on with the next text
        proper = {(one.start, one.end) for one in seen if one.label == "NNP"}
        candidates = list(_written(passage, {begin for begin, _ in proper}))
        for one in seen:
            candidates += _of_model(passage, one)
        candidates += [
            Name(match.group(), NameKind.PERSON, *match.span())
            for speaker in speakers
            for match in re.finditer(rf"(?<!\w){re.escape(speaker)}(?!\w)", passage)
        ]
        made += [replace(name, start=start + name.start, end=start + name.end) for name in _chosen(candidates)]
    return tuple(_consistent(made))


def _passages(text: str) -> Iterator[tuple[int, str]]:
    position = 0
    while position < len(text):
        end = min(len(text), position + _LONGEST_PASSAGE)
        if end < len(text):
            cut = max(text.rfind("\n", position, end), text.rfind(". ", position, end) + 1)
            end = cut + 1 if cut > position else end
        yield position, text[position:end]
        position = end


def _written(passage: str, proper: set[int]) -> Iterator[Name]:
    """What is written as a name, whatever it means."""
    for match in CODE.finditer(passage):
        yield Name(match.group(), NameKind.CODE, *match.span())
    for one in dates.find(passage):
        yield Name(passage[one.start : one.end], NameKind.DATE, one.start, one.end)
    for match in DATED.finditer(passage):
        yield Name(match.group(), NameKind.DATE, *match.span())
    for match in _CAPITALS.finditer(passage):
        position = match.start()
        for part in _POSSESSIVE.split(match.group()):
            position = passage.index(part, position)
            yield from _trimmed(passage, position, part, proper)
    for pattern, kind in _PATTERNS:
        for match in pattern.finditer(passage):
            yield Name(match["name"], kind, *match.span("name"))


def _trimmed(passage: str, start: int, run: str, proper: set[int]) -> Iterator[Name]:
    """A run of capitals without the word that only begins a sentence, and without a title."""
    opens = _opens_sentence(passage, start)
    first, _, rest = run.partition(" ")
    begins = opens and (stem(re.sub(r"['’]s?$", "", first)) in COMMON or first.lower() in COMMON_STARTERS)
    if begins or first in ROLES:
        if rest and rest[0].isupper():
            yield from _trimmed(passage, start + len(run) - len(rest), rest, proper)
        return
    text = re.sub(r"(?:\s(?:of|de|la|&))+$", "", re.sub(r"['’]s?$", "", run))
    if text.lower() in NO_NAME or len(text) < 2 or (" " not in text and stem(text) in COMMON):
        return
    if opens and " " not in text and not _is_coined(text) and start not in proper:
        return
    yield Name(text, _kind_of(passage, text, start), start, start + len(text))


def _opens_sentence(passage: str, start: int) -> bool:
    before = passage[max(0, start - 4) : start].rstrip("\"'“„«(*_ ")
    return not before or before[-1] in ".!?:;…|\n-•"


def _is_coined(word: str) -> bool:
    return any(map(str.isupper, word[1:])) or any(map(str.isdigit, word))


def _of_model(passage: str, one: Entity) -> Iterator[Name]:
    """What the model marks, cut where it ran over a border."""
    kind = LABELS.get(one.label)
    if kind is None:
        return
    whole = passage[one.start : one.end]
    if kind == "date" and not re.search(r"\d|[A-Z]", whole):
        return
    keeps = bool(ORGANISATION.search(whole)) or one.label == "WORK_OF_ART"
    position = one.start
    border = _FROM_TO if kind == "date" else _APART
    for part in [whole] if keeps else border.split(whole):
        position = passage.index(part, position)
        yield from _bare(passage, part, position, kind)


def _bare(passage: str, part: str, start: int, kind: str) -> Iterator[Name]:
    """Without what leads it ("the", "notified the") and what trails it."""
    lead = _LEAD.match(part) if kind != "date" else None
    lead = lead or LEADING.match(part) or ROLE.match(part)
    begin = lead.end() if lead else 0
    text = re.sub(r"(?:\s?['’]s?|[\s.,;:]+)$", "", part[begin:])
    is_name = any(map(str.isupper, text)) or kind == "date"
    if not is_name or len(text) < 2 or text.lower() in NO_NAME or _STRANGE.search(text):
        return
    if kind != "date" and re.search(r"\s(?!of|de|la|van|von|der|du|and|the|for|in|&)[a-z]", text):
        return  # a sentence, no name
    if kind in {"organisation", "place", "product", "other"}:
        kind = _kind_of(passage, text, start + begin, default=kind)
    yield Name(text, NameKind(kind), start + begin, start + begin + len(text))


def _kind_of(passage: str, text: str, start: int, default: str = "other") -> NameKind:
    after = passage[start + len(text) : start + len(text) + 20]
    if text in ACRONYMS:
        return NameKind.TERM
    if TITLE.search(passage[max(0, start - 12) : start]):
        return NameKind.PERSON
    for pattern, kind in ((ORGANISATION, NameKind.ORGANISATION), (PLACE, NameKind.PLACE)):
        if pattern.search(text):
            return kind
    if re.match(r"\s(?:team|squad|crew)\b", after) or re.search(r"\b(?:Team|Squad)\b", text):
        return NameKind.TEAM
    if re.match(r"\s(?:service|gateway|server|queue|cluster|API)\b", after):
        return NameKind.SERVICE
    return NameKind(default)


def _chosen(candidates: Iterable[Name]) -> list[Name]:
    """Of names that overlap the longer one; of equal ones the one whose kind is known."""
    kept: list[Name] = []
    ranked = sorted(candidates, key=lambda name: (-len(name.text), name.kind == NameKind.OTHER, name.start))
    for name in ranked:
        if (
            name.text
            and any(map(str.isalnum, name.text))
            and not any(name.start < other.end and other.start < name.end for other in kept)
        ):
            kept.append(name)
    return sorted(kept, key=lambda name: name.start)


def _consistent(made: list[Name]) -> Iterator[Name]:
    """One name has one kind in a text, the first that is known; and one whole form."""
    known: dict[str, NameKind] = {}
    wholes: dict[str, set[str]] = {}
    for name in made:
        parts = name.text.split()
        if name.kind != NameKind.OTHER:
            known.setdefault(name.text, name.kind)
        if name.kind == NameKind.PERSON and 1 < len(parts) <= MOST_WORDS_OF_A_PERSON:
            for part in (parts[0], parts[-1]):
                wholes.setdefault(part, set()).add(name.text)
    for name in made:
        fuller = wholes.get(name.text, set())
        whole = next(iter(fuller)) if len(fuller) == 1 else name.text
        kind = NameKind.PERSON if len(fuller) == 1 else known.get(name.text, name.kind)
        yield replace(name, kind=kind, whole=whole)
