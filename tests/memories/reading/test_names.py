import pytest

from memories.reading import names, relations
from memories.reading.names import NameKind


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("We met Dr. Orla Whitcombe on Friday.", "Orla Whitcombe", NameKind.PERSON),
        ("Bags are kept by Halberd Freight Ltd in the harbour.", "Halberd Freight Ltd", NameKind.ORGANISATION),
        ("The bug is tracked as KST-481 since May.", "KST-481", NameKind.CODE),
        ("The pager rings at Team Osprey at night.", "Team Osprey", NameKind.TEAM),
        ("We say “cold store” for the archive.", "cold store", NameKind.TERM),
        ("The contract ends on 2027-03-31 at noon.", "2027-03-31", NameKind.DATE),
        ("It is written to `orders_log` first.", "`orders_log`", NameKind.CODE),
    ],
)
def test_a_name_has_its_kind_and_its_place(text: str, name: str, kind: NameKind) -> None:
    (found,) = [each for each in names.found(text) if each.text == name]
    assert found.kind == kind
    assert text[found.start : found.end] == name


def test_a_short_form_knows_its_whole_name() -> None:
    found = names.found("We asked Petra Novak about the tide tables. Then Novak answered at once.")
    assert [(each.text, each.whole) for each in found] == [("Petra Novak", "Petra Novak"), ("Novak", "Petra Novak")]


def test_two_joined_names_are_two() -> None:
    found = {each.text for each in names.found("The tables were made by Petra Novak and Sven Lund in Turku.")}
    assert {"Petra Novak", "Sven Lund", "Turku"} <= found


def test_relations_come_in_the_words_of_their_sentence() -> None:
    (sentence,) = {
        each.evidence for each in relations.found("Sven Lund leads the harbour team and works for Petra Novak.")
    }
    assert sentence == "Sven Lund leads the harbour team and works for Petra Novak."
    found = relations.found(sentence)
    assert ("Sven Lund", "leads", "harbour team") in {(each.subject, each.verb, each.object) for each in found}
    assert ("Sven Lund", "works for", "Petra Novak") in {(each.subject, each.verb, each.object) for each in found}


def test_a_pronoun_is_no_end_of_a_relation() -> None:
    assert relations.found("It leads the team.") == ()
