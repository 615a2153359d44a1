"""The labelled sets, as pools of messages or facts and questions with what answers them. Read, never kept."""

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: What was said by one of these is told by the role alone.
ROLES = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Message:
    id: str
    session: str
    speaker: str
    text: str
    at: str | None


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    answers: frozenset[str]
    kind: str


@dataclass(slots=True)
class Pool:
    """One product's worth. `messages` are captured by session, `facts` saved by id."""

    name: str
    messages: list[Message] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)

    def sessions(self) -> dict[str, list[Message]]:
        found: dict[str, list[Message]] = defaultdict(list)
        for message in self.messages:
            found[message.session].append(message)
        return found


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as rows:
        yield from map(json.loads, rows)


def locomo(data: Path) -> list[Pool]:
    """Ten long conversations of two people. Adversarial questions have no answer and don't count."""
    pools: dict[str, Pool] = {}
    for row in lines(data / "locomo" / "turns.jsonl"):
        pool = pools.setdefault(row["pool"], Pool(row["pool"]))
        session = f"{row['pool']} {row['session']}"
        pool.messages.append(
            Message(row["dia_id"], session, row["speaker"], row["text"], f"{row['session_time']}+00:00")
        )
    for row in lines(data / "locomo" / "questions.jsonl"):
        if row["category"] != "adversarial" and row["evidence"]:
            asked = Question(row["question"], frozenset(row["evidence"]), row["category"])
            pools[row["pool"]].questions.append(asked)
    return list(pools.values())


def longmemeval(data: Path) -> list[Pool]:
    """Evidence turns of all questions in one pool; a session is what one question's haystack had as one."""
    pool = Pool("longmemeval")
    for row in lines(data / "longmemeval_evidence" / "turns.jsonl"):
        session = row["doc_id"].rpartition(".")[0]
        pool.messages.append(Message(row["doc_id"], session, row["role"], row["text"], f"{row['session_time']}+00:00"))
    for row in lines(data / "longmemeval_evidence" / "questions.jsonl"):
        if row["evidence"] and not row["abstention"]:
            pool.questions.append(Question(row["question"], frozenset(row["evidence"]), row["category"]))
    return [pool]


def beam(data: Path) -> list[Pool]:
    """Long chats with an assistant, full of technical detail."""
    pools: dict[str, Pool] = {}
    for row in lines(data / "beam_100k" / "turns.jsonl.gz"):
        pool = pools.setdefault(row["pool"], Pool(row["pool"]))
        pool.messages.append(Message(str(row["id"]), f"{row['pool']} {row['batch']}", row["role"], row["text"], None))
    for row in lines(data / "beam_100k" / "questions.jsonl"):
        if row["evidence"]:
            answers = frozenset(map(str, row["evidence"]))
            pools[row["pool"]].questions.append(Question(row["question"], answers, row["category"]))
    return list(pools.values())


def domain(data: Path) -> list[Pool]:
    """Single facts of teams. Questions without an answer are for recall's silence."""
    pool = Pool("domain")
    for row in lines(data / "domain" / "statements.jsonl"):
        pool.facts |= {each["id"]: each["text"] for each in row["statements"]}
    for row in lines(data / "domain" / "search.jsonl"):
        pool.questions.append(Question(row["question"], frozenset(row["relevant"]), row["type"]))
    return [pool]


def multilingual(data: Path) -> list[Pool]:
    """Ten languages in one pool: a keyword query must bring its own statement first."""
    pool = Pool("multilingual")
    for row in lines(data / "domain" / "multilingual.jsonl"):
        pool.facts[row["id"]] = row["statement"]
        pool.facts |= {f"{row['id']} {place}": text for place, text in enumerate(row["distractors"])}
        pool.questions.append(Question(row["keyword_query"], frozenset([row["id"]]), row["lang"]))
    return [pool]


SETS: dict[str, Callable[[Path], Sequence[Pool]]] = {
    "locomo": locomo, "longmemeval_evidence": longmemeval, "beam_100k": beam, "domain": domain,
    "multilingual": multilingual,
}  # fmt: skip
