"""Credentials at rest: encrypted with the first key, opened with any of them, so that keys can be changed.

Nothing here puts a credential into an error, a log or a repr.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

LOST = (
    "The credentials can't be opened with the present NEURONZ_SECRET_KEYS; enter them again, or bring the old key back."
)


class Sealed(Exception):
    """None of the keys opens it."""

    def __init__(self) -> None:
        super().__init__(LOST)
        self.sentence = LOST


def seal(secrets: Mapping[str, str]) -> bytes:
    """Empty for no secrets at all."""
    kept = {name: value for name, value in secrets.items() if value}
    return _box().encrypt(json.dumps(kept).encode()) if kept else b""


def unseal(sealed: bytes) -> dict[str, str]:
    if not sealed:
        return {}
    try:
        opened: dict[str, str] = json.loads(_box().decrypt(bytes(sealed)))
    except InvalidToken:
        raise Sealed from None
    return opened


def reseal(sealed: bytes) -> bytes:
    """The same secrets under the first key."""
    try:
        return _box().rotate(bytes(sealed)) if sealed else b""
    except InvalidToken:
        raise Sealed from None


def redact(text: str, secrets: Mapping[str, str]) -> str:
    """The text without any of the secrets, wherever a library has put them."""
    for value in sorted(secrets.values(), key=len, reverse=True):
        if len(value) >= 4:
            text = text.replace(value, "…")
    return text


def _box() -> MultiFernet:
    return _box_of(tuple(settings.SOURCE_SECRET_KEYS))


@lru_cache(maxsize=8)
def _box_of(keys: tuple[str, ...]) -> MultiFernet:
    """A key may be any long random text."""
    return MultiFernet([Fernet(urlsafe_b64encode(sha256(key.encode()).digest())) for key in keys])
