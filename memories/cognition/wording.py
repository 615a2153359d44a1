"""Words in a form in which "updated", "updates" and "updating" are one. Keys, never shown."""

from functools import lru_cache

from memories.reading.tokens import COMMON, stem
from memories.search.languages import stems


@lru_cache(maxsize=50_000)
def root(word: str) -> str:
    found = stems(word.casefold(), ("english",))
    return found[0] if found else word.casefold()


def is_common(word: str) -> bool:
    """Whether it says nothing by itself."""
    return stem(word) in COMMON
