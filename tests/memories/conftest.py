"""What the tests of memories fake besides: the reader."""

from typing import cast

import pytest
from pytest_django import Settings

from memories import reader
from tests.stubs import StubReader


@pytest.fixture
def stub_reader(settings: Settings) -> StubReader:
    """Every sentence is a statement, and verdicts are what the test says."""
    settings.READER = "tests.stubs.StubReader"
    stub = cast("StubReader", reader.reader())
    stub.reset()
    return stub
