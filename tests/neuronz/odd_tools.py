"""Tools that go wrong, for the tests of what a model then sees."""

from django.db import OperationalError

from memories.fields import StrictSerializer
from memories.serializers import MemorySerializer
from memories.services.keys import Caller
from memories.tooling import Answer, tool


class NoArguments(StrictSerializer):
    pass


@tool("Breaks", gives=MemorySerializer, read_only=True)
def breaks(caller: Caller, sent: NoArguments) -> Answer:
    """Breaks."""
    raise RuntimeError("the vault word is marigold-77")


@tool("Loses the database", gives=MemorySerializer, read_only=True)
def loses_the_database(caller: Caller, sent: NoArguments) -> Answer:
    """Loses the database."""
    raise OperationalError("server closed the connection unexpectedly")


TOOLS = [breaks, loses_the_database]
