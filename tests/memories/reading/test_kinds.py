import numpy as np
import pytest

from memories.choices import Category, Kind
from memories.reading import PlainReader, Statement
from memories.reading.kinds import person
from memories.reading.labels import _models
from tests.memories.reading.conftest import Read


@pytest.mark.parametrize(
    ("text", "kind", "category"),
    [
        ("The checkout lost 8% of its visitors after the redesign.", Kind.FACT, Category.FACT),
        ("Never push directly to the release branch.", Kind.FACT, Category.INSTRUCTION),
        ("Refunds above 250 € must be approved twice.", Kind.FACT, Category.INSTRUCTION),
        ("Tomas believes the database is the bottleneck.", Kind.FACT, Category.OTHER),
        ("Petra Novak chairs the supervisory board.", Kind.IDENTITY, Category.ENTITY),
        ("The interim lead of QA is Abdi.", Kind.IDENTITY, Category.ENTITY),
        ("ODS stands for Operational Data Store.", Kind.IDENTITY, Category.TERM),
        ("Rafiq lives in Lyon.", Kind.BASIC, Category.PERSONA),
        ("The user prefers window seats.", Kind.BASIC, Category.PERSONA),
        ("Nordwell has its seat in Esbjerg.", Kind.BASIC, Category.ENTITY),
        ("A mutex lets only one thread into a section of code.", Kind.KNOWLEDGE, Category.TERM),
        ("仓库钥匙放在前台抽屉里。", Kind.FACT, Category.FACT),
        ("Rechnungen über 500 Euro müssen freigegeben werden.", Kind.FACT, Category.INSTRUCTION),
        ("Der Nutzer ist gegen Erdbeeren allergisch.", Kind.BASIC, Category.PERSONA),
        ("L'utilisateur préfère les réponses courtes.", Kind.BASIC, Category.PERSONA),
        ("Inès Varga est la responsable des achats.", Kind.IDENTITY, Category.ENTITY),
        ("El usuario vive en Bilbao.", Kind.BASIC, Category.PERSONA),
    ],
)
def test_kind_and_category_are_told_by_the_wording(text: str, kind: Kind, category: Category) -> None:
    assert (PlainReader().kind(text), PlainReader().category(text)) == (kind, category)


@pytest.mark.parametrize(
    ("text", "speaker", "person"),
    [
        ("The user likes short answers.", None, "user"),
        ("I prefer tea without sugar.", "Hana", "Hana"),
        ("I prefer tea without sugar.", "user", "user"),
        ("I like to think in steps about this.", "assistant", None),
        ("Hana prefers tea without sugar.", None, "Hana"),
        ("I prefer tea without sugar.", "bo-li", "bo-li"),
        ("Jean-Luc prefers tea without sugar.", None, "Jean-Luc"),
        ("Self-hosted runners love cold rooms.", None, None),
        ("The gateway prefers HTTP/2 over HTTP/1.1.", None, None),
        ("They have nine volunteers who speak English.", None, None),
    ],
)
def test_a_trait_names_its_person(read: Read, text: str, speaker: str | None, person: str | None) -> None:
    known = {"speaker": speaker} if speaker else {}
    (statement,) = read(text, **known)
    assert statement.person == person


@pytest.mark.parametrize(
    "text",
    [
        "Restart on /healthz, never on /readyz.",
        "Visibility comes first, and it never bends.",
        "Agents prefer short answers.",
        "Statements are never merged.",
    ],
)
def test_a_word_at_the_beginning_is_no_person_unless_a_trait_follows_at_once(text: str) -> None:
    assert person(text) is None


def test_a_trait_follows_a_name() -> None:
    assert (person("Tamsin prefers tea."), person("Ines Varga almost never calls.")) == ("Tamsin", "Ines")


def test_a_statement_is_labelled_again_once_its_vector_is_known() -> None:
    text = "The user prefers window seats."
    labelled = PlainReader().labelled(Statement(text, 0, len(text), Kind.FACT, Category.FACT), None)
    assert (labelled.kind, labelled.category, labelled.person) == (Kind.BASIC, Category.PERSONA, "user")


def test_code_keeps_its_label_whatever_its_words_are_like() -> None:
    code = Statement("user prefers = True", 0, 19, Kind.FACT, Category.OTHER, is_code=True)
    assert PlainReader().labelled(code, np.zeros(384, dtype=np.float32)) == code


def test_a_vector_turns_the_balance() -> None:
    text = "Ole enters."
    kinds = {PlainReader().kind(text, sign * _models()[0].vector[:, 1] * 9) for sign in (1, -1)}
    assert len(kinds) == 2
