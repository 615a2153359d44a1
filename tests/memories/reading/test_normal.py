import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.reading import same_statement, statement_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port is 8443.", "the  PORT\nis 8443."),
        ("Straße", "STRASSE"),
        ("Malmö", unicodedata.normalize("NFD", "Malmö")),
        ("İstanbul", "i̇stanbul"),
    ],
)
def test_case_spaces_and_composition_make_no_other_statement(one: str, other: str) -> None:
    assert same_statement(one, other)


@pytest.mark.parametrize(("one", "other"), [("2⁵ rows", "25 rows"), ("port 8443", "port 9443"), ("ﬁ", "f i")])
def test_what_reads_differently_is_another_statement(one: str, other: str) -> None:
    assert not same_statement(one, other)


@given(st.text())
def test_the_key_of_a_key_is_itself(text: str) -> None:
    assert statement_key(statement_key(text)) == statement_key(text)
