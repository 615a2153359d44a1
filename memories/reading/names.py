"""Names in a statement: runs of capitalised words, and identifiers such as V-1603, orders.created or /v1/orders."""

from memories.reading.tokens import Token, tokens


def names(text: str) -> tuple[str, ...]:
    """In the order of appearance, each once. A capital at the beginning of a sentence alone is no name."""
    return names_of(tokens(text))


def names_of(found: list[Token]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(token.text for token in found if token.kind == "name"))
