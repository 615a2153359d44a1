"""Which reader serves this process: the plain one, unless a setting names another."""

from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from memories import embeddings
from memories.embeddings import Vector
from memories.reading import Reader
from memories.reading.labels import SPACE


def reader() -> Reader:
    """The reader that the setting READER names by its dotted path."""
    return _built(settings.READER)


@cache
def _built(path: str) -> Reader:
    made: Reader = import_string(path)()
    return made


def labelling(vector: Vector | None) -> Vector | None:
    """The vector, if labels can be read from it: those of another model lie in another space."""
    return vector if embeddings.current().name == SPACE else None


def judging(similarity: float) -> float | None:
    """The cosine of two statements, if the judge was taught by cosines of the model that serves."""
    return similarity if embeddings.current().name == SPACE else None
