"""What the page of a fact shows beside its words: versions, pairs, and similar facts."""

from typing import Any

import pytest
from django.test import Client

from memories import embeddings
from memories.actors import Actor
from memories.choices import Reason, Scope, VerdictGiven
from memories.models import AgentKey, Memory
from memories.services import editing, keys, resolving
from tests import desk, factories
from tests.stubs import BrokenEmbedder


@pytest.fixture
def ada(curator: Actor) -> Client:
    return desk.at_desk(curator)


def page(client: Client, fact: Memory) -> Any:
    return client.get(desk.page_of("fact", fact))


def test_the_chain_of_versions_is_walked_both_ways(ada: Client, a1: Actor, curator: Actor) -> None:
    first = factories.fact(a1, "The lamp is lit.")
    second = editing.revise(by=curator, memory_id=first.pk, content="The lamp is dim.").fact
    third = editing.revise(by=curator, memory_id=second.pk, content="The lamp is dark.").fact
    for fact in (first, second, third):
        versions = page(ada, fact).context["versions"]
        assert [(each.content, each.status) for each in versions] == [
            ("The lamp is lit.", "Superseded"), ("The lamp is dim.", "Superseded"), ("The lamp is dark.", "Verified"),
        ]  # fmt: skip
        assert [each.id for each in versions if each.is_here] == [fact.pk]


def test_each_version_says_word_by_word_what_it_changed(ada: Client, a1: Actor, curator: Actor) -> None:
    first = factories.fact(a1, "Retries are capped at 3 a day.")
    second = editing.revise(by=curator, memory_id=first.pk, content="Retries are capped at 5 a week.").fact
    changed = page(ada, second).context["versions"][1].changes
    assert [(each.what, each.text) for each in changed if each.what != "same"] == [
        ("gone", "3"), ("new", "5"), ("gone", "day"), ("new", "week"),
    ]  # fmt: skip
    assert "".join(each.text for each in changed if each.what != "new") == first.content
    assert "".join(each.text for each in changed if each.what != "gone") == second.content
    assert "<del>3</del><ins>5</ins>" in page(ada, first).content.decode()


def test_it_says_who_can_read_it_and_whether_recall_shows_it(
    ada: Client, a1: Actor, a2: Actor, b1: Actor, manager: Actor
) -> None:
    keys.revoke(key=AgentKey.objects.get(agent=a2.agent_id))
    fact = factories.fact(a1, "The lamp is lit.")
    readers = page(ada, fact).context["readers"]
    assert (readers.agents, readers.people) == (["a1"], ["curator", "manager"])
    assert "Show it" in page(ada, fact).content.decode()
    editing.retire(by=manager, memory_id=fact.pk)
    assert "Don’t show it: it is retired" in page(ada, fact).content.decode()


def test_a_fact_of_one_version_shows_no_chain(ada: Client, a1: Actor) -> None:
    assert page(ada, factories.fact(a1, "The lamp is lit.")).context["versions"] == []


def test_each_pair_is_linked_to_where_it_is_settled(ada: Client, a1: Actor) -> None:
    lit, dark = factories.fact(a1, "The lamp is lit."), factories.fact(a1, "The lamp is dark.")
    resolving.resolve(by=a1, newer_id=dark.pk, older_id=lit.pk, verdict=VerdictGiven.CONTRADICTS)
    pair = dark.conflicts.get()
    for fact in (lit, dark):
        words = page(ada, fact).content.decode()
        assert desk.page_of("conflict", pair) in words
        assert "Settle it" in words
    ada.post(desk.page_of("conflict", pair), {"answer": "newer"})
    assert "How it was settled" in page(ada, lit).content.decode()


def test_a_suggested_pair_is_shown_too(ada: Client, a1: Actor) -> None:
    lit, dark = factories.fact(a1, "The lamp is lit."), factories.fact(a1, "The lamp is dark.")
    pair = dark.conflicts.open_against(lit, reason=Reason.UNSURE)
    assert desk.page_of("conflict", pair) in page(ada, lit).content.decode()


def test_similar_facts_are_shown_with_what_differs(ada: Client, a1: Actor) -> None:
    fact = factories.fact(a1, "The upload limit of the site is 5 MB.")
    other = factories.fact(a1, "The upload limit of the site is 9 MB.")
    factories.fact(a1, "The upload limit of the site is 7 MB.", scope=Scope.PRIVATE)
    words = page(ada, fact).content.decode()
    assert desk.page_of("fact", other) in words
    assert '<bdi class="desk-value">9 MB</bdi> there' in words
    assert "7 MB" not in words


def test_while_the_embedder_is_down_a_sentence_stands_there(ada: Client, a1: Actor) -> None:
    with embeddings.override(BrokenEmbedder()):
        answer = page(ada, factories.fact(a1, "The lamp is lit."))
    assert answer.status_code == 200
    assert "similar facts are known again when it does" in answer.content.decode()
