"""A text that a language model reads: through the service, with the day's budget, and what the receipt says of it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest
from django.conf import settings as configured
from django.core.checks import Error
from django.core.checks import Warning as DjangoWarning
from django.db import connection
from pytest_django import Settings

from memories import checks, reader
from memories.actors import Actor
from memories.choices import WriteState
from memories.models import ModelUse, Product, Write
from memories.services import spending, statements
from tests import desk
from tests.factories import contents, write
from tests.memories.model_server import TOKENS, ModelServer, echo, serving

HALL = "The Kestrel hall has two gates. Petra Novak keeps the keys."


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    with serving() as state:
        settings.READER, settings.MODEL, settings.MODEL_URL = "model", "small", state.url
        yield state


def spent_today(product_id: UUID | None) -> int:
    rows = ModelUse.objects.filter(product_id=str(product_id), day=spending.today())
    return rows.values_list("tokens", flat=True).first() or 0


def test_a_text_is_read_by_the_model_that_the_settings_name(a1: Actor, server: ModelServer) -> None:
    server.says((1, "The Kestrel hall has two gates."), (2, "Petra Novak keeps the keys."))
    read = write(a1, HALL)
    assert contents(read) == ["The Kestrel hall has two gates.", "Petra Novak keeps the keys."]
    assert (read.state, read.note) == (WriteState.DONE, "")
    assert spent_today(a1.product_id) == TOKENS


def test_what_the_model_could_not_do_stands_on_the_receipt(a1: Actor, server: ModelServer) -> None:
    server.behaviour = lambda prompt: (401, "no")
    read = write(a1, HALL)
    assert read.state == WriteState.DONE
    assert len(contents(read)) == 2
    assert read.note == "The model failed (HTTP 401): 1 of 1 parts were read by rules."
    assert spent_today(a1.product_id) == 0


def test_beyond_the_days_budget_the_rules_read(a1: Actor, server: ModelServer, settings: Settings) -> None:
    server.behaviour = echo
    settings.MODEL_TOKENS_PER_DAY = TOKENS + 50
    ModelUse.objects.create(product_id=a1.product_id, day=spending.today(), tokens=TOKENS)
    read = write(a1, HALL)
    assert len(contents(read)) == 2
    assert "budget of model tokens" in read.note
    assert (server.asked, spent_today(a1.product_id)) == ([], TOKENS)


def test_each_product_has_a_budget_of_its_own(a1: Actor, b1: Actor, server: ModelServer) -> None:
    server.behaviour = echo
    write(a1, HALL)
    assert spent_today(b1.product_id) == 0


def test_a_budget_is_not_overdrawn(lighthouse: Product, settings: Settings) -> None:
    settings.MODEL_TOKENS_PER_DAY = 1_000
    budget = spending.Budget(lighthouse.pk)
    assert [budget.take(400) for _ in range(4)] == [True, True, False, False]
    budget.settle(400, 100)
    assert budget.take(400) is True
    budget.settle(400, 0)
    budget.settle(400, 0)
    budget.settle(400, 0)
    assert spent_today(lighthouse.pk) == 0


@pytest.mark.django_db(transaction=True)
def test_readers_together_spend_no_more_than_the_budget(lighthouse: Product, settings: Settings) -> None:
    settings.MODEL_TOKENS_PER_DAY = 1_000

    def take(_: int) -> bool:
        try:
            return spending.Budget(lighthouse.pk).take(300)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(take, range(8))) == 3


def test_a_reading_that_goes_on_begins_at_the_passage_where_the_first_one_stopped(
    a1: Actor, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model words the text otherwise in the second try. None is lost."""
    text = " ".join(f"Room {number} of the hall is locked." for number in range(80))
    server.behaviour = echo
    stored = statements._store_chunk

    def stops_after_one(*given: object, **named: object) -> None:
        stored(*given, **named)  # type: ignore[arg-type]
        raise RuntimeError("The worker was ill.")

    monkeypatch.setattr(statements, "_store_chunk", stops_after_one)
    read = write(a1, text)
    assert (read.state, read.statements.count()) == (WriteState.FAILED, 64)
    monkeypatch.undo()
    server.behaviour = lambda prompt: echo(prompt.replace(" is locked", " of the hall is locked"))
    Write.objects.filter(pk=read.pk).update(state=WriteState.RECEIVED)
    statements.read_write(read.pk)
    reworded = [each for each in contents(read) if each.endswith("of the hall of the hall is locked.")]
    assert reworded == [f"Room {number} of the hall of the hall is locked." for number in range(63, 80)]
    assert len(contents(read)) == 64 + 17


def test_the_admin_shows_the_note(a1: Actor, curator: Actor, server: ModelServer) -> None:
    server.behaviour = lambda prompt: (401, "no")
    read = write(a1, HALL)
    page = desk.at_desk(curator).get(f"/admin/memories/write/{read.pk}/change/")
    assert "The model failed (HTTP 401)" in page.content.decode()


# --- settings


def test_the_rules_are_the_reader_unless_a_setting_says_otherwise() -> None:
    assert configured.READER == "plain"
    assert not reader.asks_a_model()


def test_settings_that_cannot_work_are_told_at_start(settings: Settings) -> None:
    assert checks.check_model() == []
    settings.MODEL = "small"
    assert [type(each) for each in checks.check_model()] == [DjangoWarning]
    settings.READER = "model"
    assert [(type(each), each.id) for each in checks.check_model()] == [(Error, "memories.E001")]
    settings.MODEL_URL = "127.0.0.1:8000"
    assert [each.id for each in checks.check_model()] == ["memories.E002"]
    settings.MODEL_URL = "http://127.0.0.1:8000/v1"
    assert checks.check_model() == []
