"""Whether planted patterns and intentions are found, and nothing that only looks like one. In a throw-away folder.

    python -m benchmarks.patterns [--seeds 1,2,3] [--noise 300]

Each seed makes a product with new invented names: patterns and intentions that are there, as many decoys of every sort
(coincidences, too few cases, single remarks, one text repeated, counter-examples), and unrelated facts around them.
Prints what was found, missed and wrongly found, and how long it took; a second run must write nothing.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.cognition import _agent, _database, thought

BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)  # a Monday
SYLLABLES = "bar cal dor fen gol hal jor kel lum mar nor pel quo ras sol tan ul ver wil zan".split()  # noqa: SIM905
VALUES = "Corvex Daltin Emberly Fastra Grolm Hexar Inkwell Jostle".split()  # noqa: SIM905
VERBS = ("logs to", "is deployed with", "reads its secrets from", "is written in", "reports its errors to", "runs on")
SORTS = ("Pump", "Gauge", "Boiler", "Tank", "Sensor", "Relay")
DEEDS = ("was released", "was audited", "was restarted", "was billed", "was inspected", "was backed up")
THINGS = ("Version", "Batch", "Report", "Invoice", "Survey", "Cruise")
MUST = (
    "{when}, {do}.", "We must {do} {lower}.", "Remember to {do} {lower}.", "We should always {do} {lower}.",
)  # fmt: skip
ACTS = (
    ("inform the harbour master", "before a night crossing"),
    ("translate the safety notes", "before each season"),
    ("rotate the storage credentials", "after every departure of staff"),
    ("weigh the cargo twice", "before loading"),
    ("photograph the meter", "when a tenant leaves"),
    ("archive the crew lists", "after each voyage"),
    ("sign the fuel ledger", "before refuelling"),
    ("test the emergency lights", "after a power cut"),
)


@dataclass(frozen=True, slots=True)
class Told:
    """One fact as it is told: by which agent, on which day of the story, about which day."""

    text: str
    by: int = 0
    day: int = 0
    about: datetime | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """`planted`: for each pattern or intention the words that its sentence must hold."""

    told: Sequence[Told]
    planted: Sequence[tuple[str, ...]]


def story(seed: int, noise: int) -> Story:
    chance = random.Random(seed)  # noqa: S311  # no secret
    verbs, acts = chance.sample(VERBS, 4), chance.sample(ACTS, 6)
    told: list[Told] = []
    planted: list[tuple[str, ...]] = []
    for place in (0, 1):
        value = chance.choice(VALUES)
        told += _convention(chance, verbs[place], value, alike=chance.randint(4, 8), others=place)
        planted.append((_many(verbs[place]), value))
        sort = SORTS[place]
        number = chance.randint(3, 6)
        told += [Told(f"{sort} {code} must be serviced by {value} engineers.") for code in _codes(chance, number)]
        planted.append((f"{sort}s must be serviced by", value))
        told += _events(chance, THINGS[place], DEEDS[place], weekday=chance.randint(0, 4), odd=place)
        planted.append((THINGS[place], DEEDS[place]))
    for do, when in acts[:3]:
        told += _demanded(chance, do, when)
        planted.append((do,))
    told += list(_decoys(chance, verbs[2:], acts[3:]))
    told += [
        Told(f"{_person(chance)} sent {n + 2} crates of {_word(chance)} to {_person(chance)}.") for n in range(noise)
    ]
    chance.shuffle(told)
    return Story(told, planted)


def _decoys(chance: random.Random, verbs: Sequence[str], acts: Sequence[tuple[str, str]]) -> Iterator[Told]:
    yield from _convention(chance, verbs[0], VALUES[0], alike=2, others=0)  # too few
    for value in VALUES[:3] * 2:  # every one of them something else
        yield from _convention(chance, verbs[1], value, alike=1, others=0)
    for number in range(4):  # one thing, in other words
        yield Told(
            f"{SORTS[2]} T-77 must be emptied by {VALUES[1]} staff{'.' * (number == 0) or f', said note {number}.'}"
        )
    yield Told(f"{SORTS[3]} K-1 is painted in red.")
    yield Told(f"{SORTS[3]} K-2 is painted in red.")
    yield from _events(chance, THINGS[2], DEEDS[2], weekday=None, odd=0)
    yield from _events(chance, THINGS[3], DEEDS[3], weekday=1, odd=0, number=2)
    once, repeated, disputed = acts
    yield Told(f"We must {once[0]} {once[1]}.")
    for day in range(5):
        yield Told(f"We must {repeated[0]} {repeated[1]}.", day=day)
    yield from _demanded(chance, *disputed)
    for day in range(3):
        yield Told(f"{'Please ' * day}we don't need to {disputed[0]} {disputed[1]}.".capitalize(), by=day % 3, day=day)


def _convention(chance: random.Random, verb: str, value: str, *, alike: int, others: int) -> Iterator[Told]:
    for _ in range(alike):
        yield Told(f"{_word(chance)}-api {verb} {value}.")
    for _ in range(others):
        yield Told(f"{_word(chance)}-api {verb} {_word(chance).capitalize()}.")


def _events(
    chance: random.Random, what: str, deed: str, *, weekday: int | None, odd: int, number: int = 6
) -> Iterator[Told]:
    spread = (0, 1, 2, 3, 4, 0)
    for place in range(number):
        day = spread[place] if weekday is None else weekday + (place < odd)
        when = BEGIN + timedelta(weeks=place * 3 + chance.randint(0, 1), days=day)
        yield Told(f"{what} {_code(chance)} {deed} on {when.day} {when:%B %Y}.", about=when)


def _demanded(chance: random.Random, do: str, when: str) -> Iterator[Told]:
    for place, form in enumerate(MUST):
        said = form.format(when=when[0].upper() + when[1:], lower=when, do=do)
        yield Told(said, by=place % 3, day=chance.randint(place * 5, place * 5 + 4))


def _word(chance: random.Random) -> str:
    return "".join(chance.sample(SYLLABLES, 3))


def _person(chance: random.Random) -> str:
    return f"{_word(chance).capitalize()} {_word(chance).capitalize()}"


def _code(chance: random.Random) -> str:
    return f"{chance.choice('ABCDEFGH')}-{chance.randint(1000, 9999)}"


def _codes(chance: random.Random, number: int) -> list[str]:
    return [_code(chance) for _ in range(number)]


def _many(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    return f"{ {'is': 'are'}.get(first, first.removesuffix('s')) } {rest}"


def measured(seed: int, noise: int) -> dict[str, Any]:
    from memories.choices import Kind
    from memories.models import Memory

    told = story(seed, noise)
    by, product = _agent(f"story {seed}")
    _tell(told, by, product)
    first, second = thought(product), thought(product)
    rows = Memory.objects.filter(product=product, kind__in=(Kind.SCHEMA, Kind.INTENTION)).current()
    said = sorted(rows.values_list("content", flat=True))
    hits = {
        words: [each for each in said if all(word.lower() in each.lower() for word in words)] for words in told.planted
    }
    right = {each for found in hits.values() for each in found}
    return {
        "seed": seed, "facts": len(told.told), "planted": len(told.planted),
        "found": sum(bool(found) for found in hits.values()),
        "missed": [words for words, found in hits.items() if not found],
        "wrong": [each for each in said if each not in right],
        "first run": {name: first[name] for name in ("schemas", "intentions")},
        "second run": {name: second[name] for name in ("schemas", "intentions")},
        "said": said,
    }  # fmt: skip


def _tell(told: Story, by: Any, product: Any) -> None:
    from memories.choices import Category
    from memories.provenance import Provenance
    from memories.services import intake, keys
    from memories.services.drafts import About, Label

    agents = [by]
    for name in ("second", "third"):
        verified = keys.verify(keys.create_agent(product=product, name=name)[1])
        assert verified is not None  # noqa: S101  # just made
        agents.append(verified.actor)
    for each in told.told:
        about = About(each.about, each.about) if each.about else About()
        intake.add_fact(
            by=agents[each.by], content=each.text, category=Category.FACT, label=Label(about=about),
            provenance=Provenance(said_at=BEGIN + timedelta(days=each.day)),
        )  # fmt: skip


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seeds", default="1,2,3")
    asked.add_argument("--noise", type=int, default=300)
    given = asked.parse_args()
    attachment = _database("hashing:64")
    print(json.dumps([measured(int(seed), given.noise) for seed in given.seeds.split(",")], indent=1))
    del attachment


if __name__ == "__main__":
    main()
