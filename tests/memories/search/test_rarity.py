"""How rare a term is: counted over what an actor may see, at once or by a task."""

import pytest

from memories.actors import Actor
from memories.models import Memory, TermCounts
from memories.search import arms, rarity
from memories.search.words import query_words
from memories.services import recall, word_upkeep
from tests.factories import fact


def found(by: Actor, q: str) -> list[str]:
    return [hit.memory.content for hit in recall.search(by=by, q=q).hits]


def test_what_another_agent_keeps_private_is_not_counted(a1: Actor, a2: Actor) -> None:
    fact(a1, "The ferry leaves at nine.")
    fact(a2, "The ferry is late.", scope="private")
    fact(a2, "The ferry is white.", scope="private")
    assert rarity.counts(a1.product_id, a1.agent_id).of("ferry") == 1
    rarity.forget()
    assert rarity.counts(a2.product_id, a2.agent_id).of("ferry") == 3


def test_another_product_is_not_counted(a1: Actor, b1: Actor) -> None:
    fact(b1, "The ferry leaves at nine.")
    assert rarity.counts(a1.product_id, a1.agent_id).rows == 0


def test_a_large_pool_is_counted_by_the_task_and_not_by_the_search(a1: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rarity, "COUNTED_AT_ONCE", 3)
    for number in range(5):
        fact(a1, f"Ferry {number} leaves at nine.")
    assert rarity.counts(a1.product_id, None).rows == 3  # a sample of the newest, until the task has been there
    assert word_upkeep.recount() == 1
    rarity.forget()
    counted = rarity.counts(a1.product_id, None)
    assert (counted.rows, counted.of("ferry"), counted.of("marigold")) == (5, 5, 0)
    assert word_upkeep.recount() == 0  # nothing has changed much


def test_a_pool_that_has_grown_is_counted_again(a1: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rarity, "COUNTED_AT_ONCE", 3)
    for number in range(5):
        fact(a1, f"Ferry {number} leaves at nine.")
    word_upkeep.recount()
    fact(a1, "The door is shut.")
    assert word_upkeep.recount() == 0
    fact(a1, "The door is open.")
    assert word_upkeep.recount() == 1
    assert TermCounts.objects.get().rows == 7


def test_rows_of_an_older_version_are_indexed_by_the_task(a1: Actor) -> None:
    fact(a1, "The ferry leaves at nine.")
    Memory.objects.update(words="", weights=None)
    assert found(a1, "code ferry") == found(a1, "zzz")
    assert word_upkeep.index_waiting() == 1
    assert recall.search(by=a1, q="ferry").hits[0].why.words > 0
    assert word_upkeep.index_waiting() == 0


def test_a_common_word_brings_in_no_rows_beside_a_rare_one(a1: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arms, "MOST_ROWS_WEIGHED", 2)
    for number in range(6):
        fact(a1, f"Ferry {number} leaves at nine.")
    fact(a1, "The white ferry is for sale.")
    counts = rarity.counts(a1.product_id, a1.agent_id)
    (found,) = arms.found_by_words(Memory.objects.visible_to(a1), query_words("white ferry"), counts)
    assert Memory.objects.get(pk=found).content == "The white ferry is for sale."
