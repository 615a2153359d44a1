"""Invented memories of a product, as many as are wanted, no two alike; and the prompts that are asked of them."""

import random
from collections.abc import Iterator

PEOPLE = [f"{first} {last}" for first in ("Ana", "Ben", "Chiara", "Dmitri", "Eva", "Farid", "Gita", "Hugo", "Ines")
          for last in ("Lima", "Ito", "Marsh", "Novak", "Okoye", "Prasad", "Quist", "Rossi")]  # fmt: skip
#: What stands in the braces of a sentence.
WORDS = {
    "service": "billing|invoicing|ledger|search|ingest|gateway|scheduler|notifier|exporter|importer|webhook|session"
    "|pricing|catalogue|shipping|returns|payroll|audit|metrics|tracing",
    "place": "Harbor|Quayside|Northgate|Millbrook|Eastfield|Riverside|Hilltop|Lakeview|Stonebridge|Westhaven",
    "thing": "pump|valve|crane|boiler|filter|turbine|hatch|winch|sensor|relay|compressor|generator|conveyor",
    "tool": "Postgres|Redis|Kafka|Grafana|Terraform|Ansible|Nginx|Celery|RabbitMQ|Elasticsearch|Vault|Consul",
    "day": "Monday|Tuesday|Wednesday|Thursday|Friday",
    "taste": "short mails|black coffee|late meetings|written decisions|green tea|pairing|quiet mornings",
    "deed": "restarts|leaks|fails over|is painted|is inspected|is replaced|runs hot|is drained",
}
FILLS = {"person": PEOPLE} | {name: words.split("|") for name, words in WORDS.items()}
SENTENCES = [
    "The {service} service of {place} listens on port {number}.",
    "{person} leads the {service} team in {place} since week {number}.",
    "The {thing} {code} in {place} {deed} every {number} hours.",
    "We chose {tool} for the {service} service in {place}, because backups must end within {number} minutes.",
    "Deploys of {service} {number} to {place} happen on {day}, after {person} signed them off.",
    "Ticket {code} says that the {service} service timed out after {number} seconds on {day}.",
    "The contract with {place} Logistics about {thing} parts runs until month {number} and is renewed by {person}.",
    "The {thing} hall of {place} is closed on {day} while inspection {number} goes on.",
    "{tool} keeps the data of {service} for {number} days in {place}.",
    "The key of cabinet {number} in {place} hangs beside the {thing}.",
]  # fmt: skip
TRAIT = "{person} prefers {taste} on {day}."
ABOUT = [
    "On which port does the {service} service of {place} listen?",
    "Who leads the {service} team in {place}?",
    "How often must the {thing} in {place} be looked after, and what happens to it?",
    "Why did we choose {tool} for {service}?",
    "When may I deploy {service} to {place}? {person} asked me to.",
    "Write the release note for {service} and mention where {tool} keeps its data.",
]  # fmt: skip
BESIDE = [
    "Thanks, that looks good!", "Write a haiku about autumn leaves and the moon.",
    "What is the derivative of x squared times sine of x?", "ok", "Translate 'good evening' into Portuguese, please.",
]  # fmt: skip
#: Sentences that make a prompt long, as people paste things in front of what they ask.
PADDING = "I went through the notes of last week again and there are still some open ends we have to talk about. "


def filled(pattern: str, at: random.Random) -> str:
    named = {name: at.choice(words) for name, words in FILLS.items()}
    code = f"{at.choice('ABCDEFGHKLMNPRSTVWXZ')}{at.choice('ABCDEFGHKLMNPRSTVWXZ')}-{at.randrange(1000, 100_000)}"
    return pattern.format(**named, number=at.randrange(1, 60_000), code=code)


def memories(count: int, seed: int = 1) -> Iterator[tuple[int, str]]:
    """The number of the pattern, and a sentence; each sentence once."""
    at, said = random.Random(seed), set[str]()  # noqa: S311  # no secret
    while len(said) < count:
        place = at.randrange(len(SENTENCES))
        sentence = filled(SENTENCES[place], at)
        if sentence not in said:
            said.add(sentence)
            yield place, sentence


def traits(seed: int = 2) -> Iterator[tuple[str, str]]:
    """Whom it is about, and what: two for each person."""
    at = random.Random(seed)  # noqa: S311  # no secret
    for person in PEOPLE:
        for taste, day in zip(at.sample(FILLS["taste"], 2), at.sample(FILLS["day"], 2), strict=True):
            yield person, TRAIT.format(person=person, taste=taste, day=day)


def prompts(count: int, seed: int = 3) -> dict[str, list[str]]:
    """As many of each sort: short ones about the product, long ones, and ones that nothing is known about."""
    at = random.Random(seed)  # noqa: S311  # no secret
    short = [filled(at.choice(ABOUT), at) for _ in range(count)]
    long = [
        "\n\n".join([filled(at.choice(ABOUT), at), PADDING * 8, filled(at.choice(SENTENCES), at), PADDING * 8,
                     filled(at.choice(ABOUT), at)])
        for _ in range(count)
    ]  # fmt: skip
    return {"short": short, "long": long, "beside the point": [at.choice(BESIDE) for _ in range(count)]}
