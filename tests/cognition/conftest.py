"""How tests of the steps run them: now, all or some, by a person."""

from collections.abc import Callable

import pytest

from memories.choices import Trigger
from memories.cognition import runner
from memories.models import CognitionRun, Product

Think = Callable[..., dict[str, CognitionRun]]


@pytest.fixture
def think(lighthouse: Product) -> Think:
    """Run the steps named, or all, in the product; none of them fails."""

    def run(*only: str) -> dict[str, CognitionRun]:
        rows = runner.run(lighthouse, trigger=Trigger.PERSON, only=only)
        assert rows is not None
        assert [row.error for row in rows if row.error] == []
        return {row.step: row for row in rows}

    return run
