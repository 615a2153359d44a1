"""Where one sentence ends and the next begins. Spans only; the words stay as they are."""

import itertools
import re
from collections.abc import Iterator

from memories.reading.base import MAX_STATEMENT_LENGTH
from memories.reading.dates import ORDINAL_DAY
from memories.reading.inline import protected

Span = tuple[int, int]

_CLOSERS = "\"'”’»)\\]*_`」』）"
_END = re.compile(rf"(?:(?<![.!?…])[.!?…]++[{_CLOSERS}]*+(?=\s)|[。！？｡]+[{_CLOSERS}]*|[؟۔।॥]+[{_CLOSERS}]*(?=\s|$))")
_WORD_BEFORE = re.compile(r"[^\s(\[\"'“„*_]*$")
_NEXT = re.compile(r"\s+[\"'“„«‘(\[*_]*(\S\S*)")
_CHARS_OF_A_WORD = 40

_NEVER = """
mr mrs ms dr prof st sr jr hr fr sra dra mme mlle rev gen col lt sgt capt gov sen rep hon vs cf viz ca approx
e.g i.e eg ie z.b d.h u.a bzw ggf vgl inkl exkl evtl p.ej par.ex incl excl resp
"""
_BEFORE_A_CAPITAL = """
etc usw o.ä inc ltd co corp llc plc bros a.m p.m am pm u.s u.k e.u max min avg sec est dept ext abs
jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun
"""
_BEFORE_NO_DIGIT = "no nr nos fig figs eq ch vol p pp art tel par"
#: What must follow an abbreviation for its point to end the sentence; for `None`, it never does.
_ABBREVIATIONS: dict[str, re.Pattern[str] | None] = {
    **dict.fromkeys(_NEVER.split()),
    **dict.fromkeys(_BEFORE_A_CAPITAL.split(), re.compile(r"[^\W\d_a-zß-ÿ]|$")),
    **dict.fromkeys(_BEFORE_NO_DIGIT.split(), re.compile(r"(?![\d#])")),
}
_SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KEY_VALUE = re.compile(r"[ \t>]*[^\s:][^:\n]{0,60}:[ \t]")
_NARROWEST_WRAP = 50


def sentences(passage: str) -> Iterator[Span]:
    """Spans of the sentences of one block, trimmed, none longer than a fact may be."""
    for start, end in _between(_borders(passage), len(passage)):
        yield from fitting(passage, start, end)


def _between(borders: list[int], end: int) -> Iterator[Span]:
    yield from zip([0, *borders], [*borders, end], strict=True)


def _borders(passage: str) -> list[int]:
    ends = {match.end() for match in _END.finditer(passage) if _ends_a_sentence(passage, match)}
    ends.update(_line_borders(passage))
    return _outside(sorted(ends), protected(passage))


def _outside(borders: list[int], spans: list[Span]) -> list[int]:
    """The borders that cut through no span. Both are in order, so one walk is enough."""
    kept, farthest, index = [], 0, 0
    for border in borders:
        while index < len(spans) and spans[index][0] < border:
            farthest = max(farthest, spans[index][1])
            index += 1
        if border >= farthest:
            kept.append(border)
    return kept


def _ends_a_sentence(passage: str, match: re.Match[str]) -> bool:
    mark = match.group()[0]
    if mark not in ".…!?":
        return True
    following = _NEXT.match(passage, match.end(), match.end() + _CHARS_OF_A_WORD)
    word = following[1] if following else ""
    if match.group()[-1] in _CLOSERS:
        return not word[:1].islower()  # `"Go." he said`
    if mark in "!?":
        return True
    if match.group().startswith(("..", "…")):
        return not word[:1].islower()
    return _is_full_stop(passage, match.start(), word)


def _is_full_stop(passage: str, point: int, word: str) -> bool:
    before = _WORD_BEFORE.search(passage[max(0, point - _CHARS_OF_A_WORD) : point])
    last = before.group() if before else ""
    if last.lower() in _ABBREVIATIONS:
        needed = _ABBREVIATIONS[last.lower()]
        return bool(needed and needed.match(word))
    is_initial = len(last) == 1 and last.isupper() and point > 2  # "J. Smith"
    return not (is_initial or _is_ordinal(passage, point, last))


def _is_ordinal(passage: str, point: int, last: str) -> bool:
    """The point of "1. First" and "13. Juli" belongs to the number."""
    if not (last.isdigit() and len(last) <= 2):
        return False
    return _at_line_start(passage, point, last) or bool(ORDINAL_DAY.match(passage, point - len(last)))


def _at_line_start(passage: str, point: int, last: str) -> bool:
    start = point - len(last)
    return not passage[passage.rfind("\n", 0, start) + 1 : start].strip(" \t>")


def _line_borders(passage: str) -> Iterator[int]:
    """Ends of lines that were meant as ends. Wrapped prose goes on where the next word no longer fitted."""
    lines = passage.splitlines(keepends=True)
    if len(lines) < 2:
        return
    wrapped = _is_wrapped(lines)
    position = 0
    for line, following in itertools.pairwise(lines):
        position += len(line)
        if not (wrapped or _goes_on(following.lstrip(" \t>"))) or not line.strip() or not following.strip():
            yield position


def _is_wrapped(lines: list[str]) -> bool:
    """Whether most lines end where they had to."""
    width = max(len(line.rstrip()) for line in lines)
    full = sum(_is_full(line.rstrip(), following, width) for line, following in itertools.pairwise(lines))
    return width >= _NARROWEST_WRAP and 2 * full > len(lines) - 1


def _is_full(line: str, following: str, width: int) -> bool:
    following = following.strip()
    word = 1 if not following or _SPACELESS.match(following) else len(following.split(maxsplit=1)[0])
    return len(line) + 1 + word > width


def _goes_on(following: str) -> bool:
    return following[:1].islower() and not _KEY_VALUE.match(following)


def fitting(passage: str, start: int, end: int) -> Iterator[Span]:
    """The span without white space around it; a monster is cut at a space, or anywhere if it has none."""
    while True:
        while start < end and passage[start].isspace():
            start += 1
        while start < end and passage[end - 1].isspace():
            end -= 1
        if start == end:
            return
        if end - start <= MAX_STATEMENT_LENGTH:
            yield start, end
            return
        limit = start + MAX_STATEMENT_LENGTH
        cut = passage.rfind(" ", start + MAX_STATEMENT_LENGTH // 2, limit)
        cut = cut if cut > 0 else limit
        yield from fitting(passage, start, cut)
        start = cut
