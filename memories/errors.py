"""Errors that a caller can mend: a code for programs, a sentence for people and agents, data."""

from typing import Any


class NeuronzError(Exception):
    """Base of all errors a door turns into an answer. `sentence` says what would have worked."""

    code = "error"

    def __init__(self, sentence: str, **data: Any) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.data = data


class InvalidInput(NeuronzError):
    """The input has a wrong shape. `fields` maps a field's name to what is wrong with it."""

    code = "invalid"

    def __init__(self, sentence: str, fields: dict[str, list[str]] | None = None) -> None:
        super().__init__(sentence)
        self.fields = fields or {}

    @classmethod
    def of(cls, field: str, sentence: str) -> "InvalidInput":
        return cls(sentence, {field: [sentence]})


class NotFound(NeuronzError):
    """Absent, or another's: the two answer alike."""

    code = "not_found"

    def __init__(self, sentence: str = "There is nothing with this id among what you may read.") -> None:
        super().__init__(sentence)


class Conflict(NeuronzError):
    """Someone was faster, or the state forbids it. `current` is the memory or pair as it is now."""

    code = "conflict"

    def __init__(self, sentence: str, current: Any = None) -> None:
        super().__init__(sentence)
        self.current = current


class TooLarge(NeuronzError):
    """Over a documented limit."""

    code = "too_large"

    def __init__(self, sentence: str, limit: int, *, field: str = "") -> None:
        super().__init__(sentence, limit=limit)
        self.fields = {field: [sentence]} if field else {}


class Forbidden(NeuronzError):
    """The credential is good, but not for this."""

    code = "forbidden"


class EmbedderDown(NeuronzError):
    """The embedding model cannot answer now. Never reaches a writer: memories wait as pending."""

    code = "embedder_down"
