"""Two texts side by side, with what one says and the other doesn't marked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

#: Words, and each sign alone; scripts that write no spaces are taken sign by sign.
_PIECES = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_]+|\s+|.", re.DOTALL)
#: Texts beyond this many pieces are not compared: it would take longer than reading them.
MOST_PIECES = 1_500


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a text; `differs` where the other text says something else."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of two versions: in both, in the older alone, or in the newer alone."""

    text: str
    what: Literal["same", "gone", "new"]


def marked(older: str, newer: str) -> tuple[list[Part], list[Part]]:
    """Both texts in parts. Joined again, each is exactly what it was."""
    old, new = _PIECES.findall(older), _PIECES.findall(newer)
    if max(len(old), len(new)) > MOST_PIECES:
        return [Part(older, differs=False)], [Part(newer, differs=False)]
    # Alike but for case is alike here: a capital at the start of a sentence is no difference to be settled.
    matcher = SequenceMatcher(None, _folded(old), _folded(new), autojunk=False)
    blocks = matcher.get_opcodes()
    return (
        [Part("".join(old[start:end]), tag != "equal") for tag, start, end, _, _ in blocks if start < end],
        [Part("".join(new[start:end]), tag != "equal") for tag, _, _, start, end in blocks if start < end],
    )


def changes(older: str, newer: str) -> list[Change]:
    """One text as it became the other. Without what is new it is the older, without what is gone the newer."""
    old, new = _PIECES.findall(older), _PIECES.findall(newer)
    if max(len(old), len(new)) > MOST_PIECES:
        return [Change(older, "gone"), Change(newer, "new")]
    found = []
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(Change("".join(new[new_from:new_to]), "same"))
            continue
        found += [Change("".join(old[old_from:old_to]), "gone")] if old_from < old_to else []
        found += [Change("".join(new[new_from:new_to]), "new")] if new_from < new_to else []
    return found


def _folded(pieces: Sequence[str]) -> list[str]:
    return [piece.casefold() for piece in pieces]
