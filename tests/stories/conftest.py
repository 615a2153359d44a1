"""Stories are told at the REST door, by the same agents."""

from tests.api.conftest import door, nobody, other, stranger

__all__ = ["door", "nobody", "other", "stranger"]
