"""What words are to each other: of one meaning, opposites, or two of a class of which one place holds one.

The tables are drawn from WordNet (lexicon.LICENSE) by `python -m benchmarks.training.lexicon`; the few pairs below are
words of our own trade that it lacks.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Literal

import Stemmer

TABLES = Path(__file__).parent / "lexicon.json"
Bond = Literal["same", "opposite", "class"]

_OPPOSITES = """
enabled disabled, on off, online offline, optional mandatory, optional required, inbound outbound, success failure,
approve reject, allow forbid, allowed banned, allowed forbidden, supported deprecated, faster slower, quicker slower,
larger smaller, longer shorter, higher lower, more fewer, before after, married single, remote onsite, start stop,
rent own, free paid, public private, synchronous asynchronous, read-only writable, employee contractor, hire fire,
sit stand, sleep run, empty full, in out, up down, above below, front back, buy sell, bought sold, young senior,
young old, little giant, start end, begin finish, open shut,
everybody nobody, all none, everything nothing
"""
#: Each of the one side is the opposite of each of the other.
_POLES = (
    ("small little tiny minute narrow", "big large great giant huge massive vast wide broad"),
    ("near close nearby next", "far distant far-away"),
    ("happy glad cheerful", "sad unhappy depressed miserable"),
    ("day daytime", "night nighttime midnight"),
    ("sunrise dawn", "sunset dusk"),
    ("warm hot", "cold cool chilly"),
    ("behind", "front"),
    ("come arrive", "go leave depart"),
    ("everybody everyone all", "nobody none"),
    ("sit lie", "stand move run walk"),
    ("bright brilliant", "dark dull"),
    ("north northern", "south southern"),
    ("same identical", "different other"),
)
_SAME = """
everybody everyone, nobody no-one, begin start open, end close finish run-out, ship deploy release,
lead head manage run,
need require must, customer client, staff employee, keep retain store, allow permit, phone call, quick fast, big large,
little small, purchase buy, take need last, boss manager, mail e-mail email, photo picture, bike bicycle,
answer reply response
"""
_stem = Stemmer.Stemmer("english").stemWord


@cache
def stem(word: str) -> str:
    """English word forms brought together: runs, running → run. A key, never shown."""
    word = word.casefold()
    return str(_stem(word)) if word.isascii() else word


def bond(one: str, other: str) -> Bond | None:
    """What two words are to each other, by their stems or as they stand."""
    if one == other:
        return "same"
    opposites, same, classes = _tables()
    if other in opposites.get(one, ()):
        return "opposite"
    if same.get(one, frozenset()) & same.get(other, frozenset()):
        return "same"
    return "class" if classes.get(one, frozenset()) & classes.get(other, frozenset()) else None


@cache
def _tables() -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[int]], Mapping[str, frozenset[int]]]:
    stored = json.loads(TABLES.read_text(encoding="utf-8"))
    opposites: dict[str, set[str]] = {}
    for one, other in [*stored["opposites"], *(pair.split() for pair in _rows(_OPPOSITES))]:
        for this, that in ((one, other), (other, one)):
            opposites.setdefault(stem(this), set()).add(stem(that))
    for side, other_side in _POLES:
        for one, other in product(side.split(), other_side.split()):
            opposites.setdefault(stem(one), set()).add(stem(other))
            opposites.setdefault(stem(other), set()).add(stem(one))
    alike = [*stored["same"], *(group.split() for group in _rows(_SAME))]
    same = _groups(alike)
    return {word: frozenset(found) for word, found in opposites.items()}, same, _groups(stored["classes"])


def _rows(table: str) -> list[str]:
    return [row.strip() for row in table.replace("\n", " ").split(",") if row.strip()]


def _groups(groups: Iterable[Iterable[str]]) -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for place, group in enumerate(groups):
        for word in group:
            found.setdefault(stem(word), set()).add(place)
    return {word: frozenset(places) for word, places in found.items()}
