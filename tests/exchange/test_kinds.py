"""What each kind of file says, line by line."""

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memories import limits
from memories.choices import Category, Scope
from sources.kinds import KINDS, Bad, Candidate, File
from tests.exchange import samples


def read(kind: str, text: str, *, key: str = "a", siblings: tuple[str, ...] = ()) -> tuple[list[Candidate], list[Bad]]:
    found = list(KINDS[kind](File(key, text, ZoneInfo("Europe/Oslo"), frozenset(siblings))))
    return [each for each in found if isinstance(each, Candidate)], [each for each in found if isinstance(each, Bad)]


class TestMem0:
    def test_memories_come_with_their_user_tags_times_and_metadata(self) -> None:
        (first, second), bad = read("mem0", json.dumps(samples.MEM0, indent=1))

        assert first.content == "Ada works at Harbor Logistics as an engineer"
        assert (first.name, first.person, first.tags) == ("m-1", "ada", ("work", "professional_details"))
        assert first.said_at == datetime(2026, 3, 1, 17, 15, 0, 123456, tzinfo=UTC)
        assert first.metadata["type"] == "professional"
        assert first.metadata["mem0"]["user_id"] == "ada"
        assert second.content == "Prefers morning meetings"
        assert [each.reason.split(":")[0] for each in bad] == [
            "it has no text under any of", "it is no object with a memory",
        ]  # fmt: skip

    def test_lines_are_those_of_the_file(self) -> None:
        text = json.dumps(samples.MEM0, indent=1)
        (first, second), bad = read("mem0", text)
        lines = text.split("\n")
        for line in (first.line, second.line, *(each.line for each in bad)):
            assert lines[line - 1].strip() in ("{", '"no object"')
        assert bad[-1].line == lines.index('  "no object"') + 1

    @pytest.mark.parametrize(
        "wrapped", ['[{"memory": "A."}]', '{"memories": [{"memory": "A."}]}', '{"memory": "A."}\n{"memory": "B."}']
    )
    def test_a_bare_list_another_name_and_one_a_line_are_read_too(self, wrapped: str) -> None:
        assert read("mem0", wrapped)[0][0].content == "A."

    def test_what_stands_before_a_break_is_read(self) -> None:
        found, bad = read("mem0", '[{"memory": "A."},\n{"memory": ')
        assert [each.content for each in found] == ["A."]
        assert bad[0].line == 2
        assert "broken" in bad[0].reason

    @pytest.mark.parametrize("text", ["", "{}", "7", '{"professional_profile": {"full_name": "Ada"}}', "[" * 100_000])
    def test_another_shape_is_refused_with_what_would_have_worked(self, text: str) -> None:
        found, bad = read("mem0", text)
        assert not found
        assert len(bad) == 1


class TestMcpMemory:
    def test_entities_observations_and_relations_become_sentences(self) -> None:
        found, bad = read("mcp-memory", samples.MCP_MEMORY)
        assert [(each.line, each.content) for each in found] == [
            (1, "Ada Lind is a person."),
            (1, "Ada Lind: Works from Oslo"),
            (1, "Ada Lind likes tea"),
            (2, "Harbor is an organization."),
            (4, "Ada Lind works at Harbor."),
        ]
        assert found[0].category == Category.ENTITY
        assert found[1].person == "Ada Lind"
        assert found[4].metadata == {"mcp_memory": {"from": "Ada_Lind", "to": "Harbor", "relation": "works_at"}}
        assert [each.line for each in bad] == [3, 5]

    def test_the_answer_of_read_graph_is_read_too(self) -> None:
        lines = [
            json.loads(line) for line in samples.MCP_MEMORY.split("\n") if line.endswith("}") and "dream" not in line
        ]
        graph = {
            "entities": [each for each in lines if each.pop("type") == "entity" or "from" not in each],
            "relations": [each for each in lines if "from" in each],
        }
        assert len(read("mcp-memory", json.dumps(graph))[0]) == 5


class TestMarkdown:
    def test_front_matter_becomes_tags_and_metadata(self) -> None:
        (found,), bad = read("markdown", samples.MEMORY_FILE)
        assert not bad
        assert found.is_text
        assert found.tags == ("release", "calendar", "project")
        assert found.metadata == {"name": "deploy-day", "description": "When we ship", "type": "project"}

    def test_lines_that_only_lead_to_another_file_are_not_read(self) -> None:
        siblings = ("notes/deploy.md", "notes/docs/style.md")
        (index,), _ = read("markdown", samples.MEMORY_INDEX, key="notes/MEMORY.md", siblings=siblings)
        assert "Deploy day" not in index.content
        assert "reset on Mondays" in index.content.split("\n")[3]
        (claude,), _ = read("markdown", samples.CLAUDE_MD, key="notes/CLAUDE.md", siblings=siblings)
        assert "@docs" not in claude.content
        (alone,), _ = read("markdown", samples.MEMORY_INDEX, key="notes/MEMORY.md")
        assert "Deploy day" in alone.content

    def test_an_empty_file_says_nothing(self) -> None:
        assert read("markdown", " \n") == ([], [])


class TestChatGpt:
    def test_one_a_line_with_bullets_numbers_and_dates(self) -> None:
        found, _ = read("chatgpt", samples.CHATGPT)
        assert [(each.line, each.content) for each in found] == [
            (1, "Saved memories"), (3, "User lives in Bergen."), (4, "User's cat is called Miso."),
            (5, "User writes Python."),
        ]  # fmt: skip
        assert found[1].said_at == datetime(2026, 2, 3, tzinfo=ZoneInfo("Europe/Oslo"))

    def test_json_lists(self) -> None:
        found, bad = read("chatgpt", '["User likes tea.",\n {"content": "User runs.", "created_at": 1770000000}, 7]')
        assert [each.content for each in found] == ["User likes tea.", "User runs."]
        assert found[1].said_at == datetime.fromtimestamp(1770000000, UTC)
        assert bad[0].line == 2


class TestTables:
    def test_columns_are_taken_by_name(self) -> None:
        (kiln, glaze), bad = read("csv", samples.CSV)
        assert kiln.tags == ("kiln", "heat")
        assert kiln.metadata == {"owner": "Ada"}
        assert glaze.content == 'The glaze is "Tarnvik blue".'
        assert glaze.category == Category.TERM
        assert glaze.about_from == datetime(2026, 7, 12, tzinfo=ZoneInfo("Europe/Oslo"))
        assert [each.line for each in bad] == [4, 5]
        assert "known: fact, entity" in bad[1].reason

    def test_a_cell_may_hold_several_lines(self) -> None:
        found, bad = read("csv", 'content,tags\n"One\ntwo",a\nThree,b\nFour,c,d\n')
        assert [(each.line, each.content) for each in found] == [(2, "One\ntwo"), (4, "Three")]
        assert (bad[0].line, bad[0].reason) == (5, "it has more cells than the header")

    def test_a_table_without_content_is_refused(self) -> None:
        assert "the header names none of: content" in read("csv", "a,b\n1,2\n")[1][0].reason

    def test_json_lines(self) -> None:
        found, bad = read("jsonl", samples.JSON_LINES)
        assert [each.content for each in found] == [
            "The mill stands.",
            "Ada dislikes fog.",
            "The weir is a plain sentence.",
            "…",
        ]
        assert found[0].metadata == {"a": 1}
        assert found[1].metadata == {"colour": "grey"}
        assert [each.line for each in bad] == [3, 4, 5]

    def test_scope_is_understood_and_never_lost(self) -> None:
        (found,), _ = read("jsonl", '{"content": "Mine.", "scope": "private"}')
        assert found.scope == Scope.PRIVATE
        assert read("jsonl", '{"content": "Mine.", "scope": "secret"}')[1][0].reason.startswith("its scope is 'secret'")

    @pytest.mark.parametrize(
        "more", [{"tags": ["x" * 65]}, {"tags": 7}, {"metadata": {"a": "x" * limits.METADATA_BYTES}}, {"metadata": 7},
                 {"about": {"from": "2026-07-12", "until": "2026-07-11"}}],
    )  # fmt: skip
    def test_what_no_door_would_take_is_refused_line_by_line(self, more: dict[str, object]) -> None:
        assert len(read("jsonl", json.dumps({"content": "The mill stands.", **more}))[1]) == 1
