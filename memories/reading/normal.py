"""When two texts are the same statement (product.md §4)."""

import unicodedata


def statement_key(text: str) -> str:
    """The form in which repeats are equal: NFC, case folded, white space collapsed.

    NFC and not NFKC, which would make 2⁵ and 25 one statement. Folding can leave a string
    that is no longer composed (ǰ → ǰ), so it is composed once more.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return " ".join(folded.split())


def same_statement(one: str, other: str) -> bool:
    return statement_key(one) == statement_key(other)
