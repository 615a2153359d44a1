"""Vectors that wait: made later, moved to another model, indexed when a pool has grown large."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories import embeddings
from memories.actors import Actor
from memories.choices import Status
from memories.embeddings import HashingEmbedder
from memories.filters import Filters, narrowed
from memories.models import Embedding, Memory, Product
from memories.search import arms, planning
from memories.search.arms import Near
from memories.services import editing, embedding_upkeep, lifecycle, recall
from memories.services.embedding_upkeep import Waiting, embed_waiting, waiting
from tests import factories
from tests.conftest import Clock
from tests.factories import fact
from tests.stubs import BrokenEmbedder, TableEmbedder

EIGHT, SIXTEEN = TableEmbedder("eight", 8), TableEmbedder("sixteen", 16)


def found(by: Actor, q: str, *, arm: str) -> set[str]:
    """What one arm of search found."""
    hits = recall.search(by=by, q=q, limit=100).hits
    return {hit.memory.content for hit in hits if getattr(hit.why, arm) > 0}


def vectors(model: str) -> dict[str, int | None]:
    rows = Embedding.objects.filter(model=model).values_list("memory__content", "dimensions")
    return {content: dimensions for content, dimensions in rows}  # noqa: C416  # mypy wants pairs, not rows


# --- case 27: changing the embedding model --------------------------------------------------------------


def test_a_change_of_model_loses_nothing(a1: Actor, lighthouse: Product) -> None:
    with embeddings.override(EIGHT):
        first, _, _ = (fact(a1, f"Ferry {number} leaves at nine.") for number in (1, 2, 3))
        assert waiting() == Waiting(pending=0, failed=0)
    with embeddings.override(SIXTEEN):
        fact(a1, "Ferry 4 leaves at nine.")
        assert editing.retire(by=a1, memory_id=first.pk).fact.status == Status.RETIRED
        rest = {f"Ferry {number} leaves at nine." for number in (2, 3, 4)}
        assert found(a1, "ferry", arm="words") == rest
        assert found(a1, "ferry", arm="meaning") == {"Ferry 4 leaves at nine."}
        assert waiting(lighthouse.pk) == Waiting(pending=2, failed=0)
        assert embed_waiting() == 2
        assert waiting() == Waiting(pending=0, failed=0)
        assert {hit.memory.content for hit in recall.search(by=a1, q="ferry").hits} == rest
        assert vectors("sixteen") == dict.fromkeys(rest, 16)
        assert set(vectors("eight").values()) == {8}
    with embeddings.override(BrokenEmbedder("sixteen", 16)):
        fact(a1, "Ferry 5 leaves at nine.")
        assert "Ferry 5 leaves at nine." in found(a1, "ferry 5", arm="words")
        assert waiting() == Waiting(pending=0, failed=1)


def test_only_vectors_of_the_serving_model_are_compared(a1: Actor) -> None:
    """Two models of the same size are two spaces all the same."""
    with embeddings.override(TableEmbedder("one", 8)):
        fact(a1, "The ferry leaves at nine.")
    with embeddings.override(TableEmbedder("other", 8)):
        assert found(a1, "ferry", arm="meaning") == set()
        assert factories.add(a1, "The ferry leaves at ten.").similar == []
    with embeddings.override(TableEmbedder("one", 8)):
        assert found(a1, "ferry", arm="meaning") == {"The ferry leaves at nine."}


def test_the_old_model_serves_while_another_is_made_ready(a1: Actor) -> None:
    fact(a1, "The ferry leaves at nine.")
    assert waiting(model="sixteen") == Waiting(pending=1, failed=0)
    assert embed_waiting(SIXTEEN) == 1
    assert embed_waiting(SIXTEEN) == 0
    assert found(a1, "ferry", arm="meaning") == {"The ferry leaves at nine."}
    with embeddings.override(SIXTEEN):
        assert embedding_upkeep.prune() == 1
    assert set(Embedding.objects.values_list("model", flat=True)) == {"sixteen"}


# --- trying again ---------------------------------------------------------------------------------------


def test_a_failed_try_is_repeated_when_it_is_due(a1: Actor, clock: Clock) -> None:
    with embeddings.override(BrokenEmbedder()):
        fact(a1, "The ferry leaves at nine.")
        clock.pass_(minutes=2)
        assert embed_waiting() == 0  # tried again, and failed again
    clock.pass_(seconds=30)
    assert embed_waiting() == 0  # not due yet
    assert waiting() == Waiting(pending=0, failed=1)
    clock.pass_(seconds=31)
    assert embed_waiting() == 1
    assert waiting() == Waiting(pending=0, failed=0)
    assert found(a1, "ferry", arm="meaning") == {"The ferry leaves at nine."}


def test_a_failed_try_is_repeated_at_once_when_somebody_asks(a1: Actor) -> None:
    with embeddings.override(BrokenEmbedder()):
        fact(a1, "The ferry leaves at nine.")
    assert embed_waiting(again=True) == 1


def test_a_broken_embedder_is_asked_once_and_not_for_every_batch(a1: Actor) -> None:
    with embeddings.override(BrokenEmbedder()):
        Memory.objects.bulk_create([factories.row(a1, f"Ferry {number}.") for number in range(130)])
        assert embed_waiting() == 0
    assert waiting() == Waiting(pending=130 - embedding_upkeep.BATCH, failed=embedding_upkeep.BATCH)


def test_all_that_waits_is_made_in_batches(a1: Actor) -> None:
    Memory.objects.bulk_create([factories.row(a1, f"Ferry {number}.") for number in range(130)])
    assert embed_waiting(most=64) == 64
    assert embed_waiting() == 66
    assert embed_waiting() == 0


def test_only_live_memories_wait(a1: Actor, curator: Actor) -> None:
    with embeddings.override(BrokenEmbedder("down")):
        retired, edited, disputed = (fact(a1, f"Ferry {number}.") for number in range(3))
        editing.retire(by=curator, memory_id=retired.pk)
        editing.revise(by=a1, memory_id=edited.pk, content="Ferry 3.")
        lifecycle.dispute(disputed, by=a1)
    assert waiting() == Waiting(pending=2, failed=0)  # the disputed one may come back


def test_a_pool_counts_its_own(a1: Actor, b1: Actor) -> None:
    with embeddings.override(BrokenEmbedder("down")):
        fact(a1, "The ferry leaves at nine.")
        fact(b1, "The ferry leaves at nine.")
    assert waiting(a1.product_id) == Waiting(pending=1, failed=0)
    assert waiting() == Waiting(pending=2, failed=0)


# --- exact, or by an index of its own -------------------------------------------------------------------

MODEL = HashingEmbedder(64)
COUNT = 400


@pytest.fixture
def large_pool(transactional_db: None, a1: Actor, b1: Actor, monkeypatch: pytest.MonkeyPatch) -> Iterator[Actor]:
    """A pool beyond the limit, beside a small one. Every tenth of its memories is tagged."""
    monkeypatch.setattr(planning, "EXACT_UP_TO", 100)
    rows = [
        factories.row(a1, f"Ferry {number} leaves at {number % 7}.", tags=["ops"] if number % 10 == 0 else [])
        for number in range(COUNT)
    ]
    Memory.objects.bulk_create([*rows, factories.row(b1, "Ferry 1 leaves at 1.")])
    embed_waiting()
    yield a1
    with connection.cursor() as cursor:
        cursor.execute(f'DROP INDEX IF EXISTS "{planning.index_name(a1.product_id, MODEL.name)}"')


def nearest(by: Actor, q: str, filters: Filters, *, limit: int = 10) -> list[Near]:
    vector = MODEL.embed([q])[0]
    return arms.nearest(narrowed(by, filters), vector, product_id=by.product_id, model=MODEL.name, limit=limit)


def similarities(by: Actor) -> list[list[float]]:
    """How close the ten nearest are, query by query. Rounded: an index keeps its vectors in half precision."""
    found = [nearest(by, q, filters) for q in QUERIES for filters in FILTERS]
    return [sorted(round(each.similarity, 2) for each in near) for near in found]


QUERIES = ["Ferry 7 leaves at 0.", "ferry", "leaves at 3", "Ferry 250 leaves at 5."]
FILTERS = [Filters(), Filters(tag=("ops",))]


def test_a_pool_beyond_the_limit_wants_an_index_and_finds_the_same_by_it(large_pool: Actor) -> None:
    assert planning.plan(large_pool.product_id, MODEL.name).wants_index
    exact = similarities(large_pool)
    assert {len(each) for each in exact} == {10}
    built = list(embedding_upkeep.build_wanted_indexes())
    assert built == [planning.index_name(large_pool.product_id, MODEL.name)]
    plan = planning.plan(large_pool.product_id, MODEL.name)
    assert (plan.is_exact, plan.wants_index, plan.vectors) == (False, False, COUNT)
    assert similarities(large_pool) == exact
    assert list(embedding_upkeep.build_wanted_indexes()) == []


def test_the_index_goes_on_until_enough_rows_pass_the_filters(
    large_pool: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty of the four hundred are tagged. Without iterating, the first few candidates would hold about one."""
    list(embedding_upkeep.build_wanted_indexes())
    monkeypatch.setattr(planning, "EF_SEARCH", 10)
    with connection.cursor() as cursor:  # a pool this small would be sorted instead
        cursor.execute("SET enable_sort = off")
        cursor.execute("SET enable_seqscan = off")
    try:
        with CaptureQueriesContext(connection) as queries:
            found = nearest(large_pool, "Ferry 7 leaves at 0.", Filters(tag=("ops",)), limit=20)
        assert len({each.id for each in found}) == 20
        assert planning.index_name(large_pool.product_id, MODEL.name) in explained(queries)
    finally:
        connection.close()  # the settings go with it


def explained(queries: CaptureQueriesContext) -> str:
    search = next(each["sql"] for each in queries.captured_queries if "<=>" in each["sql"])
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {search}")
        return "\n".join(row[0] for row in cursor.fetchall())


def test_a_small_pool_is_scanned_exactly_beside_a_large_one(large_pool: Actor, b1: Actor) -> None:
    list(embedding_upkeep.build_wanted_indexes())
    assert planning.plan(b1.product_id, MODEL.name).is_exact
    assert len(nearest(b1, "ferry", Filters())) == 1


def test_a_build_that_was_stopped_is_done_again(large_pool: Actor) -> None:
    name = planning.build_index(large_pool.product_id, MODEL.name, 64)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass(%s)", [f'"{name}"'])
    planning.forget()
    assert planning.plan(large_pool.product_id, MODEL.name).wants_index
    assert list(embedding_upkeep.build_wanted_indexes()) == [name]
    assert not planning.plan(large_pool.product_id, MODEL.name).is_exact


def test_a_vector_saved_after_the_build_is_found_by_it(large_pool: Actor) -> None:
    list(embedding_upkeep.build_wanted_indexes())
    memory = fact(large_pool, "The moon is full.")
    assert nearest(large_pool, "The moon is full.", Filters())[0].id == memory.pk
