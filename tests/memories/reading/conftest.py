from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from memories.reading import Context, PlainReader, Statement

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

Read = Callable[..., list[Statement]]


@pytest.fixture
def read() -> Read:
    """Reads a text as of 1 March 2026 and holds every span to its promise."""

    def reading(text: str, **known: Any) -> list[Statement]:
        statements = PlainReader().read(text, Context(NOON, **known))
        for statement in statements:
            assert 0 <= statement.start < statement.end <= len(text)
        return statements

    return reading


@pytest.fixture
def texts(read: Read) -> Callable[..., list[str]]:
    return lambda text, **known: [statement.text for statement in read(text, **known)]
