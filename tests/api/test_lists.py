"""GET memories/ and facts/: what is current, newest first, narrowed by every filter of api.md."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from memories.actors import Actor
from memories.models import Product
from memories.provenance import Provenance
from tests import factories
from tests.api.door import Door

LAMP, PUMP, IVO, TERM, NOTE, MANUAL = (
    "The lamp is lit.", "Pump A runs at night.", "Ivo prefers tea.", "A duty lead answers the pager.",
    "A private note about the pump.", "The manual says the valve is blue.",
)  # fmt: skip
SOURCE = UUID(int=7)


@pytest.fixture
def shelf(door: Door, other: Door, lighthouse: Product) -> None:
    """One memory for each thing a filter may ask for."""
    Product.objects.filter(pk=lighthouse.pk).update(zone="Europe/Berlin")
    door.fact(LAMP, tags=["ops"], about="2026-07-12")
    other.fact(PUMP, tags=["ops", "net"], tier="team", about={"from": "2026-07-13", "until": "2026-07-15"})
    door.fact(IVO, category="persona", person="Ivo Sand", tags=["o"], about={"from": "2026-08-01"})
    door.fact(TERM, category="term", tier="policy", about={"until": "2026-06-30"}, confirmed=False)
    door.fact(NOTE, scope="private")
    factories.fact(
        factories.source(lighthouse), MANUAL, provenance=Provenance(source_id=SOURCE, source_name="handbook")
    )


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, [MANUAL, NOTE, TERM, IVO, PUMP, LAMP]),
        ({"scope": "all"}, [MANUAL, NOTE, TERM, IVO, PUMP, LAMP]),
        ({"scope": "shared"}, [MANUAL, TERM, IVO, PUMP, LAMP]),
        ({"scope": "private"}, [NOTE]),
        ({"category": "persona"}, [IVO]),
        ({"category": ["persona", "term"]}, [TERM, IVO]),
        ({"tier": "policy"}, [TERM]),
        ({"tier": ["policy", "team"]}, [TERM, PUMP]),
        ({"kind": "Raw"}, []),
        ({"kind": ["Raw", "Basic", "Fact", "Identity", "Knowledge"]}, [MANUAL, NOTE, TERM, IVO, PUMP, LAMP]),
        ({"tag": "ops"}, [PUMP, LAMP]),
        ({"tag": ["ops", "net"]}, [PUMP, LAMP]),
        ({"tag": ["ops", "net"], "tag_mode": "any"}, [PUMP, LAMP]),
        ({"tag": ["ops", "net"], "tag_mode": "all"}, [PUMP]),
        ({"tag": "op"}, []),
        ({"status": "unverified"}, [TERM]),
        ({"status": "verified", "tier": "official"}, [MANUAL, NOTE, IVO, LAMP]),
        ({"status": ["disputed", "superseded"]}, []),
        ({"source": "handbook"}, [MANUAL]),
        ({"source": str(SOURCE)}, [MANUAL]),
        ({"source": "hand"}, []),
        ({"agent": "a2"}, [PUMP]),
        ({"agent": "a1", "scope": "shared"}, [TERM, IVO, LAMP]),
        ({"agent": str(UUID(int=1))}, []),
        ({"person": "ivo sand"}, [IVO]),
        ({"person": "Ivo"}, []),
        ({"about_after": "2026-07-12", "about_before": "2026-07-12"}, [LAMP]),
        ({"about_after": "2026-07-14", "about_before": "2026-07-14"}, [PUMP]),
        ({"about_after": "2026-07-13"}, [IVO, PUMP]),
        ({"about_before": "2026-07-12"}, [TERM, LAMP]),
        ({"about_before": "2026-06-30"}, [TERM]),
        ({"about_after": "2026-06-30T22:00:00Z"}, [IVO, PUMP, LAMP]),
        ({"about_after": "2026-06-30T21:59:59Z"}, [TERM, IVO, PUMP, LAMP]),
        ({"recorded_after": "2020-01-01", "recorded_before": "2099-12-31", "agent": "a2"}, [PUMP]),
        ({"recorded_after": "2099-01-01"}, []),
        ({"recorded_before": "2020-01-01T00:00:00+02:00"}, []),
    ],
)
@pytest.mark.parametrize("path", ["facts/", "memories/"])
def test_each_filter_keeps_what_it_names(door: Door, path: str, filters: dict[str, Any], expected: list[str]) -> None:
    assert door.listed(path, **filters) == expected


@pytest.mark.usefixtures("shelf")
def test_an_agent_is_found_by_its_id_too(door: Door, other: Door) -> None:
    assert door.listed(agent=other.get("whoami/")["agent"]["id"]) == [PUMP]


@pytest.mark.usefixtures("shelf")
def test_another_agents_private_memories_are_in_no_list(other: Door) -> None:
    assert other.listed() == other.listed(scope="shared") == [MANUAL, TERM, IVO, PUMP, LAMP]
    assert (other.listed(scope="private"), other.listed(history=1, scope="private")) == ([], [])


def test_the_moment_of_recording_is_inclusive_on_both_ends(door: Door) -> None:
    fact = door.save(LAMP)["fact"]
    door.fact(PUMP)
    at = fact["recorded_at"]
    assert door.listed(recorded_after=at, recorded_before=at) == [LAMP]


def test_facts_are_listed_without_raw_texts_and_memories_with_them(door: Door) -> None:
    door.write(LAMP)
    assert [each["kind"] == "Raw" for each in door.page("memories/")] == [False, True]
    assert door.listed("facts/") == [LAMP]
    assert door.listed("memories/", kind="Raw") == [LAMP]


def test_what_is_not_current_is_listed_only_when_asked_for(door: Door) -> None:
    old, gone = door.fact(LAMP), door.fact(PUMP)
    door.patch(f"facts/{old}/", {"content": "The lamp is off."})
    door.delete(f"facts/{gone}/")
    assert door.listed() == ["The lamp is off."]
    assert door.listed(status="superseded") == [LAMP]
    assert door.listed(status=["retired", "superseded"]) == [PUMP, LAMP]
    assert door.listed(history=1) == ["The lamp is off.", PUMP, LAMP]
    assert door.listed(history="true", status="retired") == [PUMP]
    assert door.listed(history=0) == door.listed(history="false") == ["The lamp is off."]


@pytest.mark.django_db(transaction=True)
def test_as_of_gives_what_was_current_then(door: Door) -> None:
    first = door.save(LAMP)["fact"]
    second = door.patch(f"facts/{first['id']}/", {"content": "The lamp is off."})["fact"]
    third = door.save(PUMP)["fact"]
    door.delete(f"facts/{third['id']}/")
    moments = [each["at"] for each in door.history(second["id"])]
    assert door.listed(as_of="2020-01-01") == []
    assert door.listed(as_of=moments[0]) == [LAMP]
    assert door.listed(as_of=moments[-1]) == ["The lamp is off."]
    assert door.listed(as_of=door.history(third["id"])[0]["at"]) == [PUMP, "The lamp is off."]
    assert door.listed(as_of="2099-01-01") == ["The lamp is off."]
    assert door.listed(as_of=moments[-1], status="superseded") == [LAMP]
    assert door.found("lamp", as_of=moments[0]) == [LAMP]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scope", "everyone"), ("kind", "Fct"), ("kind", ["Fact", "fact"]), ("category", "wizard"), ("tier", "boss"),
        ("status", "new"), ("tag_mode", "some"), ("history", "maybe"), ("history", 2), ("limit", 0), ("limit", 201),
        ("limit", "many"), ("limit", "1.5"), ("limit", "9" * 5_000), ("cursor", "zzz"),
        ("cursor", "a" + "g" * 32), ("cursor", "c" + "0" * 32), ("tag", "a\0b"), ("source", "a\0b"),
        ("agent", "a\0b"), ("person", "a\0b"), ("q", "lamp"), ("tags", "ops"), ("wizard", "x"),
        *((name, value)
          for name in ("recorded_after", "recorded_before", "about_after", "about_before", "as_of")
          for value in ("yesterday", "5", "2026-02-30", "2026-07-12T09:30:00", "2026-07-12T25:00:00Z", "2026-7-1")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["facts/", "memories/"])
def test_a_filter_of_the_wrong_type_is_a_400_that_names_it(door: Door, path: str, field: str, value: object) -> None:
    refused = door.get(path, **{field: value})
    assert (refused.code, refused.fields) == (400, {field})


def test_a_plain_date_is_a_day_in_the_products_zone(door: Door, lighthouse: Product) -> None:
    Product.objects.filter(pk=lighthouse.pk).update(zone="Europe/Berlin")
    fact = door.save(LAMP, about="2026-07-12")["fact"]
    assert fact["about"] == {"from": "2026-07-11T22:00:00Z", "until": "2026-07-12T21:59:59.999999Z"}
    winter = door.save(PUMP, about={"from": "2026-01-12", "until": "2026-07-12"})["fact"]
    assert winter["about"] == {"from": "2026-01-11T23:00:00Z", "until": "2026-07-12T21:59:59.999999Z"}


def test_a_plain_date_is_a_day_of_utc_where_no_zone_is_set(door: Door) -> None:
    fact = door.save(LAMP, about="2026-07-12")["fact"]
    assert fact["about"] == {"from": "2026-07-12T00:00:00Z", "until": "2026-07-12T23:59:59.999999Z"}


def test_times_come_back_in_utc_whatever_offset_they_came_with(door: Door) -> None:
    about = {"from": "2026-07-12T01:30:00+05:30", "until": "2026-07-12T01:30:00.123456-03:00"}
    assert door.save(LAMP, about=about)["fact"]["about"] == {
        "from": "2026-07-11T20:00:00Z",
        "until": "2026-07-12T04:30:00.123456Z",
    }


def test_a_source_by_name_is_one_that_any_evidence_names(door: Door, lighthouse: Product, a1: Actor) -> None:
    fact = door.fact(MANUAL)
    source = replace(factories.source(lighthouse), name="wiki")
    factories.add(source, MANUAL, provenance=Provenance(source_id=UUID(int=8), source_name="wiki"))
    assert [each["id"] for each in door.page(source="wiki")] == [fact]
