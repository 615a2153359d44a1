"""Codes, versions, paths, addresses and names of programs: whole and in parts."""

import re
from dataclasses import dataclass

from memories.search.scripts import LETTER, folded

#: A run of words held together by joints without spaces, with the signs that belong to its ends:
#: `.env`, `#1234`, `@kim`, `C++`, `F#`. A comma joins only the groups of one number.
JOINT = r"[-./\\@:#?&=%+~_']"
PATTERN = (
    rf"(?:(?<![{LETTER}.#@])[#.@])?"
    rf"[{LETTER}]+(?:(?:{JOINT}{{1,3}}|,(?=\d{{3}}(?!\d)))[{LETTER}]+)*"
    rf"(?:\+\+|[+#](?![{LETTER}#+]))?"
)

_PIECE = re.compile(rf"[{LETTER}]+")
_SEGMENT = re.compile(r"[^/\\@:#?&=]+")
_SCHEME = re.compile(r"^[a-z][a-z0-9+]*://(?:www\.)?")
_VERSION = re.compile(r"^v(?=\d)")
_GROUPED_NUMBER = re.compile(r"^\d{1,3}(?:[.,']\d{3})+$")
_JOINED_BY_HYPHENS = re.compile(rf"^[{LETTER}]+(?:[-_'][{LETTER}]+)+$")
_HUMP = re.compile(r"[A-ZÀ-ÖØ-Þ]+(?![a-zß-öø-ÿ])|[A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿ]+|\d+")
#: With more changes between letters and digits it is a hash, whose pieces mean nothing.
MOST_HUMPS, MOST_HUMPS_WITH_DIGITS = 12, 4
#: Without spaces these never part words; a run that holds nothing else is one word.
MOST_JOINED = 32


@dataclass(frozen=True, slots=True)
class Identifier:
    """`whole` as it is written, `same` other ways to write the whole, `segments` its larger parts
    (a file name, a host), `pieces` its words and numbers. All folded, none twice."""

    whole: str
    same: tuple[str, ...]
    segments: tuple[str, ...]
    pieces: tuple[str, ...]


def identifier(token: str) -> Identifier | None:
    """The parts of a token that is more than one plain word; None for a plain word."""
    pieces = [hump for piece in _PIECE.findall(token) for hump in _humps(piece)]
    whole = folded(token)
    if pieces == [token]:
        return None
    same = tuple(form for form in _same(whole) if form != whole)
    segments = dict.fromkeys(_segments(whole))
    names = dict.fromkeys(folded(piece) for piece in (*_PIECE.findall(token), *pieces))
    for seen in (whole, *same):
        segments.pop(seen, None)
    for seen in (whole, *segments):
        names.pop(seen, None)
    return Identifier(whole, same, tuple(segments), tuple(names))


def _humps(piece: str) -> list[str]:
    """`CamelCase` and `iPhone15` in their parts; whatever has none stays whole."""
    humps = _HUMP.findall(piece)
    most = MOST_HUMPS if piece.isalpha() else MOST_HUMPS_WITH_DIGITS
    return humps if 1 < len(humps) <= most and "".join(humps) == piece else [piece]


def _same(whole: str) -> tuple[str, ...]:
    """Other ways in which people write the same: `wifi` for `wi-fi`, `2.4.1` for `v2.4.1`, `1000` for `1,000`."""
    bare = _SCHEME.sub("", _VERSION.sub("", whole))
    if _GROUPED_NUMBER.match(whole):
        return (re.sub(r"\D", "", whole),)
    if len(whole) <= MOST_JOINED and _JOINED_BY_HYPHENS.match(whole):
        return (re.sub("[-_']", "", whole),)
    return (bare,)


def _segments(whole: str) -> list[str]:
    return [part.strip(".-_+~%'") if not part.startswith(".") else part for part in _SEGMENT.findall(whole)]
