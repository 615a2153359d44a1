"""Which reader serves this process: the plain one, unless a setting names another."""

from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from memories.reading import Reader


def reader() -> Reader:
    """The reader that the setting READER names by its dotted path."""
    return _built(settings.READER)


@cache
def _built(path: str) -> Reader:
    made: Reader = import_string(path)()
    return made
