"""A bad value is refused with a sentence that names the variable and never repeats a secret."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from neuronz import env


def test_a_text_may_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("from the file\n")
    monkeypatch.setenv("NEURONZ_X_FILE", str(tmp_path / "secret"))

    assert env.text("NEURONZ_X") == "from the file"


def test_a_file_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEURONZ_X_FILE", "/nowhere")

    with pytest.raises(ImproperlyConfigured, match="NEURONZ_X_FILE names '/nowhere', which cannot be read"):
        env.text("NEURONZ_X")


@pytest.mark.parametrize(("written", "read"), [("1", True), ("Yes", True), ("0", False), ("off", False), ("", True)])
def test_flags(monkeypatch: pytest.MonkeyPatch, written: str, read: bool) -> None:
    monkeypatch.setenv("NEURONZ_X", written)

    assert env.flag("NEURONZ_X", default=True) is read


def test_a_flag_that_is_neither_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEURONZ_X", "perhaps")

    with pytest.raises(ImproperlyConfigured, match="NEURONZ_X is 'perhaps'; it takes 1 or 0"):
        env.flag("NEURONZ_X", default=True)


@pytest.mark.parametrize("written", ["eighty", "-1", "65536", "8.5"])
def test_a_number_outside_its_range_is_refused(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("NEURONZ_X", written)

    with pytest.raises(ImproperlyConfigured, match="it takes a whole number from 1 to 65535"):
        env.number("NEURONZ_X", 8000, least=1, most=65535)


def test_words_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEURONZ_X", "one, two,,three ")

    assert env.words("NEURONZ_X", []) == ["one", "two", "three"]


def test_a_database_keeps_its_connections_and_gives_up_soon_on_a_host_that_is_gone() -> None:
    described = env.database("DATABASE_URL", "postgresql://me:secret@db:5433/memory?sslmode=require")

    assert (described["HOST"], described["PORT"], described["NAME"]) == ("db", 5433, "memory")
    assert described["OPTIONS"] == {"sslmode": "require", "connect_timeout": 5}
    assert described["CONN_MAX_AGE"]
    assert described["CONN_HEALTH_CHECKS"]


@pytest.mark.parametrize(
    "url", ["mysql://me:secret@db/memory", "secret", "postgresql://me:secret@db:port/x", "gopher://secret"]
)
def test_what_is_no_postgresql_url_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL has to be a PostgreSQL URL") as refusal:
        env.database("DATABASE_URL", url)

    assert "secret" not in str(refusal.value)
