"""Makes memories/reading/judge.npz from memories/reading/examples/pairs.jsonl.

    python -m benchmarks.training.judge

Each pair is learned with and without its cosine. Beside the pairs stand neighbours: every statement with one of those
closest to it that are no partner of it, as near or unrelated, so that mere closeness decides nothing. The outcome is
the same each time. Prints a shuffled cross-validation over the pairs.
"""

import json
import os
import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

EXAMPLES = "examples/pairs.jsonl"
TREES, DEPTH, FEWEST_IN_LEAF = 120, 12, 2
STRENGTH, FOLDS = 1.0, 5
#: Neighbours are many and easy; the pairs shall be heard above them. So shall those with a cosine.
NEIGHBOUR_WEIGHT, BLIND_WEIGHT = 0.35, 0.5
NEAR_FROM = 0.4

Pair = tuple[str, str, str]
Matrix = NDArray[np.float32]


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")
    import django

    django.setup()
    from memories.embeddings.choice import built
    from memories.reading import judge, pairs

    path = judge.WEIGHTS.parent / EXAMPLES
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    examples: list[Pair] = [(row["newer"], row["older"], row["verdict"]) for row in rows]
    texts = list(dict.fromkeys(text for pair in examples for text in pair[:2]))
    vectors = dict(zip(texts, built("packaged").embed(texts), strict=True))

    def signs(given: Sequence[Pair], weight: float) -> tuple[Matrix, list[str], list[float]]:
        found, wanted, weights = [], [], []
        for newer, older, verdict in given:
            for similarity, share in ((float(vectors[newer] @ vectors[older]), 1.0), (None, BLIND_WEIGHT)):
                told = pairs.signs(newer, older, similarity)
                found.append([told[name] for name in pairs.SIGNS])
                wanted.append(verdict)
                weights.append(weight * share)
        return np.array(found, dtype=np.float32), wanted, weights

    beside = signs(neighbours(examples, texts, np.array([vectors[text] for text in texts])), NEIGHBOUR_WEIGHT)
    own = signs(examples, 1.0)
    cross_validate(own, beside)
    labels, bias, coefficients, forest = fitted(*joined(own, beside))
    np.savez_compressed(judge.WEIGHTS, labels=labels, bias=bias, coefficients=coefficients, **planted(forest))
    print(f"{len(examples)} pairs, {judge.WEIGHTS.stat().st_size:,} bytes")


def neighbours(examples: Sequence[Pair], texts: Sequence[str], space: Matrix) -> list[Pair]:
    chance = random.Random(0)  # noqa: S311  # for picking examples
    partners: dict[str, set[str]] = {}
    for newer, older, _ in examples:
        partners.setdefault(newer, set()).add(older)
        partners.setdefault(older, set()).add(newer)
    close = space @ space.T
    found: list[Pair] = []
    for place, text in enumerate(texts):
        order = [int(at) for at in np.argsort(-close[place]) if at != place and texts[at] not in partners[text]]
        at = order[chance.choice([0, 0, 1])]
        found.append((text, texts[at], "near" if close[place][at] > NEAR_FROM else "unrelated"))
        if chance.random() < NEAR_FROM:
            found.append((text, texts[chance.choice(order[20:])], "unrelated"))
    return found


def joined(own: tuple[Matrix, list[str], list[float]], beside: tuple[Matrix, list[str], list[float]]):  # type: ignore[no-untyped-def]  # three lists
    return np.vstack([own[0], beside[0]]), own[1] + beside[1], own[2] + beside[2]


def fitted(found: Matrix, wanted: list[str], weights: list[float]):  # type: ignore[no-untyped-def]  # scikit-learn has no types
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.linear_model import LogisticRegression

    regression = LogisticRegression(C=STRENGTH, max_iter=1000).fit(found, wanted, sample_weight=weights)
    forest = ExtraTreesClassifier(TREES, min_samples_leaf=FEWEST_IN_LEAF, max_depth=DEPTH, random_state=0)
    forest.fit(found, wanted, sample_weight=weights)
    bias, coefficients = regression.intercept_.astype(np.float32), regression.coef_.astype(np.float32)
    return regression.classes_.astype(str), bias, coefficients, forest


def planted(forest) -> dict[str, NDArray[np.generic]]:  # type: ignore[no-untyped-def]  # scikit-learn has no types
    """All trees in one row of nodes."""
    parts: dict[str, list[NDArray[np.generic]]] = {name: [] for name in ("sign", "limit", "left", "right", "shares")}
    roots, base = [], 0
    for each in forest.estimators_:
        tree = each.tree_
        here = np.arange(tree.node_count)
        is_leaf = tree.children_left < 0
        roots.append(base)
        parts["sign"].append(np.where(is_leaf, 0, tree.feature).astype(np.int16))
        parts["limit"].append(tree.threshold.astype(np.float32))
        parts["left"].append((np.where(is_leaf, here, tree.children_left) + base).astype(np.int32))
        parts["right"].append((np.where(is_leaf, here, tree.children_right) + base).astype(np.int32))
        shares = tree.value[:, 0, :]
        parts["shares"].append((shares / shares.sum(axis=1, keepdims=True)).astype(np.float16))
        base += tree.node_count
    kept: dict[str, NDArray[np.generic]] = {name: np.concatenate(found) for name, found in parts.items()}
    return kept | {"roots": np.array(roots, dtype=np.int32), "depth": np.array(DEPTH)}


def cross_validate(own: tuple[Matrix, list[str], list[float]], beside: tuple[Matrix, list[str], list[float]]) -> None:
    from sklearn.metrics import f1_score
    from sklearn.model_selection import StratifiedKFold

    found, wanted, weights = own
    labels = wanted[::2]  # each pair stands there twice, first with its cosine
    guessed = [""] * len(labels)
    for kept, left in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(labels, labels):
        rows = [2 * place + half for place in kept for half in (0, 1)]
        part = (found[rows], [wanted[row] for row in rows], [weights[row] for row in rows])
        names, bias, coefficients, forest = fitted(*joined(part, beside))
        score = found[2 * left] @ coefficients.T + bias
        share = np.exp(score - score.max(axis=1, keepdims=True))
        both = share / share.sum(axis=1, keepdims=True) + forest.predict_proba(found[2 * left])
        for place, row in zip(left, both, strict=True):
            guessed[place] = names[int(np.argmax(row))]
    print(f"macro F1 {100 * f1_score(labels, guessed, average='macro'):.1f} cross-validated")


if __name__ == "__main__":
    main()
