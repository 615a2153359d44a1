"""Commands that make products and agents, and that change the embedding model."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from memories import embeddings
from memories.actors import Actor
from memories.choices import Permission
from memories.embeddings import HashingEmbedder, Vector
from memories.errors import EmbedderDown
from memories.models import Agent, Embedding, Memory, Product
from memories.services import editing, embedding_upkeep, keys, recall
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command and return its standard output and standard error."""

    def run(*arguments: str, **options: Any) -> tuple[str, str]:
        call_command(*arguments, **options)
        captured = capsys.readouterr()
        return captured.out, captured.err

    return run


class TestCreateProduct:
    def test_a_product_is_made_with_its_name(self, run: Any) -> None:
        out, _ = run("create_product", "north-pier", name="The north pier")
        assert Product.objects.get(slug="north-pier").name == "The north pier"
        assert "create_agent NAME --product north-pier" in out

    def test_a_product_without_a_name_is_called_after_its_slug(self, run: Any) -> None:
        run("create_product", "north-pier")
        assert Product.objects.get(slug="north-pier").name == "North Pier"

    @pytest.mark.parametrize("slug", ["North Pier", "", "-pier", "x" * 65, "pier/1", "pïer"])
    def test_a_bad_slug_is_refused_in_one_sentence(self, slug: str) -> None:
        with pytest.raises(CommandError, match="A slug has 1 to 64 small letters"):
            call_command("create_product", "--", slug)
        assert not Product.objects.exists()

    def test_a_slug_that_is_taken_is_refused(self, lighthouse: Product) -> None:
        with pytest.raises(CommandError, match="There is a product 'lighthouse' already"):
            call_command("create_product", "lighthouse")


class TestCreateAgent:
    def test_the_key_stands_alone_on_standard_output_and_works(self, run: Any, lighthouse: Product) -> None:
        out, err = run("create_agent", "keeper", product="lighthouse")
        caller = keys.verify(out.removesuffix("\n"))
        assert caller is not None
        assert (caller.actor.name, caller.product) == ("keeper", lighthouse)
        assert caller.may(Permission.WRITE)
        assert out.strip() not in err

    def test_standard_error_says_whose_key_it_is(self, run: Any, lighthouse: Product) -> None:
        _, err = run("create_agent", "keeper", product="lighthouse")
        assert "Made the agent keeper of lighthouse." in err

    @pytest.mark.parametrize(
        ("name", "product", "sentence"),
        [
            ("keeper", "nowhere", "There is no product 'nowhere'; make it with `manage.py create_product nowhere`."),
            ("a1", "lighthouse", "has an agent named 'a1' already; choose another name"),
            ("  ", "lighthouse", "has 1 to 100 printable characters"),
            ("x" * 101, "lighthouse", "has 1 to 100 printable characters"),
            ("\udcff", "lighthouse", "has 1 to 100 printable characters"),
        ],
    )
    def test_bad_input_is_refused_in_one_sentence_and_leaves_no_agent(
        self, a1: Actor, name: str, product: str, sentence: str
    ) -> None:
        with pytest.raises(CommandError, match=sentence) as refusal:
            call_command("create_agent", name, product=product)
        assert "\n" not in str(refusal.value)
        assert Agent.objects.get().name == "a1"


@pytest.fixture
def facts(a1: Actor) -> list[Memory]:
    """Three shared ones and a private one, with vectors of hashing:64."""
    shared = [factories.fact(a1, f"Lamp number {number} is lit.") for number in range(3)]
    return [*shared, factories.fact(a1, "The key is mine.", scope="private")]


def models_of(memory: Memory) -> set[str]:
    return set(memory.embeddings.filter(vector__isnull=False).values_list("model", flat=True))


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding_upkeep, "BATCH", 2)


class Stopping(HashingEmbedder):
    """Ends after some batches, as a person (KeyboardInterrupt) or a broken model (EmbedderDown) would end it."""

    def __init__(self, after: int, ending: BaseException) -> None:
        super().__init__(32)
        self._left, self._ending = after, ending

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self._left == 0:
            raise self._ending
        self._left -= 1
        return super().embed(texts)


class TestReembed:
    def test_new_vectors_are_made_beside_the_old_ones_which_go_on_serving(
        self, run: Any, facts: list[Memory], a1: Actor
    ) -> None:
        run("reembed", to="hashing:32")
        assert all(models_of(fact) == {"hashing-64", "hashing-32"} for fact in facts)
        assert recall.search(by=a1, q="lamp number 2").hits[0].memory == facts[2]

    def test_it_says_what_to_set_when_all_is_made(self, run: Any, facts: list[Memory]) -> None:
        out, err = run("reembed", to="hashing:32")
        assert "Made 4 vectors of hashing-32." in out
        assert "Set NEURONZ_EMBEDDER=hashing:32 and restart" in out
        assert "4/4" in err

    def test_after_the_setting_changed_the_new_vectors_are_searched(
        self, run: Any, facts: list[Memory], a1: Actor, settings: Settings
    ) -> None:
        run("reembed", to="hashing:32")
        settings.EMBEDDER = "hashing:32"
        hit = recall.search(by=a1, q="lamp number 2").hits[0]
        assert hit.memory == facts[2]
        assert hit.why.meaning is not None

    def test_what_has_a_vector_already_is_not_made_again(self, run: Any, facts: list[Memory]) -> None:
        run("reembed", to="hashing:32")
        assert "Made 0 vectors" in run("reembed", to="hashing:32")[0]

    def test_only_live_memories_are_moved(self, run: Any, facts: list[Memory], a1: Actor) -> None:
        editing.retire(by=a1, memory_id=facts[0].pk)
        run("reembed", to="hashing:32")
        assert models_of(facts[0]) == {"hashing-64"}

    def test_for_the_configured_model_it_makes_what_is_missing(self, run: Any, facts: list[Memory]) -> None:
        Embedding.objects.filter(memory=facts[0]).delete()
        out, _ = run("reembed")
        assert "Made 1 vectors of hashing-64." in out
        assert "there is nothing else to do" in out

    def test_one_product_can_be_moved_alone_and_the_rest_is_said_to_wait(
        self, run: Any, facts: list[Memory], b1: Actor
    ) -> None:
        other = factories.fact(b1, "The orchard is in bloom.")
        out, _ = run("reembed", to="hashing:32", product="lighthouse")
        assert models_of(other) == {"hashing-64"}
        assert "1 live memories have none yet" in out

    @pytest.mark.usefixtures("small_batches")
    @pytest.mark.parametrize(
        ("ending", "code"),
        [(KeyboardInterrupt(), 130), (EmbedderDown("The model is gone."), 1)],
        ids=["Ctrl-C", "down"],
    )
    def test_stopped_in_the_middle_it_keeps_what_was_made_and_goes_on(
        self, run: Any, facts: list[Memory], ending: BaseException, code: int
    ) -> None:
        with (
            embeddings.override(Stopping(1, ending)),
            pytest.raises(CommandError, match="What was made is kept") as end,
        ):
            call_command("reembed")
        assert end.value.returncode == code
        assert Embedding.objects.filter(model="hashing-32").count() == 2
        assert "Made 2 vectors" in run("reembed", to="hashing:32")[0]

    def test_a_model_that_cannot_be_loaded_is_refused_and_leaves_no_failed_tries(self, facts: list[Memory]) -> None:
        with pytest.raises(CommandError, match="'no-such-model' can't be used") as refusal:
            call_command("reembed", to="no-such-model")
        assert "packaged" in str(refusal.value)
        assert not Embedding.objects.filter(model="no-such-model").exists()

    def test_prune_forgets_the_vectors_of_other_models(self, run: Any, facts: list[Memory], settings: Settings) -> None:
        run("reembed", to="hashing:32")
        settings.EMBEDDER = "hashing:32"
        assert "Forgot 4 vectors of other models than hashing-32." in run("reembed", prune=True)[0]
        assert all(models_of(fact) == {"hashing-32"} for fact in facts)

    def test_prune_is_refused_while_memories_wait(self, facts: list[Memory], settings: Settings) -> None:
        settings.EMBEDDER = "hashing:32"
        with pytest.raises(CommandError, match="4 live memories have no vector of hashing-32 yet; run"):
            call_command("reembed", prune=True)
        assert all(models_of(fact) == {"hashing-64"} for fact in facts)

    def test_prune_of_one_product_leaves_the_other_alone(
        self, run: Any, facts: list[Memory], b1: Actor, settings: Settings
    ) -> None:
        other = factories.fact(b1, "The orchard is in bloom.")
        run("reembed", to="hashing:32")
        settings.EMBEDDER = "hashing:32"
        run("reembed", prune=True, product="lighthouse")
        assert models_of(other) == {"hashing-64", "hashing-32"}

    def test_an_unknown_product_is_refused(self, db: None) -> None:
        with pytest.raises(CommandError, match="There is no product 'nowhere'"):
            call_command("reembed", product="nowhere")
