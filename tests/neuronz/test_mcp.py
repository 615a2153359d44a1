"""The tools as a model meets them: what is published, what they understand and answer."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it brings no types
from mcp_types import Tool

from memories.actors import Actor
from memories.choices import Tier
from neuronz.mcp.instructions import INSTRUCTIONS
from tests import factories
from tests.neuronz.mcp_clients import ERAS, answer, call, in_process, text

pytestmark = pytest.mark.django_db

#: What clients keep of the instructions and of each description.
MOST_TEXT = 2048
TOOLS = [
    "fact_add", "fact_resolve", "fact_search", "fact_get", "fact_list", "fact_update", "fact_delete", "memory_add",
    "memory_search", "graph_search", "recall", "auto_recall", "rule_propose", "rule_list", "list_conflicts",
    "resolve_conflict",
]  # fmt: skip
#: What the whole list may weigh: every client fetches it, and some put it before their model.
MOST_BYTES = 42_000


@pytest.fixture
def published(a1_key: str) -> dict[str, Tool]:
    return {each.name: each for each in in_process(a1_key, lambda client: client.list_tools()).tools}


class TestWhatIsPublished:
    @pytest.mark.parametrize("era", ERAS)
    def test_every_tool_in_both_eras(self, a1_key: str, era: str) -> None:
        listed = in_process(a1_key, lambda client: client.list_tools(), era)

        assert [each.name for each in listed.tools] == TOOLS

    @pytest.mark.parametrize("era", ERAS)
    def test_the_instructions_in_both_eras(self, a1_key: str, era: str) -> None:
        async def instructions(client: Any) -> str:
            return str(client.instructions)

        assert in_process(a1_key, instructions, era) == INSTRUCTIONS

    def test_texts_are_short_enough_for_clients_that_cut_them(self, published: dict[str, Tool]) -> None:
        texts = [INSTRUCTIONS, *(tool.description or "" for tool in published.values())]

        assert all(0 < len(each.encode()) <= MOST_TEXT for each in texts)

    def test_the_whole_list_is_short(self, published: dict[str, Tool]) -> None:
        written = [each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in published.values()]

        assert len(json.dumps(written, separators=(",", ":"), ensure_ascii=False).encode()) <= MOST_BYTES

    def test_a_memory_has_the_same_fields_wherever_it_is_given(self, published: dict[str, Tool]) -> None:
        fields = set((published["fact_get"].output_schema or {})["properties"])
        given = published["fact_add"].output_schema or {}

        assert given["properties"]["fact"] == {"$ref": "#/$defs/fact"}
        assert given["properties"]["similar"]["items"]["properties"]["memory"] == {"$ref": "#/$defs/fact"}
        assert set(given["$defs"]["fact"]["properties"]) == fields
        listed = (published["fact_list"].output_schema or {})["properties"]["results"]["items"]
        assert set(listed["properties"]) == fields

    def test_schemas_are_valid_and_closed(self, published: dict[str, Tool]) -> None:
        for each in published.values():
            Draft202012Validator.check_schema(each.input_schema)
            Draft202012Validator.check_schema(each.output_schema or {})
            assert each.input_schema["additionalProperties"] is False
            assert (each.output_schema or {})["type"] == "object"

    def test_arguments_are_those_of_the_contract(self, published: dict[str, Tool]) -> None:
        def arguments(name: str) -> set[str]:
            return set(published[name].input_schema["properties"])

        label = {"confirmed", "tier", "scope", "tags", "metadata", "about"}
        assert arguments("fact_add") == {"content", "category", "person"} | label
        assert arguments("fact_resolve") == {"fact", "other", "verdict", "tier", "why"}
        assert arguments("list_conflicts") >= {"state", "persona"}
        assert arguments("resolve_conflict") == {"conflict", "answer", "correction", "until", "tier", "why"}
        assert arguments("fact_search") == {"query", "limit", "scope", "kind", "category", "tag", "as_of"}
        assert arguments("fact_get") == {"id"}
        assert arguments("fact_update") == {"id", "content", "confirmed", "tier", "why"}
        assert arguments("fact_delete") == {"id", "tier", "why"}
        assert arguments("memory_add") == {"text", "wait"} | label
        assert arguments("memory_search") >= {"q", "limit", "raw", "explain", "scope", "tag", "as_of"}
        assert arguments("fact_list") >= {"status", "tag", "tag_mode", "agent", "source", "history", "limit", "cursor"}

    def test_arguments_have_types_limits_choices_and_defaults(self, published: dict[str, Tool]) -> None:
        added = published["fact_add"].input_schema
        assert added["required"] == ["content"]
        assert added["properties"]["tier"] == {
            "type": "string", "enum": ["policy", "official", "team", "informal"], "default": "official",
        }  # fmt: skip
        assert added["properties"]["tags"] == {
            "type": "array", "items": {"type": "string", "maxLength": 64}, "maxItems": 32,
        }  # fmt: skip
        assert added["properties"]["confirmed"]["default"] is False
        assert added["properties"]["metadata"] == {"type": "object"}
        limit = published["fact_search"].input_schema["properties"]["limit"]
        assert limit == {"type": "integer", "minimum": 1, "maximum": 100, "default": 10}

    def test_hints_say_what_reads_and_what_takes_away(self, published: dict[str, Tool]) -> None:
        hints = {name: tool.annotations for name, tool in published.items()}

        assert all(hint and hint.open_world_hint is False for hint in hints.values())
        reads = {name for name, hint in hints.items() if hint and hint.read_only_hint}
        assert reads >= {"fact_search", "fact_get", "fact_list", "memory_search", "list_conflicts"}
        assert not reads & {"fact_add", "fact_resolve", "fact_update", "fact_delete", "memory_add", "resolve_conflict"}
        assert {name for name, hint in hints.items() if hint and hint.destructive_hint} == {"fact_delete"}
        assert {name for name, hint in hints.items() if hint and hint.idempotent_hint} >= {*reads, "fact_delete"}


@pytest.mark.parametrize("era", ERAS)
class TestWhatToolsAnswer:
    def test_a_fact_is_saved_found_and_read(self, a1_key: str, era: str) -> None:
        added = answer(a1_key, "fact_add", era, content="The harbor gateway listens on port 8443.", confirmed=True)
        found = answer(a1_key, "fact_search", era, query="harbor gateway port")
        got = answer(a1_key, "fact_get", era, id=added["fact"]["id"])

        assert added["outcome"] == "added"
        assert [hit["memory"] for hit in found["results"]] == [got] == [added["fact"]]
        assert got["status"] == "verified"

    def test_a_repeat_is_known_and_a_near_one_is_listed(self, a1_key: str, era: str) -> None:
        first = answer(a1_key, "fact_add", era, content="The harbor gateway listens on port 8443.")["fact"]
        again = answer(a1_key, "fact_add", era, content="the harbor gateway  listens on port 8443.")
        near = answer(a1_key, "fact_add", era, content="The harbor gateway listens on port 9443.")

        assert (again["outcome"], again["fact"]["id"]) == ("known", first["id"])
        (similar,) = near["similar"]
        assert similar["memory"]["id"] == first["id"]
        assert {"what": "number", "this": "9443", "other": "8443"} in similar["differs"]

    def test_facts_are_listed_in_short_pages(self, a1_key: str, a1: Actor, era: str) -> None:
        for number in range(12):
            factories.add(a1, f"Pump {number} runs at night.")

        first = answer(a1_key, "fact_list", era)
        rest = answer(a1_key, "fact_list", era, cursor=first["next"])

        assert (len(first["results"]), len(rest["results"])) == (10, 2)
        assert first["results"][0]["content"] == "Pump 11 runs at night."
        assert "next" not in rest

    def test_a_fact_is_reworded_confirmed_and_retired(self, a1_key: str, a1: Actor, era: str) -> None:
        fact = factories.fact(a1, "The ferry leaves at nine.", confirmed=False)
        edited = answer(a1_key, "fact_update", era, id=str(fact.pk), content="The ferry leaves at ten.", why="typo")
        confirmed = answer(a1_key, "fact_update", era, id=edited["fact"]["id"], confirmed=True)
        retired = answer(a1_key, "fact_delete", era, id=edited["fact"]["id"], why="no ferry")
        again = answer(a1_key, "fact_delete", era, id=edited["fact"]["id"])

        assert (edited["outcome"], edited["fact"]["replaces"]) == ("edited", [str(fact.pk)])
        assert (confirmed["outcome"], confirmed["fact"]["status"]) == ("confirmed", "verified")
        assert (retired["outcome"], retired["fact"]["status"]) == ("retired", "retired")
        assert again == retired

    def test_a_text_is_kept_and_read(self, a1_key: str, era: str) -> None:
        receipt = answer(a1_key, "memory_add", era, text="The ferry leaves at nine. The ferry has two decks.")
        words = answer(a1_key, "memory_search", era, q="ferry", raw="only", explain=True)

        assert receipt["state"] == "done"
        assert [each["memory"]["content"] for each in receipt["statements"]] == [
            "The ferry leaves at nine.", "The ferry has two decks.",
        ]  # fmt: skip
        (hit,) = words["results"]
        assert (hit["memory"]["id"], hit["memory"]["kind"]) == (receipt["raw"], "Raw")
        assert hit["why"]["words"] > 0

    def test_a_text_can_wait_for_a_worker(self, a1_key: str, read_queued: Callable[[], int], era: str) -> None:
        receipt = answer(a1_key, "memory_add", era, text="The ferry leaves at nine.", wait=False)

        assert (receipt["state"], receipt["statements"]) == ("received", [])
        assert read_queued() == 1
        assert answer(a1_key, "fact_search", era, query="ferry")["results"]

    def test_a_contradiction_is_opened_listed_and_settled(self, a1_key: str, a1: Actor, era: str) -> None:
        older, newer = (factories.fact(a1, f"The ferry leaves at {hour}.") for hour in ("nine", "ten"))

        sides = {"fact": str(newer.pk), "other": str(older.pk)}
        disputed = answer(a1_key, "fact_resolve", era, **sides, verdict="contradicts", why="two timetables")
        (pair,) = answer(a1_key, "list_conflicts", era)["results"]
        settled = answer(a1_key, "resolve_conflict", era, conflict=pair["id"], answer="newer")

        assert (disputed["outcome"], disputed["conflict"]) == ("disputed", pair["id"])
        assert (pair["older"]["id"], pair["newer"]["id"]) == (str(older.pk), str(newer.pk))
        assert (settled["outcome"], settled["winner"], settled["retired"]) == (
            "settled",
            str(newer.pk),
            [str(older.pk)],
        )
        assert answer(a1_key, "list_conflicts", era)["results"] == []

    def test_a_refusal_by_authority_is_an_answer(self, a1_key: str, a1: Actor, era: str) -> None:
        policy = factories.fact(a1, "Backups are kept for ninety days.", tier=Tier.POLICY)

        reworded = answer(a1_key, "fact_update", era, id=str(policy.pk), content="Backups are kept for ten days.")
        retired = answer(a1_key, "fact_delete", era, id=str(policy.pk))

        assert reworded["outcome"] == retired["outcome"] == "refused"
        assert retired["fact"]["current"] is True
        assert reworded["fact"]["status"] == "conflicting"
        assert reworded["fact"]["conflicts"] == [reworded["conflict"]]


class TestHowAnswersLook:
    def test_nulls_are_left_out_but_not_from_metadata(self, a1_key: str) -> None:
        fact = answer(a1_key, "fact_add", content="The lamp is lit.", metadata={"a": None, "b": [None, {}]})["fact"]

        assert fact["metadata"] == {"a": None, "b": [None, {}]}
        assert not [name for name, value in fact.items() if value is None]
        assert not {"source", "said", "raw", "person", "about"} & set(fact)

    def test_they_fit_their_published_schemas(self, a1_key: str, published: dict[str, Tool]) -> None:
        about = {"from": "2026-07-01", "until": "2026-07-31"}
        answers: list[tuple[str, dict[str, Any]]] = [
            ("fact_add", {"content": "Ana leads the port office.", "about": about, "tags": ["ops"], "person": "Ana"}),
            ("fact_add", {"content": "Ana led the port office."}),
            ("fact_list", {}),
            ("fact_search", {"query": "port office"}),
            ("memory_add", {"text": "Ana leads the port office. It opens at nine."}),
            ("memory_search", {"q": "Ana", "explain": True}),
            ("graph_search", {"query": "Ana"}),
            ("recall", {"prompt": "Who leads the port office?"}),
            ("rule_propose", {"text": "Never close the port office at noon.", "why": "Ana said so."}),
            ("rule_list", {}),
        ]
        for tool, arguments in answers:
            schema = published[tool].output_schema or {}
            Draft202012Validator(schema).validate(answer(a1_key, tool, **arguments))
            assert set(answer(a1_key, tool, **arguments)) <= set(schema["properties"])

    def test_they_hold_no_spaces_or_escapes(self, a1_key: str) -> None:
        found = call(a1_key, "fact_add", content="仓库钥匙放在前台抽屉里。")

        assert '"content":"仓库钥匙放在前台抽屉里。"' in text(found)


class TestWhatIsUnderstood:
    @pytest.mark.parametrize("tags", [["ops"], '["ops"]', "ops"])
    def test_lists_as_lists_as_json_and_as_one_word(self, a1_key: str, tags: object) -> None:
        assert answer(a1_key, "fact_add", content="The lamp is lit.", tags=tags)["fact"]["tags"] == ["ops"]

    @pytest.mark.parametrize("metadata", [{"a": 1}, '{"a": 1}'])
    def test_objects_as_objects_and_as_json(self, a1_key: str, metadata: object) -> None:
        fact = answer(a1_key, "fact_add", content="The lamp is lit.", metadata=metadata)["fact"]

        assert fact["metadata"] == {"a": 1}

    @pytest.mark.parametrize(
        "about",
        [{"from": "2026-07-12", "until": "2026-07-12"}, '{"from":"2026-07-12","until":"2026-07-12"}', "2026-07-12"],
    )
    def test_times_as_objects_as_json_and_as_a_day(self, a1_key: str, about: object) -> None:
        fact = answer(a1_key, "fact_add", content="The site was inspected.", about=about)["fact"]

        assert fact["about"] == {"from": "2026-07-12T00:00:00Z", "until": "2026-07-12T23:59:59.999999Z"}

    def test_numbers_and_booleans_as_strings(self, a1_key: str, a1: Actor) -> None:
        factories.fact(a1, "Pump A runs at night.")
        factories.fact(a1, "Pump B runs at night.")

        assert len(answer(a1_key, "fact_search", query="pump", limit="1")["results"]) == 1
        assert answer(a1_key, "fact_add", content="It rains.", confirmed="true")["fact"]["status"] == "verified"

    def test_null_is_the_same_as_left_out(self, a1_key: str) -> None:
        fact = answer(a1_key, "fact_add", content="It rains.", tier=None, tags=None, about=None, category=None)["fact"]

        assert (fact["tier"], fact["tags"]) == ("official", [])

    def test_a_list_of_filters_may_be_one_word_or_json(self, a1_key: str, a1: Actor) -> None:
        factories.fact(a1, "Pump A runs at night.", tags=("ops",))
        factories.fact(a1, "Pump B runs at night.", tags=("o",))

        for tag in ("ops", ["ops"], '["ops", "net"]'):
            found = answer(a1_key, "fact_list", tag=tag)["results"]
            assert [each["content"] for each in found] == ["Pump A runs at night."]

    def test_each_search_knows_the_others_name_for_the_query(self, a1_key: str, a1: Actor) -> None:
        factories.fact(a1, "Pump A runs at night.")

        assert answer(a1_key, "fact_search", q="pump")["results"]
        assert answer(a1_key, "memory_search", query="pump")["results"]
