"""What stands beside a memory, asked of the database: in its session, in its text, among what may be seen."""

from datetime import UTC, datetime

import pytest

from memories.actors import Actor
from memories.choices import Scope
from memories.models import Memory
from memories.services import captures, recall
from memories.services.captures import Message
from tests.factories import fact, write
from tests.stubs import StubReader

TALK = [
    ("Ana", "Good morning."), ("Ana", "Did the marigold shipment arrive?"), ("Ben", "Yes, on the second truck."),
    ("Ben", "The weather is fine."),
]  # fmt: skip


def hear(by: Actor, session: str, talk: list[tuple[str, str]], scope: Scope = Scope.SHARED) -> None:
    messages = []
    for place, (who, said) in enumerate(talk):
        at, is_role = datetime(2026, 3, 1, 12, place, tzinfo=UTC), who in ("user", "assistant")
        messages.append(Message(str(place), who if is_role else "user", said, "" if is_role else who, at))
    captures.capture(by=by, session=session, messages=messages, scope=scope, wait=True)


def lent(by: Actor, q: str) -> dict[str, float]:
    return {hit.memory.content: hit.why.neighbours for hit in recall.search(by=by, q=q, raw="only", limit=50).hits}


def test_the_message_after_a_good_hit_is_lent_its_words(a1: Actor) -> None:
    hear(a1, "monday", TALK)
    neighbours = lent(a1, "marigold shipment")
    assert neighbours["Yes, on the second truck."] > neighbours["The weather is fine."]


def test_another_session_lends_nothing(a1: Actor) -> None:
    hear(a1, "monday", TALK[:2])
    hear(a1, "tuesday", TALK[2:3])
    assert lent(a1, "marigold shipment")["Yes, on the second truck."] == 0.0


def test_what_a_machine_says_around_a_message_lends_nothing(a1: Actor) -> None:
    hear(a1, "monday", [("assistant", "Did the marigold shipment arrive?"), ("user", "Yes, on the second truck.")])
    assert set(lent(a1, "marigold shipment").values()) == {0.0}


def test_what_another_agent_keeps_private_lends_nothing(a1: Actor, a2: Actor) -> None:
    hear(a2, "monday", TALK[1:2], Scope.PRIVATE)
    hear(a1, "monday", TALK[2:3])
    assert lent(a1, "marigold shipment") == {"Yes, on the second truck.": 0.0}


def test_a_statement_is_lent_what_stands_beside_it_in_its_text(a1: Actor, stub_reader: StubReader) -> None:
    write(a1, "The marigold shipment is late. The driver called twice. The office is closed.")
    hits = recall.search(by=a1, q="marigold shipment", raw="none").hits
    neighbours = {hit.memory.content: hit.why.neighbours for hit in hits}
    assert neighbours["The driver called twice."] > neighbours["The office is closed."]


def test_single_facts_stand_alone(a1: Actor) -> None:
    fact(a1, "The marigold shipment is late.")
    fact(a1, "The driver called twice.")
    assert {hit.why.neighbours for hit in recall.search(by=a1, q="marigold").hits} == {0.0}


def test_filters_choose_what_is_found_and_not_what_lends(a1: Actor) -> None:
    hear(a1, "monday", TALK)
    assert lent(a1, "marigold shipment")["Yes, on the second truck."] > 0
    assert Memory.objects.filter(kind="Raw").count() == len(TALK)


@pytest.mark.parametrize("name", ["Ana", "Ana's"])
def test_what_the_named_speaker_said_is_lifted(a1: Actor, name: str) -> None:
    hear(a1, "monday", TALK)
    hits = recall.search(by=a1, q=f"What is {name} opinion about the weather?", raw="only").hits
    people = {hit.memory.content: hit.why.person for hit in hits}
    assert people["Good morning."] > people["The weather is fine."] == 0.0
