"""Kind and category of single statements of our own domain, as a write labels them: with the vector, and without."""

from pathlib import Path

from benchmarks.reading.figures import Figure
from benchmarks.reading.scoring import macro_f1, rows
from memories.embeddings.choice import built
from memories.reading import PlainReader

FIGURES = (
    Figure("domain_kinds/macro_f1", "kind, macro F1 over the kinds", aim=85),
    Figure("domain_categories/macro_f1", "category, macro F1 over the categories", aim=80),
    Figure("domain_kinds/macro_f1_without_vector", "kind while the embedder is down"),
    Figure("domain_categories/macro_f1_without_vector", "category while the embedder is down"),
)


def measure(folder: Path) -> dict[str, float]:
    found = list(rows(folder / "domain" / "kinds.jsonl"))
    texts = [row["text"] for row in found]
    kinds, categories = [row["kind"] for row in found], [row["category"] for row in found]
    reader, vectors = PlainReader(), built("packaged").embed(texts)
    beside = list(zip(texts, vectors, strict=True))
    return {
        "domain_kinds/macro_f1": macro_f1([reader.kind(text, vector) for text, vector in beside], kinds),
        "domain_categories/macro_f1": macro_f1([reader.category(text, vector) for text, vector in beside], categories),
        "domain_kinds/macro_f1_without_vector": macro_f1([reader.kind(text) for text in texts], kinds),
        "domain_categories/macro_f1_without_vector": macro_f1([reader.category(text) for text in texts], categories),
    }
