"""A cross-encoder as a second judge: a real one, tiny, random, with an output that leans as the test says."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings

from memories import reader
from memories.reading import Comparison, Context, PlainReader, Verdict
from memories.reading.cross_encoder import CrossEncoderJudge, Judged
from tests.memories.reading.conftest import NOON

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] the lamp is red green old dim port on".split()  # noqa: SIM905
LABELS = ["contradiction", "entailment", "neutral"]
#: The rules hold these for near, and these for a contradiction that only a person may confirm.
NEAR = ("The lamp by the old harbour gate is quite dim.", "The lamp at the harbour gate was lit by Ann.")
SUSPECTED = ("Ann's lamp is tiny.", "Ann's lamp is huge.")
RULED = ("The gateway listens on port 9443.", "The gateway listens on port 8443.")
Lean = Callable[..., str]


@pytest.fixture
def leaning(tmp_path: Path) -> Lean:
    """A folder with a model that answers the label it is told, whatever it is asked."""

    def made(label: str, labels: list[str] = LABELS) -> str:
        import torch
        from transformers import (
            BertConfig,
            BertForSequenceClassification,
            BertTokenizer,
        )

        folder = tmp_path / label
        folder.mkdir()
        (folder / "vocab.txt").write_text("\n".join(WORDS))
        BertTokenizer(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
        config = BertConfig(
            vocab_size=len(WORDS), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
            id2label=dict(enumerate(labels)), label2id={name: place for place, name in enumerate(labels)},
        )  # fmt: skip
        model = BertForSequenceClassification(config)
        with torch.no_grad():
            model.classifier.weight.zero_()
            model.classifier.bias.copy_(torch.tensor([6.0 if each == label else 0.0 for each in labels]))
        model.save_pretrained(folder)
        return str(folder)

    return made


def judged(folder: str, pair: tuple[str, str]) -> Comparison:
    return Judged(PlainReader(), CrossEncoderJudge(folder)).compare(*pair)


def test_the_pairs_are_what_the_tests_need() -> None:
    found = [PlainReader().compare(*pair) for pair in (NEAR, SUSPECTED, RULED)]
    assert [(each.verdict, each.certain) for each in found] == [
        (Verdict.NEAR, False), (Verdict.CONTRADICTS, False), (Verdict.CONTRADICTS, True),
    ]  # fmt: skip


def test_it_suggests_a_contradiction_that_the_rules_missed_and_never_decides(leaning: Lean) -> None:
    found = judged(leaning("contradiction"), NEAR)
    assert (found.verdict, found.certain) == (Verdict.CONTRADICTS, False)
    assert found.confidence > 0.9


def test_it_takes_back_what_the_rules_only_suspected(leaning: Lean) -> None:
    assert judged(leaning("neutral"), SUSPECTED).verdict == Verdict.NEAR


def test_what_follows_both_ways_is_the_same_and_for_a_person(leaning: Lean) -> None:
    found = judged(leaning("entailment"), NEAR)
    assert (found.verdict, found.certain) == (Verdict.SAME, False)


def test_a_certain_rule_stands_above_it(leaning: Lean) -> None:
    assert judged(leaning("neutral"), RULED) == PlainReader().compare(*RULED)


def test_the_order_of_its_labels_is_its_own_affair(leaning: Lean) -> None:
    assert judged(leaning("contradiction", ["ENTAILMENT", "NEUTRAL", "contradiction"]), NEAR).verdict == "contradicts"


def test_a_model_that_is_not_there_or_no_judge_changes_nothing(leaning: Lean, tmp_path: Path) -> None:
    assert judged(str(tmp_path / "gone"), NEAR) == PlainReader().compare(*NEAR)
    assert judged(leaning("good", ["good", "bad"]), NEAR) == PlainReader().compare(*NEAR)


def test_a_setting_names_the_judge(settings: Settings, leaning: Lean) -> None:
    settings.JUDGE = leaning("contradiction")
    assert reader.reader().compare(*NEAR).verdict == Verdict.CONTRADICTS
    assert [each.text for each in reader.reader().read("The lamp is red.", Context(NOON))] == ["The lamp is red."]
    assert not reader.asks_a_model()
