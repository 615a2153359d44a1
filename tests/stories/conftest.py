"""Stories are told at the REST door, by the same agents."""

from typing import cast

import pytest
from pytest_django import Settings

from memories import reader
from tests.api.conftest import door, nobody, other, stranger
from tests.stubs import StubReader

__all__ = ["door", "nobody", "other", "stranger"]


@pytest.fixture
def stub_reader(settings: Settings) -> StubReader:
    """Every sentence is a statement, and verdicts are what the test says."""
    settings.READER = "tests.stubs.StubReader"
    stub = cast("StubReader", reader.reader())
    stub.reset()
    return stub
