"""One envelope for whatever goes wrong: a code for programs, a sentence for people, and never a trace of content."""

import json
import logging
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from memories import embeddings
from memories.choices import Permission
from memories.models import Agent, AgentKey, Memory, Product
from memories.services import keys
from neuronz import errors
from tests.api.door import Door
from tests.stubs import BrokenEmbedder

LAMP = "The lamp is lit."


@pytest.fixture
def door(a1_key: str) -> Door:
    return Door(a1_key)


@pytest.fixture
def reader_door(a1_key: str) -> Door:
    """A key of the same agent that may only read."""
    agent = Agent.objects.get(name="a1")
    return Door(keys.issue(agent=agent, permissions=(Permission.READ,))[1])


# --- who calls


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Bearer ", "Bearer nz_x", "Basic YTpi", "nz_000000000000_" + "A" * 43, "Bearer \x00",
     "Bearer nz_000000000000_" + "A" * 43, "Bearer ä", "Bearer " + "x" * 10_000],
)  # fmt: skip
def test_without_a_valid_key_every_call_is_a_401_that_says_what_to_send(door: Door, header: str | None) -> None:
    door.headers = {} if header is None else {"Authorization": header}
    answers = [door.get("facts/"), door.post("facts/", {"content": LAMP}), door.get("writes/x/"), door.post("search/")]
    assert {each.code for each in answers} == {401}
    assert all(each.body == answers[0].body for each in answers)
    assert answers[0].headers["WWW-Authenticate"] == 'Bearer realm="neuronz"'
    assert "Authorization: Bearer" in answers[0]["error"]["message"]
    assert Memory.objects.count() == 0


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_may_be_written_in_any_case(door: Door, a1_key: str, scheme: str) -> None:
    door.headers = {"Authorization": f"{scheme} {a1_key}"}
    assert door.get("whoami/").code == 200


def test_a_revoked_key_and_an_expired_one_are_refused_at_once(door: Door) -> None:
    key = AgentKey.objects.get()
    AgentKey.objects.update(expires_at=timezone.now() + timedelta(minutes=1))
    assert door.get("whoami/").code == 200
    AgentKey.objects.update(expires_at=timezone.now())
    assert door.get("whoami/").code == 401
    AgentKey.objects.update(expires_at=None)
    keys.revoke(key=key)
    assert door.get("whoami/").code == 401


def test_the_secret_of_one_key_is_of_no_use_with_the_prefix_of_another(door: Door, a1_key: str, a2_key: str) -> None:
    mixed = Door(a1_key[:15] + a2_key[15:])
    assert mixed.get("whoami/").code == 401


def test_a_key_that_may_only_read_writes_nothing(door: Door, reader_door: Door) -> None:
    fact = door.fact(LAMP)
    refused = [
        reader_door.post("facts/", {"content": "x"}), reader_door.post("memories/", {"text": "x"}),
        reader_door.post("memories/batch/", {"items": [{"text": "x"}]}), reader_door.delete(f"facts/{fact}/"),
        reader_door.patch(f"facts/{fact}/", {"content": "x"}), reader_door.post(f"facts/{fact}/restore/"),
        reader_door.post(f"facts/{fact}/resolve/", {"other": fact, "verdict": "duplicate"}),
    ]  # fmt: skip
    assert {(each.code, each["error"]["code"]) for each in refused} == {(403, "forbidden")}
    assert (Memory.objects.count(), door.status(fact)) == (1, "verified")


def test_a_key_that_may_only_read_reads_and_searches_either_way(door: Door, reader_door: Door) -> None:
    fact = door.fact(LAMP)
    assert reader_door.status(fact) == "verified"
    assert reader_door.listed() == reader_door.found("lamp") == [LAMP]
    assert reader_door.post("search/", {"q": "lamp"}).code == 200
    assert reader_door.get("whoami/")["permissions"] == ["read"]


# --- what is not there, and what is not done


@pytest.mark.parametrize("path", ["", "nope/", "facts/a/b/c/", "facts//", "memories/x/resolve/", "facts", "../admin"])
def test_an_unknown_address_is_a_404_in_json(door: Door, path: str) -> None:
    response = Client(headers=door.headers).get(f"/api/v1/{path}", follow=False)
    if path == "facts":
        assert (response.status_code, response.headers["Location"]) == (301, "/api/v1/facts/")
    else:
        assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


def test_a_page_that_is_not_there_is_no_json(db: None) -> None:
    response = Client().get("/nope/")
    assert (response.status_code, response.headers["Content-Type"].partition(";")[0]) == (404, "text/html")


@pytest.mark.parametrize(("method", "path"), [("PUT", "facts/"), ("DELETE", "facts/"), ("POST", "whoami/")])
def test_a_method_that_is_not_offered_is_a_405(door: Door, method: str, path: str) -> None:
    refused = door.send(method, path)
    assert (refused.code, refused["error"]["code"]) == (405, "method_not_allowed")


@pytest.mark.parametrize("type_", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x", ""])
def test_a_body_that_is_no_json_is_a_415(door: Door, type_: str) -> None:
    response = Client(headers=door.headers).generic("POST", "/api/v1/facts/", b'{"content": "x"}', content_type=type_)
    assert (response.status_code, Memory.objects.count()) == (415, 0) if type_ else response.status_code < 500
    assert response.status_code == 415 or not type_


def test_an_answer_in_another_format_is_a_406(door: Door) -> None:
    response = Client(headers={**door.headers, "Accept": "application/xml"}).get("/api/v1/whoami/")
    assert (response.status_code, response.json()["error"]["code"]) == (406, "not_acceptable")


def test_options_and_head_are_harmless(door: Door) -> None:
    client = Client(headers=door.headers)
    assert client.options("/api/v1/facts/").status_code == 200
    assert client.head("/api/v1/facts/").status_code == 200


# --- what nobody foresaw


class Exploding(BrokenEmbedder):
    def embed(self, texts: object) -> list[embeddings.Vector]:
        raise RuntimeError(f"out of order at {texts}")


def test_what_nobody_foresaw_is_a_500_in_the_same_envelope_without_content(
    door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(headers=door.headers, raise_request_exception=False)
    with embeddings.override(Exploding()), caplog.at_level(logging.ERROR):
        response = client.post("/api/v1/facts/", json.dumps({"content": LAMP}), content_type="application/json")
    assert (response.status_code, response.json()["error"]["code"]) == (500, "error")
    assert LAMP not in response.content.decode()
    assert "Traceback" not in response.content.decode()
    assert Memory.objects.count() == 0


def test_a_conflict_carries_the_row_as_it_is_now(door: Door) -> None:
    fact = door.fact(LAMP)
    door.delete(f"facts/{fact}/")
    refused = door.patch(f"facts/{fact}/", {"content": "The lamp is off."})
    assert (refused.code, refused["error"]["current"]) == (409, door.memory(fact))


def test_several_bad_fields_are_all_named_at_once(door: Door) -> None:
    refused = door.post("facts/", {"tier": "boss", "tags": 5, "wizard": 1})
    assert refused.fields == {"wizard"}
    refused = door.post("facts/", {"tier": "boss", "tags": 5})
    assert refused.fields == {"content", "tier", "tags"}
    assert all(name in refused["error"]["message"] for name in refused.fields)


def test_names_and_values_that_no_answer_can_carry_come_back_readable(door: Door) -> None:
    refused = door.post("facts/", {"content": LAMP, "wiz\ud800": 1, "tier": "\udfff"})
    assert (refused.code, len(refused.fields)) == (400, 1)
    refused = door.post("facts/", {"content": LAMP, "tier": "\udfff\0"})
    assert refused.fields == {"tier"}


def test_a_product_is_never_named_by_the_body(door: Door, orchard: Product) -> None:
    for name in ("product", "product_id", "agent", "agent_id", "owner"):
        assert door.post("facts/", {"content": LAMP, name: str(orchard.pk)}).fields == {name}


def test_a_host_name_that_is_not_ours_is_refused_in_the_same_envelope(door: Door) -> None:
    response = Client(headers=door.headers).get("/api/v1/whoami/", headers={"Host": "evil.example"})
    assert (response.status_code, response.json()["error"]["code"]) == (400, "invalid")
    assert "NEURONZ_ALLOWED_HOSTS" in response.json()["error"]["message"]
    assert Client().get("/admin/", headers={"Host": "evil.example"}).status_code == 400


# --- the database is away


def test_a_database_that_is_away_is_no_fault_of_ours_and_worth_another_try() -> None:
    answered = errors.answer(OperationalError("terminating connection"), {})
    assert answered is not None
    assert (answered.status_code, answered.data["error"]["code"], answered["Retry-After"]) == (503, "unavailable", "1")
    assert "terminating" not in answered.data["error"]["message"]
