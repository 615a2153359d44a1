"""Which reader serves this process: the plain one, unless a setting names another."""

from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from memories import embeddings
from memories.embeddings import Vector
from memories.reading import Reader
from memories.reading.calling import Door, Mode, OpenAIModel
from memories.reading.cross_encoder import CrossEncoderJudge, Judged
from memories.reading.labels import SPACE
from memories.reading.llm import ModelReader

#: What READER may say instead of a dotted path.
PLAIN, MODEL = "plain", "model"
_PATHS = {PLAIN: "memories.reading.PlainReader"}


def reader() -> Reader:
    """The reader that the setting READER names: plain, model, or the dotted path of a class."""
    return _built(settings.READER, model_door(), settings.JUDGE)


def asks_a_model() -> bool:
    """Whether two readings of one text may differ."""
    return bool(settings.READER == MODEL)


def model_door() -> Door | None:
    if not settings.MODEL_URL or not settings.MODEL:
        return None
    return Door(
        settings.MODEL_URL, settings.MODEL, settings.MODEL_KEY, settings.MODEL_TIMEOUT, Mode(settings.MODEL_OUTPUT)
    )


@cache
def _built(named: str, door: Door | None, judge: str) -> Reader:
    made = _reading(named, door)
    return Judged(made, CrossEncoderJudge(judge)) if judge else made


def _reading(named: str, door: Door | None) -> Reader:
    if named == MODEL:
        if door is None:
            raise ValueError("NEURONZ_READER is model; NEURONZ_MODEL_URL and NEURONZ_MODEL say which.")
        return ModelReader(OpenAIModel(door))
    made: Reader = import_string(_PATHS.get(named, named))()
    return made


def labelling(vector: Vector | None) -> Vector | None:
    """The vector, if labels can be read from it: those of another model lie in another space."""
    return vector if embeddings.current().name == SPACE else None


def judging(similarity: float) -> float | None:
    """The cosine of two statements, if the judge was taught by cosines of the model that serves."""
    return similarity if embeddings.current().name == SPACE else None
