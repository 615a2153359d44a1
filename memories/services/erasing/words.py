"""The words that go: found wherever a text repeats them, and masked without moving what stands around."""

import re
from collections.abc import Collection, Iterable, Sequence

MASK = "\u2588"
#: What ends a sentence stays, so that its neighbours are still read as sentences of their own.
ENDS = ".!?\u3002\uff01\uff1f"
#: Shorter statements are masked where their passages are and looked for nowhere else: "Yes." is in every text.
LEAST_CHARACTERS = 10
#: So many words are looked for in one query.
AT_ONCE = 100

Span = tuple[int, int]


def masked(text: str, spans: Iterable[Span]) -> str:
    """The text with these spans blotted out. It stays as long as it is, so every other place in it stays right."""
    letters = list(text)
    for start, end in spans:
        for place in range(max(start, 0), min(end, len(letters))):
            if letters[place] not in "\r\n" and not _ends_a_sentence(text, place, end):
                letters[place] = MASK
    return "".join(letters)


def _ends_a_sentence(text: str, place: int, end: int) -> bool:
    return text[place] in ENDS and not text[place + 1 : end].strip()


def is_blotted_out(text: str) -> bool:
    """Whether nothing is left to read."""
    return not any(character.isalnum() for character in text)


class Needles:
    """Statements to look for: whatever the case and the white space, and as whole words."""

    def __init__(self, texts: Collection[str]) -> None:
        bare = {each.strip().rstrip(ENDS + MASK).strip() for each in texts}
        self.texts = sorted(
            (each for each in bare if len(each) >= LEAST_CHARACTERS), key=lambda each: (-len(each), each)
        )
        self._patterns = [re.compile(_pattern(each), re.IGNORECASE) for each in self.texts]

    def spans(self, text: str) -> list[Span]:
        return [match.span() for pattern in self._patterns for match in pattern.finditer(text)]

    def mask(self, text: str) -> str:
        return masked(text, self.spans(text))

    def in_sql(self) -> Iterable[Sequence[str]]:
        """Patterns for ILIKE ANY, some at a time."""
        patterns = [like(each) for each in self.texts]
        for start in range(0, len(patterns), AT_ONCE):
            yield patterns[start : start + AT_ONCE]


def like(text: str) -> str:
    """A pattern for ILIKE; any white space matches more of it."""
    quoted = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{'%'.join(quoted.split())}%"


def _pattern(text: str) -> str:
    inside = r"\s+".join(re.escape(each) for each in text.split())
    before = r"(?<!\w)" if text[0].isalnum() else ""
    after = r"(?!\w)" if text[-1].isalnum() else ""
    return f"{before}{inside}{after}"
