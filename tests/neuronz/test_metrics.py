"""`/metrics`: what was counted and how things stand, for those who run the server alone."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memories.actors import Actor
from memories.choices import VerdictGiven
from memories.models import Product
from memories.services import claims, recall, resolving
from neuronz import metrics
from sources.choices import SourceType
from sources.models import Source
from tests import factories
from tests.api.door import Door

pytestmark = pytest.mark.django_db


def scrape(**headers: str) -> str:
    response = Client().get("/metrics", headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def value(text: str, sample: str) -> float:
    """Of one sample, as `name{labels}`; 0 where it never happened."""
    found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_requests_steps_and_batches_are_counted(a1_key: str) -> None:
    before = scrape()
    door = Door(a1_key)
    door.save("The Harbor gateway listens on port 8443.")
    door.found("gateway port")
    door.get("facts/00000000-0000-0000-0000-000000000042/")
    after = scrape()
    for sample, more in (
        ('neuronz_http_requests_total{method="POST",route="api/v1/facts/",status="201"}', 1),
        ('neuronz_http_requests_total{method="GET",route="api/v1/facts/<str:id_>/",status="404"}', 1),
        ('neuronz_step_seconds_count{flow="fact",step="store"}', 1),
        ('neuronz_step_seconds_count{flow="search",step="words"}', 1),
        ('neuronz_statements_total{outcome="added"}', 1),
    ):
        assert (sample, value(after, sample) - value(before, sample)) == (sample, more)


def test_readings_are_counted_by_how_they_ended(a1: Actor) -> None:
    sample = 'neuronz_readings_total{state="done"}'
    before = value(scrape(), sample)
    factories.write(a1, "The ferry leaves at nine.")
    assert value(scrape(), sample) == before + 1


def test_what_waits_is_told(a1: Actor, lighthouse: Product) -> None:
    write = factories.write(a1, "The ferry leaves at nine.", wait=False)
    held = claims.claim(write.pk)
    assert held
    claims.fail(held, reason="broken")
    factories.write(a1, "The ferry has two decks.", wait=False)
    old, new = (factories.fact(a1, f"The gateway listens on port {port}.") for port in (1, 2))
    resolving.resolve(by=a1, newer_id=new.pk, older_id=old.pk, verdict=VerdictGiven.CONTRADICTS)
    due = timezone.now() - timedelta(seconds=90)
    Source.objects.create(product=lighthouse, type=SourceType.FOLDER, name="shelf", next_due_at=due)
    told = scrape()
    assert value(told, 'neuronz_writes{state="failed"}') == 1
    assert value(told, 'neuronz_writes{state="received"}') == 1
    assert value(told, 'neuronz_conflicts{state="open"}') == 1
    assert value(told, "neuronz_source_lag_seconds") >= 90
    assert value(told, 'neuronz_up{part="database"}') == 1
    assert value(told, 'neuronz_up{part="broker"}') == 1
    assert value(told, 'neuronz_queue_depth{queue="celery"}') == 0


def test_a_broker_that_is_away_is_a_zero_and_the_rest_is_told(a1: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_: object) -> dict[str, int]:
        raise ConnectionRefusedError

    monkeypatch.setattr(metrics, "queue_depths", away)
    told = scrape()
    assert value(told, 'neuronz_up{part="broker"}') == 0
    assert 'neuronz_writes{state="done"}' in told


def test_no_name_id_or_text_is_ever_a_label(a1: Actor, a1_key: str, lighthouse: Product) -> None:
    Door(a1_key).save("The safe word is marigold-77.")
    recall.search(by=a1, q="marigold-77")
    Client().get("/api/v1/marigold-77/")
    told = scrape()
    for secret in ("marigold", "lighthouse", "a1", str(lighthouse.pk), str(a1.agent_id)):
        assert f'"{secret}' not in told


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_through_a_proxy_nobody_looks_without_the_key(db: None, settings: Settings, header: str) -> None:
    refused = Client().get("/metrics", headers={header: "203.0.113.5"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
    settings.METRICS_KEY = "a long random key"
    wrong = Client().get("/metrics", headers={header: "203.0.113.5", "Authorization": "Bearer a"})
    right = Client().get("/metrics", headers={header: "203.0.113.5", "Authorization": "Bearer a long random key"})
    assert (wrong.status_code, right.status_code) == (403, 200)


@pytest.mark.parametrize(("address", "code"), [("127.0.0.1", 200), ("::1", 200), ("10.0.0.7", 403), ("", 403)])
def test_from_elsewhere_nobody_looks_without_the_key(db: None, address: str, code: int) -> None:
    assert Client(REMOTE_ADDR=address).get("/metrics").status_code == code


def test_an_agents_key_does_not_open_it(a1_key: str) -> None:
    headers = {"Authorization": f"Bearer {a1_key}", "X-Real-IP": "203.0.113.5"}
    assert Client().get("/metrics", headers=headers).status_code == 403
