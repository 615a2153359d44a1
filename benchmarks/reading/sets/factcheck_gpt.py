"""Answers of a language model, cut by people into single claims that stand alone. Matched within one answer."""

import re
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.reading.figures import Figure
from benchmarks.reading.scoring import Tally, rows
from memories.reading import Context, PlainReader

FIGURES = (
    Figure("factcheck_gpt/f1", "claims, token F1 ≥ .7", aim=55, baseline="41.0"),
    Figure("factcheck_gpt/precision", "of the statements read"),
    Figure("factcheck_gpt/recall", "of the claims wanted"),
    Figure("factcheck_gpt/pronoun_share", "statements that start with a pronoun, %", 4, "19.5", lower_is_better=True),
)
_PRONOUN = re.compile(
    r"(?:he|she|it|they|this|that|these|those|his|her|hers|its|their|theirs|him|them)\b", re.IGNORECASE
)
#: "That year", "this city": a determiner before a noun still points elsewhere, and is counted.


def measure(folder: Path) -> dict[str, float]:
    context = Context(datetime(2026, 1, 1, tzinfo=UTC))
    tally = Tally()
    pronouns = 0
    for row in rows(folder / "factcheck_gpt" / "documents.jsonl"):
        found = [statement.text for statement in PlainReader().read(row["response"], context)]
        pronouns += sum(bool(_PRONOUN.match(text)) for text in found)
        tally.add_texts(found, [claim for each in row["sentences"] for claim in each["claims"]], threshold=0.7)
    return {**tally.figures("factcheck_gpt"), "factcheck_gpt/pronoun_share": 100 * pronouns / max(1, tally.found)}
