"""What a statement names, of which type, and how its names stand to each other."""

import pytest

from memories.choices import EntityType
from memories.reading import entities


def typed(text: str, *, person: str | None = None) -> dict[str, str]:
    return {each.name: str(each.type) for each in entities.found(text, person=person).names}


def related(text: str) -> set[tuple[str, str, str]]:
    return {(one.subject.name, one.relation, one.object.name) for one in entities.found(text).relations}


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Priya Raman owns the ledger service.", "ledger service", EntityType.SERVICE),
        ("Noor chairs the weekly planning.", "Noor", EntityType.PERSON),
        ("The pg-analytics instance moved to another port.", "pg-analytics", EntityType.SERVICE),
        ("Valve V-1603 leaks at the flange.", "V-1603", EntityType.CODE),
        ("The report is due on 17 September 2026.", "2026-09-17", EntityType.DATE),
        ("@tanvi-r maintains the firmware.", "@tanvi-r", EntityType.PERSON),
        ("山田太郎さんは東京支社で働いています。", "山田太郎", EntityType.PERSON),
        ("王伟负责支付网关。", "王伟", EntityType.PERSON),
        ("التقى الدكتور سمير مع الفريق.", "سمير", EntityType.PERSON),
    ],
)
def test_a_name_has_its_type(text: str, name: str, kind: EntityType) -> None:
    assert typed(text).get(name) == kind


@pytest.mark.parametrize(
    "text",
    [
        "Guests sign in on paper.",
        "The limit is 25 MB per file.",
        "The API answers within a second.",
        "Stand-up is on Mondays.",
        "Der Termin ist morgen.",
    ],
)
def test_what_names_nothing_is_no_entity(text: str) -> None:
    assert typed(text) == {}


def test_an_article_is_no_part_of_a_name() -> None:
    assert entities.found("The Solo plan ends soon.").names[0].key == "solo plan"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ben Okafor reports to Ana Lima.", ("Ben Okafor", "reports_to", "Ana Lima")),
        ("The ledger service is owned by Ana Lima.", ("Ana Lima", "owns", "ledger service")),
        ("Ana Lima heads the Billing team.", ("Ana Lima", "leads", "Billing team")),
        ("Ben Okafor works with Chen Wu.", ("Ben Okafor", "works_with", "Chen Wu")),
        ("Ticket 88123 was opened by Holm Ltd.", ("Ticket 88123", "is_opened_by", "Holm Ltd")),
    ],
)
def test_alike_verbs_are_one_relation_and_unknown_ones_keep_their_words(text: str, said: tuple[str, str, str]) -> None:
    assert said in related(text)


def test_a_denial_relates_nothing() -> None:
    assert related("Ben Okafor does not report to Ana Lima.") == set()


def test_a_relation_is_of_names_alone() -> None:
    assert related("Ben Okafor reviewed a friend of Ana Lima.") == set()


def test_many_statements_are_read_as_each_would_be() -> None:
    texts = [
        "Ben Okafor reports to Ana Lima.",
        "",
        "Valve V-1603 leaks.",
        "Line one.\nAna Lima owns the ledger service.",
    ]
    assert entities.found_all([(text, None) for text in texts]) == [entities.found(text) for text in texts]
