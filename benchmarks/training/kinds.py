"""Makes memories/reading/labels.npz from memories/reading/examples/kinds.jsonl.

    python -m benchmarks.training.kinds

Logistic regression, once over cues and words alone, once beside the vector of the packaged model. The outcome is the
same each time. Prints the macro F1 of a shuffled cross-validation over the examples. Needs scikit-learn, which
sentence-transformers brings.
"""

import json
import os

import numpy as np
from numpy.typing import NDArray

EXAMPLES = "examples/kinds.jsonl"
#: A feature that one example alone has would only be learned by heart.
FEWEST = 2
STRENGTH, FOLDS = 1.0, 5
#: The examples hold as many of each label as could be thought of; in real documents four of five statements are facts.
USUAL, LIFT = "fact", 1.0
LABELS = ("kind", "category")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")
    import django

    django.setup()
    from memories.embeddings.choice import built
    from memories.reading import labels

    path = labels.WEIGHTS.parent / EXAMPLES
    examples = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    texts = [example["text"] for example in examples]
    told = [labels.features(text) for text in texts]
    names = sorted({name for each in told for name in each})
    names = [name for name in names if sum(name in each for each in told) >= FEWEST]
    words = np.array([[name in each for name in names] for each in told], dtype=np.float32)
    vectors = np.array(built("packaged").embed(texts)) * labels.VECTOR_WEIGHT
    kept: dict[str, NDArray[np.generic]] = {"features": np.array(names)}
    for label in LABELS:
        kept |= _fitted(label, words, vectors, [example[label] for example in examples], labels.VECTOR_WEIGHT)
    np.savez_compressed(labels.WEIGHTS, **kept)  # type: ignore[arg-type]  # the stub takes the names for options
    print(f"{len(texts)} examples, {len(names)} features, {labels.WEIGHTS.stat().st_size:,} bytes")


def _fitted(
    label: str, words: NDArray[np.float32], vectors: NDArray[np.float32], wanted: list[str], weight: float
) -> dict[str, NDArray[np.generic]]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import f1_score
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    kept: dict[str, NDArray[np.generic]] = {}
    for way, given in (("alone", words), ("beside", np.hstack([words, vectors]))):
        model = LogisticRegression(C=STRENGTH, max_iter=500, class_weight="balanced")
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        guessed = cross_val_predict(model, given, wanted, cv=folds)
        print(f"{label}, {way}: macro F1 {100 * f1_score(wanted, guessed, average='macro'):.1f} cross-validated")
        model.fit(given, wanted)
        kept[f"{label}_labels"] = model.classes_.astype(str)
        kept[f"{label}_bias_{way}"] = _lifted(model.intercept_, model.classes_)
        kept[f"{label}_words_{way}"] = model.coef_.T[: words.shape[1]].astype(np.float16)
        if way == "beside":
            kept[f"{label}_vector"] = (model.coef_.T[words.shape[1] :] * weight).astype(np.float16)
    return kept


def _lifted(bias: NDArray[np.float64], names: NDArray[np.str_]) -> NDArray[np.float32]:
    usual = np.array([name.lower() == USUAL for name in names])
    return (bias + LIFT * usual).astype(np.float32)


if __name__ == "__main__":
    main()
