"""Patterns and intentions: what was planted is found, what only looks like it is not, and nothing is written twice."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memories.actors import Actor
from memories.choices import Kind, Origin, Scope, Status
from memories.models import Conclusion, Evidence, Memory, Product
from memories.provenance import Provenance
from memories.services import editing
from tests import factories
from tests.cognition.conftest import Think

pytestmark = pytest.mark.django_db(transaction=True)
BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)  # a Monday
SERVICES = ("alder-api", "birch-api", "cedar-api", "dogwood-api", "elm-api", "fir-api", "gorse-api")


def said(by: Actor, text: str, day: int = 0, **more: Any) -> Memory:
    """A fact that was said on a certain day."""
    return factories.fact(by, text, provenance=Provenance(said_at=BEGIN + timedelta(days=day)), **more)


def learned(product: Product, kind: Kind) -> list[str]:
    rows = Memory.objects.filter(product=product, kind=kind, origin=Origin.COGNITION).current()
    return sorted(rows.values_list("content", flat=True))


def rests_on(content: str, *, counters: bool = False) -> set[str]:
    rows = Evidence.objects.filter(memory__content=content, rests_on__isnull=False, counters=counters)
    return set(rows.values_list("rests_on__content", flat=True))


def events(by: Actor, what: str, days: list[int]) -> None:
    for number, day in enumerate(days):
        when = BEGIN + timedelta(days=day)
        factories.fact(by, what.format(number=number, day=f"{when.day} {when:%B %Y}"), about=(when, when))


# --- schemas


def test_what_most_of_a_sort_do_is_a_pattern_that_names_its_exceptions(
    think: Think, lighthouse: Product, a1: Actor
) -> None:
    for name in SERVICES:
        said(a1, f"{name} logs to Loki.")
    said(a1, "holly-api logs to files.")
    think("schemas")
    expected = "Services log to Loki: 7 of 8, not holly-api."
    assert learned(lighthouse, Kind.SCHEMA) == [expected]
    assert rests_on(expected) == {f"{name} logs to Loki." for name in SERVICES}
    assert rests_on(expected, counters=True) == {"holly-api logs to files."}
    conclusion = Conclusion.objects.get(step="schemas")
    assert (conclusion.support, conclusion.against) == (7, 1)
    memory = conclusion.memory
    assert (memory.status, memory.scope, memory.origin) == (Status.UNVERIFIED, Scope.SHARED, Origin.COGNITION)


def test_things_of_a_sort_are_known_by_the_word_before_their_name(think: Think, lighthouse: Product, a1: Actor) -> None:
    for number in (3, 4, 7, 9):
        said(a1, f"Valve V-160{number} must be inspected by two people.")
    think("schemas")
    assert learned(lighthouse, Kind.SCHEMA) == ["Valves must be inspected by two people: 4 of 4."]


def test_what_happens_on_the_same_weekday_is_a_habit(think: Think, lighthouse: Product, a1: Actor) -> None:
    events(a1, "Release 4.{number} was cut on {day}.", [1, 8, 22, 29, 43, 59])  # all Tuesdays but the last
    think("schemas")
    assert learned(lighthouse, Kind.SCHEMA) == ["Release … was cut: on a Tuesday, 5 of 6 times in 2026."]


def test_coincidences_are_no_patterns(think: Think, lighthouse: Product, a1: Actor) -> None:
    said(a1, "alder-api logs to Loki.")
    said(a1, "birch-api logs to Loki.")  # two only
    for name, value in zip(SERVICES, ("Go", "Rust", "Go", "Java", "Go", "Rust", "Kotlin"), strict=True):
        said(a1, f"{name} is written in {value}.")  # three of seven
    for _ in range(3):
        said(a1, "cedar-api runs on Debian.")  # one thing, said again and again
    said(a1, "cedar-api runs on Debian in both halls.")
    said(a1, "cedar-api runs on Debian as before.")
    events(a1, "Audit {number} was held on {day}.", [0, 8, 16, 24, 33])  # any day of the week
    events(a1, "Drill {number} was held on {day}.", [1, 2])
    think("schemas")
    assert learned(lighthouse, Kind.SCHEMA) == []


def test_private_facts_support_no_pattern(think: Think, lighthouse: Product, a1: Actor) -> None:
    for name in SERVICES[:2]:
        said(a1, f"{name} logs to Loki.")
    for name in SERVICES[2:]:
        said(a1, f"{name} logs to Loki.", scope=Scope.PRIVATE)
    think("schemas", "intentions")
    assert learned(lighthouse, Kind.SCHEMA) == []


def test_a_pattern_is_weakened_replaced_and_withdrawn_with_its_facts(
    think: Think, lighthouse: Product, a1: Actor, curator: Actor
) -> None:
    facts = [said(a1, f"{name} logs to Loki.") for name in SERVICES[:4]]
    think("schemas")
    assert learned(lighthouse, Kind.SCHEMA) == ["Services log to Loki: 4 of 4."]
    said(a1, "holly-api logs to files.")
    think("schemas")
    assert learned(lighthouse, Kind.SCHEMA) == ["Services log to Loki: 4 of 5, not holly-api."]
    older = Memory.objects.get(content="Services log to Loki: 4 of 4.")
    assert (older.status, older.replaced_by and older.replaced_by.kind) == (Status.SUPERSEDED, Kind.SCHEMA)
    for fact in facts[:2]:
        editing.retire(by=curator, memory_id=fact.pk)
    think("schemas")
    assert learned(lighthouse, Kind.SCHEMA) == []


# --- intentions


def test_what_is_demanded_again_and_again_is_an_intention(
    think: Think, lighthouse: Product, a1: Actor, a2: Actor
) -> None:
    said(a1, "Before a release, update the changelog.", 0)
    said(a2, "The changelog must be updated before every release.", 3)
    said(a1, "We should always update the changelog before a release.", 9)
    said(a1, "Remember to update the changelog before each release.", 20)
    think("intentions")
    expected = "Before a release, update the changelog: stated 4 times by 2 authors."
    assert learned(lighthouse, Kind.INTENTION) == [expected]
    assert len(rests_on(expected)) == 4


def test_remarks_repeats_and_disputed_aims_are_no_intentions(
    think: Think, lighthouse: Product, a1: Actor, a2: Actor
) -> None:
    said(a1, "We must rotate the signing keys every quarter.")  # one remark
    for day in range(5):
        said(a1, "Always run the smoke tests after a deploy.", day)  # one text, repeated
    said(a1, "Never deploy the harbour app on Fridays.", 0)
    said(a2, "We must not deploy the harbour app on a Friday.", 2)
    said(a1, "Don't deploy the harbour app on Fridays please.", 4)
    said(a2, "We should deploy the harbour app on Fridays.", 6)  # and the contrary
    said(a1, "Should we archive the old invoices?", 1)
    said(a2, "Must we archive the old invoices now?", 2)
    factories.write(a1, "We must call the pilot. The pilot must be called. Remember to call the pilot.")  # one sitting
    think("intentions")
    assert learned(lighthouse, Kind.INTENTION) == []


def test_somebodys_own_plan_is_told_with_their_name(think: Think, lighthouse: Product, a1: Actor, a2: Actor) -> None:
    said(a1, "Ana plans to adopt a dog.", 0)
    said(a2, "Ana wants to adopt a dog.", 9)
    said(a1, "Ana is going to adopt a small dog.", 30)
    said(a1, "Bo wants to adopt a dog.", 31)
    think("intentions")
    (found,) = learned(lighthouse, Kind.INTENTION)
    assert found.startswith("Ana ")
    assert found.endswith(" adopt a dog: stated 3 times by 2 authors.")


# --- again


def test_a_second_run_writes_nothing(think: Think, lighthouse: Product, a1: Actor, a2: Actor) -> None:
    for name in SERVICES:
        said(a1, f"{name} logs to Loki.")
    said(a1, "Before a release, update the changelog.", 0)
    said(a2, "We must update the changelog before a release.", 1)
    said(a1, "Remember to update the changelog before each release.", 2)
    first = think("schemas", "intentions")
    assert [row.written for row in first.values()] == [1, 1]
    before = Memory.objects.count()
    second = think("schemas", "intentions")
    assert [row.written for row in second.values()] == [0, 0]
    assert Memory.objects.count() == before


def test_what_a_person_took_out_is_not_said_again(think: Think, lighthouse: Product, a1: Actor, curator: Actor) -> None:
    for name in SERVICES:
        said(a1, f"{name} logs to Loki.")
    think("schemas")
    editing.retire(by=curator, memory_id=Conclusion.objects.get(step="schemas").memory_id)
    said(a1, "The harbour opens at six.")
    think("schemas")
    assert learned(lighthouse, Kind.SCHEMA) == []
