"""`manage.py screen`: what was stored before screening knew its shape is found, and told without the secret."""

import pytest
from django.core.management import CommandError, call_command

from memories.actors import Actor
from memories.choices import Scope
from memories.services import erasure
from memories.services.erasure import Choice, ChosenBy
from tests import factories

pytestmark = pytest.mark.django_db

TOKEN = "ghp_" + "aB3dE6" * 6
PASSWORD = "hunter22-tulip"


def screened(capsys: pytest.CaptureFixture[str], **options: str) -> tuple[str, str]:
    """What it prints, and the sentence that it ends with."""
    with pytest.raises(CommandError) as ended:
        call_command("screen", **options)
    return capsys.readouterr().out, str(ended.value)


def test_content_tags_and_metadata_are_looked_at_and_no_secret_is_told(
    a1: Actor, b1: Actor, capsys: pytest.CaptureFixture[str]
) -> None:
    held = [
        factories.stored_row(a1, f"The deploy token is {TOKEN}."),
        factories.stored_row(a1, "The lamp is lit.", tags=[TOKEN]),
        factories.stored_row(a1, "The door is green.", metadata={"db": [{"password": PASSWORD}]}),
        factories.stored_row(b1, f"Ours is {TOKEN}.", scope=Scope.PRIVATE, owner_id=b1.agent_id),
    ]
    factories.stored_row(a1, "Passwords are changed every 90 days.")
    told, sentence = screened(capsys)
    assert [line.split()[0] for line in told.splitlines()] == [str(row.pk) for row in held]
    assert "GitHub token" in told
    assert sentence.startswith("4 memories hold")
    assert TOKEN not in told + sentence
    assert PASSWORD not in told + sentence


def test_one_product_alone(a1: Actor, b1: Actor, capsys: pytest.CaptureFixture[str]) -> None:
    ours, _ = (factories.stored_row(by, f"The deploy token is {TOKEN}.") for by in (a1, b1))
    told, _ = screened(capsys, product="lighthouse")
    assert told.split()[0] == str(ours.pk)
    assert len(told.splitlines()) == 1


def test_what_was_erased_is_found_no_more(a1: Actor, curator: Actor, capsys: pytest.CaptureFixture[str]) -> None:
    row = factories.stored_row(a1, f"The deploy token is {TOKEN}.")
    assert a1.product_id is not None
    erasure.erase(by=curator, choice=Choice(a1.product_id, ChosenBy.MEMORY, ids=[row.pk]))
    call_command("screen")
    assert capsys.readouterr().out == "Nothing that is stored looks like a credential.\n"
