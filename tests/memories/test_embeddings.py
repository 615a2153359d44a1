"""Embedders: what they promise, how concurrent calls share passes, and what happens when they fail."""

import logging
import multiprocessing
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from django.test import override_settings

from memories import embeddings
from memories.embeddings import HashingEmbedder, SentenceTransformerEmbedder, Vector
from memories.embeddings.batching import CHUNK, Collector
from memories.errors import EmbedderDown


class FailingEmbedder(HashingEmbedder):
    """Raises until it is mended, and counts how often it was asked."""

    def __init__(self, dimensions: int = 8) -> None:
        super().__init__(dimensions)
        self.is_broken = True
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.calls += 1
        if self.is_broken:
            raise EmbedderDown("The stub is broken.")
        return super().embed(texts)


class Passes:
    """Stands for a model: remembers every pass, may be held up, and chokes on the text `poison`."""

    def __init__(self) -> None:
        self.passes: list[list[str]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.started = threading.Event()

    def __call__(self, texts: Sequence[str]) -> list[Vector]:
        self.passes.append(list(texts))
        self.started.set()
        self.gate.wait(10)
        if "poison" in texts:
            raise EmbedderDown("It choked.")
        return [np.array([len(text)], dtype=np.float32) for text in texts]


@pytest.fixture(scope="module")
def packaged() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder()


@pytest.fixture
def model() -> Iterator[Passes]:
    passes = Passes()
    yield passes
    passes.gate.set()


def cosine(embedder: embeddings.Embedder, one: str, other: str) -> float:
    first, second = embedder.embed([one, other])
    return float(first @ second)


# --- the hashing embedder


def test_the_hashing_embedder_gives_the_same_unit_vectors_every_time() -> None:
    first, again = (
        HashingEmbedder(64).embed(["The gateway listens."]),
        HashingEmbedder(64).embed(["The gateway listens."]),
    )
    assert np.array_equal(first[0], again[0])
    assert first[0].dtype == np.float32
    assert np.linalg.norm(first[0]) == pytest.approx(1.0)


def test_similar_wording_is_similar_to_the_hashing_embedder() -> None:
    embedder = HashingEmbedder(256)
    near = cosine(embedder, "The gateway listens on port 8443.", "The gateway listens on port 9443.")
    far = cosine(embedder, "The gateway listens on port 8443.", "Tamsin keeps two cats.")
    assert near > 0.7
    assert far < 0.3


@pytest.mark.parametrize("text", ["", "...", "\0", "\udc80", "🎉"])
def test_a_text_without_words_still_has_a_direction(text: str) -> None:
    assert np.linalg.norm(HashingEmbedder(8).embed([text])[0]) == pytest.approx(1.0)


# --- which embedder serves


def test_the_setting_chooses_the_embedder_and_keeps_one_of_each() -> None:
    with override_settings(EMBEDDER="hashing:32"):
        assert embeddings.current().name == "hashing-32"
        assert embeddings.current() is embeddings.current()
    with override_settings(EMBEDDER="packaged"):
        assert (embeddings.current().name, embeddings.current().dimensions) == ("all-MiniLM-L6-v2", 384)


def test_another_embedder_serves_only_inside_its_override() -> None:
    with embeddings.override(HashingEmbedder(8)):
        with embeddings.override(HashingEmbedder(16)):
            assert len(embeddings.embed_query("where")) == 16
        assert len(embeddings.embed_query("where")) == 8


def test_an_override_serves_every_thread() -> None:
    with embeddings.override(HashingEmbedder(8)), ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: embeddings.current().name).result() == "hashing-8"


def test_a_query_asked_again_costs_no_pass() -> None:
    embedder = FailingEmbedder()
    embedder.is_broken = False
    with embeddings.override(embedder):
        first, again = embeddings.embed_query("gateway port"), embeddings.embed_query("gateway port")
    assert embedder.calls == 1
    assert first is again
    with pytest.raises(ValueError, match="read-only"):
        again[0] = 1.0


def test_a_failed_query_is_not_remembered() -> None:
    embedder = FailingEmbedder()
    with embeddings.override(embedder):
        with pytest.raises(EmbedderDown):
            embeddings.embed_query("gateway port")
        embedder.is_broken = False
        assert len(embeddings.embed_query("gateway port")) == 8


def test_a_broken_embedder_answers_none_and_is_logged_once_without_content(caplog: pytest.LogCaptureFixture) -> None:
    with embeddings.override(FailingEmbedder()), caplog.at_level(logging.WARNING):
        assert embeddings.embed_or_none(["marigold"]) is None
        assert embeddings.embed_or_none(["marigold"]) is None
    assert [record.getMessage() for record in caplog.records] == [
        "Embedding is down, memories wait as pending: The stub is broken."
    ]


def test_a_second_outage_is_logged_again(caplog: pytest.LogCaptureFixture) -> None:
    embedder = FailingEmbedder()
    with embeddings.override(embedder), caplog.at_level(logging.WARNING):
        embeddings.embed_or_none(["one"])
        embedder.is_broken = False
        assert embeddings.embed_or_none(["two"]) is not None
        embedder.is_broken = True
        embeddings.embed_or_none(["three"])
    assert len(caplog.records) == 2


# --- sharing passes


def test_twenty_callers_at_once_cost_few_passes(model: Passes) -> None:
    collector = Collector(model)
    texts = ["x" * length for length in range(1, 21)]
    model.gate.clear()
    with ThreadPoolExecutor(20) as pool:
        answers = [pool.submit(collector.embed, [text]) for text in texts]
        time.sleep(0.5)
        model.gate.set()
        assert [float(answer.result()[0][0]) for answer in answers] == [float(len(text)) for text in texts]
    assert len(model.passes) <= 3


def test_a_large_call_goes_in_chunks_of_like_length_and_keeps_its_order(model: Passes) -> None:
    texts = ["x" * (length * 37 % 101) for length in range(100)]
    vectors = Collector(model).embed(texts)
    assert [int(vector[0]) for vector in vectors] == [len(text) for text in texts]
    assert max(map(len, model.passes)) == CHUNK
    assert model.passes == [sorted(chunk, key=len) for chunk in model.passes]


def test_a_query_overtakes_bulk_work_and_bulk_work_still_gets_its_turn(model: Passes) -> None:
    collector = Collector(model)
    model.gate.clear()
    with ThreadPoolExecutor(8) as pool:
        bulk = pool.submit(collector.embed, ["bulk"] * (CHUNK * 10))
        assert model.started.wait(5)
        queries = [pool.submit(collector.embed, ["query"]) for _ in range(5)]
        time.sleep(0.5)
        model.gate.set()
        assert all(len(query.result()) == 1 for query in queries)
        assert len(bulk.result()) == CHUNK * 10
    assert model.passes[1] == ["query"] * 5
    assert len(model.passes) == 11


def test_a_text_that_breaks_its_pass_harms_its_caller_alone(model: Passes) -> None:
    collector = Collector(model)
    model.gate.clear()
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(collector.embed, ["first"])
        assert model.started.wait(5)
        good, bad = pool.submit(collector.embed, ["good"]), pool.submit(collector.embed, ["poison"])
        time.sleep(0.5)
        model.gate.set()
        assert len(first.result()) == len(good.result()) == 1
        with pytest.raises(EmbedderDown, match="It choked"):
            bad.result()
    assert len(collector.embed(["after"])) == 1


def test_a_model_that_hangs_holds_nobody_up_for_ever(model: Passes) -> None:
    collector = Collector(model, patience=0.2)
    model.gate.clear()
    with pytest.raises(EmbedderDown, match="has not answered"):
        collector.embed(["one"])
    before = time.monotonic()
    with pytest.raises(EmbedderDown):
        collector.embed(["two"])
    assert time.monotonic() - before < 0.2  # those who come later are told at once
    model.gate.set()
    while collector.hangs:
        time.sleep(0.01)
    assert len(collector.embed(["three"])) == 1


# --- real models


def test_the_packaged_model_is_cold_until_it_is_warmed(packaged: SentenceTransformerEmbedder) -> None:
    assert SentenceTransformerEmbedder().state() == "cold"
    packaged.warm()
    assert packaged.state() == "ready"


def test_the_packaged_model_knows_meaning(packaged: SentenceTransformerEmbedder) -> None:
    near = cosine(packaged, "The office closes at six.", "Our workplace shuts at 6 pm.")
    far = cosine(packaged, "The office closes at six.", "Bananas are rich in potassium.")
    assert near > 0.5
    assert far < 0.3


def test_callers_in_parallel_get_what_they_would_get_alone(packaged: SentenceTransformerEmbedder) -> None:
    texts = [f"Valve V-{number} was replaced {'again ' * (number % 7)}in January." for number in range(40)]
    together = packaged.embed(texts)
    with ThreadPoolExecutor(8) as pool:
        alone = [vectors[0] for vectors in pool.map(lambda text: packaged.embed([text]), texts)]
    assert [vector.shape for vector in together] == [(384,)] * 40
    assert np.allclose(np.array(together), np.array(alone), atol=1e-4)


def test_any_text_can_be_embedded_and_a_long_one_counts_by_its_beginning(packaged: SentenceTransformerEmbedder) -> None:
    long = "The harbor gateway listens on port 8443. " * 60
    vectors = packaged.embed(["", "\udc80", "\0", "🎉", long, long + "Bananas are rich in potassium."])
    assert np.allclose([np.linalg.norm(vector) for vector in vectors], 1.0, atol=1e-5)
    assert np.allclose(vectors[-1], vectors[-2], atol=1e-5)
    assert packaged.embed([]) == []


def test_a_forked_worker_process_embeds_although_its_parent_did_before(packaged: SentenceTransformerEmbedder) -> None:
    packaged.warm()
    child = multiprocessing.get_context("fork").Process(target=packaged.embed, args=(["one"],))
    child.start()
    child.join(60)
    assert child.exitcode == 0


def test_other_weights_than_the_packaged_ones_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.embeddings.transformer.PACKAGED_SHA256", "0" * 64)
    embedder = SentenceTransformerEmbedder()
    with pytest.raises(EmbedderDown, match="not the one this version was made for"):
        embedder.embed(["one"])
    assert embedder.state().startswith("failed: The packaged embedding model")


def test_a_model_that_is_not_there_fails_with_a_sentence_and_without_the_network(tmp_path: Path) -> None:
    embedder = SentenceTransformerEmbedder(str(tmp_path / "nowhere"))
    with pytest.raises(EmbedderDown, match="cannot be loaded"):
        embedder.embed(["marigold"])
    assert embedder.state().startswith("failed: ")


def test_a_model_in_a_folder_is_named_by_its_weights(tmp_path: Path) -> None:
    for folder, weights in (("one/model", b"1"), ("two/model", b"2"), ("three/model", b"1")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "model.safetensors").write_bytes(weights)
    one, two, three = (
        SentenceTransformerEmbedder(str(tmp_path / each / "model")).name for each in ("one", "two", "three")
    )
    assert one.startswith("model@")
    assert one == three != two
