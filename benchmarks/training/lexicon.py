"""Makes memories/reading/lexicon.json from the files of WordNet 3.1 (its licence stands beside the lexicon).

    python -m benchmarks.training.lexicon DICT

DICT is WordNet's folder `dict`. Kept are the words that its tagged texts use: opposites, words of one meaning,
and classes of things of which one place holds one (colours, countries, drinks, rooms, languages, materials …).
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

OUTPUT = Path(__file__).parents[2] / "memories" / "reading" / "lexicon.json"
#: First words of the synsets whose kinds exclude each other.
CLASSES = (
    ("chromatic_color", "achromatic_color"),
    ("country", "European_country", "Asian_country", "African_country", "South_American_country", "American_state"),
    ("beverage", "alcohol", "soft_drink", "wine"),
    ("room", "building", "area", "outbuilding"),
    ("musical_instrument",),
    ("planet", "star", "celestial_body"),
    ("vegetable", "solanaceous_vegetable", "root_vegetable", "edible_fruit"),
    ("natural_language",),
    (
        "metallic_element",
        "building_material",
        "fabric",
        "wood",
        "glass",
        "metal",
        "plastic",
        "rock",
        "ceramic",
        "brick",
        "sand",
        "material",
    ),
)
FILES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


class Synset:
    __slots__ = ("pointers", "words")

    def __init__(self, line: str) -> None:
        parts = line.split(" | ", maxsplit=1)[0].split()
        count = int(parts[3], 16)
        self.words = [parts[4 + 2 * place].split("(")[0] for place in range(count)]
        at = 4 + 2 * count
        self.pointers = [tuple(parts[at + 1 + 4 * place : at + 5 + 4 * place]) for place in range(int(parts[at]))]


def main() -> None:
    folder = Path(sys.argv[1])
    synsets = {
        (part, place): synset for file, part in FILES.items() for place, synset in _read(folder / f"data.{file}")
    }
    counts = _counts(folder)
    lexicon = {
        "opposites": _opposites(synsets, counts),
        "same": _same(synsets, counts),
        "classes": _classes(synsets),
    }
    OUTPUT.write_text(json.dumps(lexicon, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    print({name: len(found) for name, found in lexicon.items()}, OUTPUT.stat().st_size)


def _read(path: Path) -> list[tuple[str, Synset]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(line[:8], Synset(line)) for line in lines if line[:8].isdigit()]


def _counts(folder: Path) -> dict[str, dict[str, int]]:
    """How often the tagged texts use a word in each of its synsets."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "index.sense").read_text(encoding="utf-8").splitlines():
        sense, place, _, count = line.split()
        found[place][sense.split("%")[0]] = int(count)
    return found


def _used(word: str, place: str, counts: dict[str, dict[str, int]]) -> bool:
    return counts.get(place, {}).get(word.lower(), 0) > 0


def _plain(word: str) -> str:
    return word.lower().replace("_", " ")


def _opposites(synsets: dict[tuple[str, str], Synset], counts: dict[str, dict[str, int]]) -> list[list[str]]:
    pairs = set()
    for (_, place), synset in synsets.items():
        for sign, target, part, which in synset.pointers:
            if sign != "!":
                continue
            other = synsets[part.replace("s", "a"), target]
            one, two = synset.words[int(which[:2], 16) - 1], other.words[int(which, 0) - 1]
            if "_" not in one + two and (_used(one, place, counts) or _used(two, target, counts)):
                pairs.add(tuple(sorted((_plain(one), _plain(two)))))
    return sorted(map(list, pairs))


def _same(synsets: dict[tuple[str, str], Synset], counts: dict[str, dict[str, int]]) -> list[list[str]]:
    groups = {
        tuple(sorted({_plain(word) for word in synset.words if "_" not in word and _used(word, place, counts)}))
        for (_, place), synset in synsets.items()
    }
    return sorted(list(group) for group in groups if len(group) > 1)


def _classes(synsets: dict[tuple[str, str], Synset]) -> list[list[str]]:
    below = defaultdict(list)
    for key, synset in synsets.items():
        for sign, target, part, _ in synset.pointers:
            if sign in ("@", "@i"):
                below[part, target].append(key)
    found = []
    countries: set[tuple[str, str]] = set()
    for names in CLASSES:
        roots = [key for key, synset in synsets.items() if synset.words[0] in names and key[0] == "n"]
        under = {key for root in roots for key in _closure(root, below)}
        if "country" in names:
            countries |= under
        if names[0] == "metallic_element":
            under |= set(roots)
        found.append(sorted({_plain(word) for key in under for word in synsets[key].words if word.count("_") < 2}))
    found.append(_nationalities(synsets, countries))
    return [group for group in found if group]


def _closure(root: tuple[str, str], below: dict[tuple[str, str], list[tuple[str, str]]]) -> list[tuple[str, str]]:
    found, waiting = [], list(below[root])
    while waiting:
        key = waiting.pop()
        found.append(key)
        waiting += below[key]
    return found


def _nationalities(synsets: dict[tuple[str, str], Synset], countries: set[tuple[str, str]]) -> list[str]:
    """Adjectives of countries: Italian, Peruvian."""
    return sorted({
        _plain(word)
        for (part, _), synset in synsets.items()
        if part == "a"
        for sign, target, other, _ in synset.pointers
        if sign == "\\" and (other, target) in countries
        for word in synset.words
    })  # fmt: skip


if __name__ == "__main__":
    main()
