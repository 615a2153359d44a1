"""How a person reads: times in their own zone."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from memories.actors import Actor
from memories.models import Preference
from tests import desk, factories


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def test_times_are_shown_in_the_persons_zone_and_in_nobody_elses(ada: Client, a1: Actor, manager: Actor) -> None:
    noon = datetime(2026, 7, 12, 23, 30, tzinfo=UTC)
    fact = factories.fact(a1, "The lamp is lit.", about=(noon, noon))
    assert "12 Jul 2026" in ada.get(desk.page_of("fact", fact)).content.decode()
    answer = ada.post(reverse("preferences"), {"zone": "Europe/Berlin"}, follow=True)
    assert desk.said(answer) == ["Saved. Times are shown in your zone from now on."]
    page = ada.get(desk.page_of("fact", fact)).content.decode()
    assert "13 Jul 2026" in page
    assert "13 Jul 2026" not in desk.at_desk(manager).get(desk.page_of("fact", fact)).content.decode()


def test_the_days_of_a_filter_are_the_persons(ada: Client, a1: Actor) -> None:
    late = datetime(2026, 7, 12, 23, 30, tzinfo=UTC)
    factories.fact(a1, "The lamp is lit.", about=(late, late))
    ada.post(reverse("preferences"), {"zone": "Asia/Tokyo"})
    asked = {"about_from_from": "2026-07-13", "about_from_to": "2026-07-13"}
    assert len(ada.get(desk.list_of("fact"), asked).context["cl"].result_list) == 1


def test_a_zone_that_is_none_is_refused_with_a_sentence(ada: Client) -> None:
    page = ada.post(reverse("preferences"), {"zone": "Atlantis/Harbour"}).content.decode()
    assert "is no time zone; use a name such as UTC or Europe/Berlin." in page
    assert not Preference.objects.exists()


def test_whoever_is_not_logged_in_has_no_preferences() -> None:
    assert Client().get(reverse("preferences")).status_code == 302
