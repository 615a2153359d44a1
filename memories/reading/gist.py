"""Which few of many statements tell most of what they tell together. Pure, and without a language model.

Chosen one by one: each time the statement that brings the whole group closest to what is chosen already (coverage), and
of two that do so equally, the one nearer to the middle (centrality) that says more by itself.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memories.reading.tokens import COMMON, tokens

#: Chatter: it holds a conversation together and tells nothing.
_CHATTER = re.compile(
    r"^\W*(?:wow|yeah|yes|yep|no|nope|hey|hi|hello|thanks?|thank you|oh|ok(?:ay)?|sure|great|cool|awesome|nice|haha|"
    r"lol|glad|congrat\w*|that(?:'s|’s| is| sounds)|sounds|good (?:luck|morning|night|to)|same here|"
    r"i (?:bet|guess|hope|wish|know|see|agree|understand)|no problem|you(?:'re|’re| are) (?:welcome|right)|"
    r"let['’]s|really|gonna|wanna|let me know|keep|take care|bye|"
    r"looking forward|can't wait|what an?|how)\b",
    re.IGNORECASE,
)
_LOOSE = re.compile(r"^\W*(?:it|this|that|these|those|they|he|she|and|but|so|also|then|because|which)\b", re.IGNORECASE)
#: What is said to somebody there, how one feels about it, and wording that lost its subject on the way.
_TO_YOU = re.compile(r"\b(?:you|your|yours|yourself|ya|ourselves|agrees?|you['’]\w+)\b", re.IGNORECASE)
_FEELING = re.compile(
    r"!|\b(?:awesome|amazing|proud|grateful|thankful|lucky|excited|exciting|glad|super|rewarding|inspiring|cool|wow|"
    r"powerful|incredible|wonderful|beautiful|enlightening|so)\b",
    re.IGNORECASE,
)
_HIMSELF = re.compile(r"\b([A-Z]\w+)\b(?!['’]s).*?\b\1\b(?!['’]s)|\bmyself\b|^\w+['’]s (?:a|an|when|like|so|been)\b")
_FEWEST_CONTENT, _LONGEST = 4, 260
_VALUES = frozenset(["name", "number", "date"])


def telling(text: str) -> float:
    """From 0 to 1, how much a statement tells by itself: 0 for questions, chatter and what is too short or too long."""
    if "?" in text or len(text) > _LONGEST or _CHATTER.match(text) or "\n" in text.strip():
        return 0.0
    found = [each for each in tokens(text) if each.key not in COMMON and each.kind != "negation"]
    if len(found) < _FEWEST_CONTENT:
        return 0.0
    values = len({each.key for each in found if each.kind in _VALUES})
    words = len({each.key for each in found})
    told = 0.4 + 0.12 * min(values, 4) + 0.02 * min(words, 10)
    told *= 1.0 if values else 0.4
    for sign, share in ((_LOOSE, 0.5), (_TO_YOU, 0.2), (_HIMSELF, 0.4), (_FEELING, 0.7)):
        told *= share if sign.search(text) else 1.0
    return told


def chosen(
    vectors: "NDArray[np.float32]", weights: Sequence[float], *, most: int, alike: float = 0.85
) -> list[int]:  # fmt: skip
    """The places of the statements that tell most, best first. None of weight 0, and no two that are `alike`."""
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    cosines = np.clip(unit @ unit.T, 0, 1)
    told = np.asarray(weights, dtype=np.float32)
    central = cosines.mean(axis=1)
    covered = np.zeros(len(told), dtype=np.float32)
    picked: list[int] = []
    free = told > 0
    while len(picked) < most and free.any():
        gain = (np.maximum(cosines, covered).sum(axis=1) - covered.sum()) / len(told)
        score = np.where(free, (gain + 0.2 * central) * told, -1.0)
        best = int(score.argmax())
        picked.append(best)
        covered = np.maximum(covered, cosines[best])
        free &= cosines[best] < alike
        free[best] = False
    return picked
