"""What `manage.py check` says of the settings of reading."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning  # noqa: A004  # Django's names

from memories.reader import MODEL


def check_model(**_: Any) -> list[CheckMessage]:
    """A reader that asks a model needs one, and a model that nobody asks is a mistake."""
    if settings.READER != MODEL:
        if settings.MODEL:
            return [
                Warning("NEURONZ_MODEL is set and NEURONZ_READER is not `model`.", id="memories.W001",
                        hint="Set NEURONZ_READER=model, or take NEURONZ_MODEL away: texts are read by rules.")
            ]  # fmt: skip
        return []
    if not settings.MODEL or not settings.MODEL_URL:
        return [
            Error("NEURONZ_READER is `model`, and NEURONZ_MODEL or NEURONZ_MODEL_URL is missing.", id="memories.E001",
                  hint="For example NEURONZ_MODEL_URL=http://127.0.0.1:11434/v1 and NEURONZ_MODEL=llama3.2.")
        ]  # fmt: skip
    if urlsplit(settings.MODEL_URL).scheme not in ("http", "https"):
        return [
            Error("NEURONZ_MODEL_URL is no http or https address.", id="memories.E002",
                  hint="With most servers it ends in /v1, for example http://127.0.0.1:8000/v1.")
        ]  # fmt: skip
    return []
