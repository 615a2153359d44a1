"""The log: each line says which request it belongs to and who asked, and no line ever says what was stored."""

import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.db import DataError, OperationalError
from django.test import Client

from memories.actors import Actor
from memories.services import intake
from neuronz import logs
from neuronz.celery import leave_the_task, name_the_task_in_the_log
from tests import factories
from tests.api.door import Door
from tests.stubs import StubReader

SECRET = "marigold-77"
pytestmark = pytest.mark.django_db


@pytest.fixture
def log() -> Iterator["Log"]:
    """Everything that any logger says, as NEURONZ_LOG_FORMAT=json and as plain lines, down to DEBUG."""
    watched = Log()
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.DEBUG)
    for handler in watched.handlers:
        root.addHandler(handler)
    yield watched
    root.setLevel(level)
    for handler in watched.handlers:
        root.removeHandler(handler)


class Log:
    def __init__(self) -> None:
        self.json, self.plain = StringIO(), StringIO()
        self.handlers = [logging.StreamHandler(self.json), logging.StreamHandler(self.plain)]
        formats = (logs.JsonLine(), logs.Traceless("{levelname} {name}: {message}", style="{"))
        for handler, formatter in zip(self.handlers, formats, strict=True):
            handler.addFilter(logs.Context())
            handler.setFormatter(formatter)

    def lines(self, logger: str = "") -> list[dict[str, Any]]:
        read = [json.loads(line) for line in self.json.getvalue().splitlines()]
        return [line for line in read if line["logger"].startswith(logger)]


def test_a_request_is_one_line_with_its_id_product_agent_and_time(log: Log, a1_key: str) -> None:
    response = Client().get("/api/v1/facts/", headers={"Authorization": f"Bearer {a1_key}", "X-Request-ID": "abc-1"})
    assert response.headers["X-Request-ID"] == "abc-1"
    (line,) = log.lines("neuronz.requests")
    assert {name: line[name] for name in ("request", "product", "agent", "method", "route", "status")} == {
        "request": "abc-1", "product": "lighthouse", "agent": "a1", "method": "GET", "route": "api/v1/facts/",
        "status": 200,
    }  # fmt: skip
    assert isinstance(line["ms"], int)
    assert "GET api/v1/facts/ 200 [request=abc-1 product=lighthouse agent=a1" in log.plain.getvalue()


@pytest.mark.parametrize("sent", ["", "a b", "x" * 65, "é", "{}"])
def test_an_odd_request_id_is_replaced(sent: str) -> None:
    answered = Client().get("/healthz", headers={"X-Request-ID": sent}).headers["X-Request-ID"]
    assert answered != sent
    assert logs.SENT_ID.fullmatch(answered)


def test_no_content_is_logged_whatever_happens(log: Log, a1_key: str, a1: Actor) -> None:
    door = Door(a1_key)
    fact = door.save(f"The vault word is {SECRET}.")["fact"]["id"]
    door.write(f"The vault word is {SECRET} again. It is never {SECRET}-b.")
    door.found(SECRET)
    door.post("recall/", {"prompt": f"What is {SECRET}?", "session": "s"})
    door.send("PATCH", f"facts/{fact}/", {"content": f"The vault word was {SECRET}."})
    door.post("facts/", {"content": SECRET * 2_000})
    door.post("facts/", {SECRET: 1})
    door.get(f"facts/{SECRET}/")
    Client().get(f"/{SECRET}")
    told = log.json.getvalue() + log.plain.getvalue()
    assert "neuronz.requests" in told
    assert SECRET not in told


def test_a_reading_that_breaks_is_logged_without_the_text(log: Log, a1: Actor, stub_reader: StubReader) -> None:
    stub_reader.error = ValueError(f"can't read {SECRET}")
    write = factories.write(a1, f"The vault word is {SECRET}.")
    assert write.state == "failed"
    assert SECRET not in log.json.getvalue() + log.plain.getvalue()


def test_an_exception_is_told_by_type_and_place_and_never_by_what_it_quotes(log: Log) -> None:
    for error in (DataError(f"value {SECRET}"), KeyError(SECRET)):
        try:
            raise error
        except (DataError, KeyError):
            logging.getLogger("neuronz.test").exception("It broke.")
    lines = log.lines("neuronz.test")
    assert [line["exception"] for line in lines] == ["DataError", "KeyError"]
    assert __file__ in lines[0]["trace"][0]
    assert SECRET not in log.json.getvalue() + log.plain.getvalue()


def test_an_exception_about_the_machine_says_what_it_says(log: Log) -> None:
    try:
        raise OperationalError("connection refused")
    except OperationalError:
        logging.getLogger("neuronz.test").exception("No database.")
    assert log.lines("neuronz.test")[0]["exception"] == "OperationalError: connection refused"
    assert "OperationalError: connection refused" in log.plain.getvalue()


def test_lines_of_a_task_carry_its_id(log: Log) -> None:
    class Task:
        name = "memories.tasks.sweep_writes"

    name_the_task_in_the_log(task_id="t1", task=Task())
    logging.getLogger("neuronz.test").info("inside")
    leave_the_task(task_id="t1")
    logging.getLogger("neuronz.test").info("outside")
    inside, outside = log.lines("neuronz.test")
    assert (inside["request"], inside["task"]) == ("t1", "memories.tasks.sweep_writes")
    assert "request" not in outside


def test_a_text_that_is_kept_in_the_background_is_not_logged(log: Log, a1: Actor) -> None:
    intake.remember(by=a1, text=f"The vault word is {SECRET}.")
    assert SECRET not in log.json.getvalue()
