"""Pairs of statements of our own domain, judged as intake judges them: with the cosine, and with what acts."""

from pathlib import Path

from benchmarks.reading.figures import Figure
from benchmarks.reading.scoring import Tally, macro_f1, rows
from memories.embeddings.choice import built
from memories.reading import PlainReader

FIGURES = (
    Figure("domain_compare/macro_f1", "verdict, macro F1 over the five", aim=75),
    Figure("domain_compare/acting_precision", "certain same, replaces, contradicts: right, %", aim=92),
    Figure("domain_compare/acting_recall", "of those wanted, %", aim=50),
    Figure("domain_compare/wrongly_acted", "certain replaces or contradicts of pairs that agree", 0, "0", True),
)
ACTING, DISPLACING = ("same", "replaces", "contradicts"), ("replaces", "contradicts")


def measure(folder: Path) -> dict[str, float]:
    found = list(rows(folder / "domain" / "compare.jsonl"))
    vectors = built("packaged").embed([row[side] for row in found for side in ("newer", "older")])
    reader, acting, wrong = PlainReader(), Tally(), 0
    guessed = []
    for place, row in enumerate(found):
        similarity = float(vectors[2 * place] @ vectors[2 * place + 1])
        result = reader.compare(row["newer"], row["older"], similarity=similarity)
        guessed.append(str(result.verdict))
        acts = result.certain and result.verdict in ACTING
        acting.add(acts and result.verdict == row["label"], acts, row["label"] in ACTING)
        wrong += acts and result.verdict in DISPLACING and row["label"] not in DISPLACING
    return {
        "domain_compare/macro_f1": macro_f1(guessed, [row["label"] for row in found]),
        "domain_compare/acting_precision": acting.precision,
        "domain_compare/acting_recall": acting.recall,
        "domain_compare/wrongly_acted": wrong,
    }
