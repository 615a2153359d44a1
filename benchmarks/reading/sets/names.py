"""Names: notes of agents, noisy posts, encyclopedia paragraphs, and the entities of our own domain's graph.

Names are compared as sets, case folded, without an article or a possessive. In redocred, where an entity has several
mentions, a name is right when it is any mention, and an entity is found when any of its mentions is;
numbers are left out, they name nothing. The domain graph counts an entity that is a name or an end of a relation.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.reading.figures import Figure
from benchmarks.reading.scoring import Tally, rows
from memories.reading import Context, dates, names, relations
from memories.reading.names import Name, NameKind

FIGURES = (
    Figure("mempalace_entities/f1", "names in notes", aim=82, baseline="73.7"),
    Figure("wnut17/f1", "names in noisy posts", aim=56, baseline="52.8"),
    Figure("redocred/f1", "names and dates in encyclopedia paragraphs", aim=84, baseline="82.1"),
    Figure("domain_graph/recall", "entities of the domain graph, %", aim=80),
)
_UNNAMED = {NameKind.DATE, NameKind.TERM}
_EDGES = re.compile(r"^(?:the|a|an)\s|^\W+|\W+$|\s?['’]s$", re.IGNORECASE)


def measure(folder: Path) -> dict[str, float]:
    return {
        "mempalace_entities/f1": _flat(folder / "mempalace_eval" / "entity_extraction.jsonl"),
        "wnut17/f1": _flat(folder / "wnut17" / "sentences.jsonl"),
        "redocred/f1": _redocred(folder / "redocred" / "documents.jsonl"),
        "domain_graph/recall": _domain(folder / "domain"),
    }


def _plain(text: str) -> str:
    return _EDGES.sub("", _EDGES.sub("", " ".join(text.casefold().split())))


def _named(found: Iterable[Name]) -> set[str]:
    """What an annotator of names would mark: no times, and nothing without a capital."""
    named = (name.whole for name in found if name.kind not in _UNNAMED)
    return {_plain(name) for name in named if any(map(str.isupper, name))} - {""}


def _flat(path: Path) -> float:
    tally = Tally()
    for row in rows(path):
        tally.add_names(_named(names.found(row["text"])), [_plain(each["name"]) for each in row["entities"]])
    return tally.f1


def _redocred(path: Path) -> float:
    right = found_count = reached = wanted = 0
    for row in rows(path):
        found = {_plain(name.text) for name in names.found(" ".join(row["sentences"]))}
        mentions = [
            {_plain(mention) for mention in entity["mentions"]} for entity in row["entities"] if entity["type"] != "NUM"
        ]
        known = set().union(*mentions)
        right += len(found & known)
        found_count += len(found)
        reached += sum(bool(each & found) for each in mentions)
        wanted += len(mentions)
    precision, recall = right / found_count, reached / wanted
    return 200 * precision * recall / (precision + recall)


def _domain(folder: Path) -> float:
    texts = {row["id"]: row for row in rows(folder / "statements.jsonl")}
    tally = Tally()
    for row in rows(folder / "graph.jsonl"):
        said = "\n".join([texts[row["doc"]]["text"], *(each["text"] for each in texts[row["doc"]]["statements"])])
        found = {_plain(name.text) for name in names.found(said)} | _ends(said) | _days(said, texts[row["doc"]])
        for entity in row["entities"]:
            known = {_plain(each) for each in (entity["name"], *entity["aliases"])}
            tally.add(bool(known & found), 0, 1)
    return tally.recall


def _ends(said: str) -> set[str]:
    """Things without a proper name stand at the ends of relations."""
    return {_plain(end) for each in relations.found(said) for end in (each.subject, each.object)}


def _days(said: str, row: dict[str, Any]) -> set[str]:
    """The graph names a day by its date."""
    spans = dates.spans(said, Context(datetime.fromisoformat(row["reference_time"])))
    return {moment.date().isoformat() for span in spans for moment in (span.first, span.last) if moment}
