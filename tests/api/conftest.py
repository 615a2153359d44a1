"""Who stands at the door: its agent, another agent of the product, a stranger from another product, nobody."""

import pytest

from tests.api.door import Door


@pytest.fixture
def door(a1_key: str) -> Door:
    return Door(a1_key)


@pytest.fixture
def other(a2_key: str) -> Door:
    """Another agent of the same product."""
    return Door(a2_key)


@pytest.fixture
def stranger(b1_key: str) -> Door:
    """An agent of another product."""
    return Door(b1_key)


@pytest.fixture
def nobody(db: None) -> Door:
    return Door(None)
