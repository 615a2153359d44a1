"""What an erasure takes: by person, agent, filter or product, and nothing beyond it or behind a wall."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memories.actors import Actor
from memories.choices import Category, Scope
from memories.models import ErasureReceipt, Memory
from tests import factories, guards

pytestmark = pytest.mark.django_db


def erase(**options: Any) -> dict[str, Any]:
    guards.check_deferred()
    out = StringIO()
    call_command("erase", json=True, stdout=out, product="lighthouse", **options)
    return dict(json.loads(out.getvalue()))


def left() -> set[str]:
    return set(Memory.objects.exclude(content="").values_list("content", flat=True))


def test_by_agent_all_that_it_wrote_goes_and_nothing_else(a1: Actor, a2: Actor, b1: Actor) -> None:
    factories.fact(a1, "The lamp is lit.")
    factories.fact(a1, "My word is heron.", scope=Scope.PRIVATE)
    factories.write(a1, "The ferry leaves at nine.")
    factories.fact(a2, "The gate is open.")
    factories.fact(b1, "The lamp is lit.")
    before = left()
    erase(agent="a1")
    assert left() == before
    done = erase(agent="a1", yes=True)
    assert done["erased"]
    assert left() == {"The gate is open.", "The lamp is lit."}
    assert set(Memory.objects.exclude(content="").values_list("product__slug", flat=True)) == {"lighthouse", "orchard"}


def test_by_person_what_is_about_or_names_her_goes(a1: Actor, b1: Actor) -> None:
    factories.fact(a1, "She likes tea.", category=Category.PERSONA, person="Ada Moss")
    factories.fact(a1, "Ada Moss leads the port office.")
    factories.fact(a1, "The port office has two doors.")
    factories.fact(b1, "Ada Moss sails on Sundays.")
    erase(person="Ada Moss", yes=True)
    assert left() == {"The port office has two doors.", "Ada Moss sails on Sundays."}


def test_by_filter_what_a_list_would_show_goes_with_what_is_not_current(a1: Actor, b1: Actor) -> None:
    factories.fact(a1, "Pump 1 runs at night.", tags=("ops",))
    factories.fact(a1, "Pump 2 runs by day.", tags=("net",))
    factories.fact(b1, "Pump 3 is broken.", tags=("ops",))
    would = erase(filter=["tag=ops"])["would"]
    assert would["statements"] == 1
    erase(filter=["tag=ops"], yes=True)
    assert left() == {"Pump 2 runs by day.", "Pump 3 is broken."}


def test_by_product_everything_goes_and_the_neighbour_stays(a1: Actor, a2: Actor, b1: Actor) -> None:
    factories.write(a1, "The ferry leaves at nine. The gate is open.")
    factories.fact(a2, "My word is heron.", scope=Scope.PRIVATE)
    factories.fact(b1, "The gate is open.")
    erase(everything=True, yes=True)
    assert left() == {"The gate is open."}
    assert not Memory.objects.filter(product__slug="lighthouse").exclude(content="").exists()


def test_the_receipt_tells_how_it_was_chosen_and_no_text(a1: Actor) -> None:
    factories.fact(a1, "Pump 1 runs at night.", tags=("ops",))
    erase(filter=["tag=ops"], yes=True, reason="on request")
    receipt = ErasureReceipt.objects.get()
    assert (receipt.chosen_by, receipt.reason) == ("filter", "on request")
    assert "Pump" not in json.dumps(receipt.counts)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"agent": "nobody"}, "has no agent 'nobody'"),
        ({"filter": ["wizard=1"]}, "wizard"),
        ({"filter": ["ops"]}, "write NAME=VALUE"),
        ({}, "Say what to erase"),
        ({"filter": ["tag=nothing"], "yes": True}, "nothing to erase"),
    ],
)
def test_a_choice_that_chooses_nothing_is_refused(a1: Actor, options: dict[str, Any], sentence: str) -> None:
    factories.fact(a1, "The lamp is lit.")
    with pytest.raises(CommandError, match=sentence):
        erase(**options)
    assert left() == {"The lamp is lit."}
