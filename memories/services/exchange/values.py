"""How one value stands in a line, and how it is read back. What is wrong with one is a ValueError with a sentence."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.postgres.fields import ArrayField
from django.db import models

from memories import screening
from memories.models import Product

#: Where the history keeps ids among its plain words.
IDS_IN_CONTEXT = ("agent", "source", "pair", "act")
ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
MOST_IN_AN_INTEGER = 2**31 - 1


@dataclass(slots=True)
class Arrival:
    """Where lines are read into. `has_new_ids` gives every row another id, the same one whenever it is named."""

    product: Product
    has_new_ids: bool = False
    _people: dict[str, int] = field(default_factory=dict)

    def id(self, text: Any) -> UUID:
        if not isinstance(text, str):
            raise ValueError(f"{text!r} is not an id")
        try:
            told = UUID(text)
        except ValueError:
            raise ValueError(f"{text!r} is not an id") from None
        return self._another(told) if self.has_new_ids else told

    def _another(self, told: UUID) -> UUID:
        """The first half tells the time, so it stays and ids still sort by it; the second half is made anew."""
        digest = sha256(self.product.pk.bytes + told.bytes).digest()
        return UUID(bytes=told.bytes[:8] + bytes([0x80 | digest[0] & 0x3F]) + digest[1:8])

    def sentence(self, words: str) -> str:
        """Reasons may name a memory ("duplicate of …")."""
        return ID.sub(lambda found: str(self.id(found[0])), words) if self.has_new_ids else words

    def person(self, username: Any) -> int:
        """The person of this name. Where there is none, one who can't log in stands for them, so that names stay."""
        if not isinstance(username, str) or not 1 <= len(username) <= 150 or screening.storable(username)[1]:
            raise ValueError(f"{username!r} is not the name of a person")
        if username not in self._people:
            user, is_new = get_user_model().objects.get_or_create(username=username, defaults={"is_active": False})
            if is_new:
                user.set_unusable_password()
                user.save()
            self._people[username] = user.pk
        return self._people[username]


def leave(value: Any) -> Any:
    """A value of a row as JSON has it."""
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return value


def arrive(column: "models.Field[Any, Any]", value: Any, arrival: Arrival) -> Any:
    """A value of a line as the column has it."""
    if value is None:
        if not column.null:
            raise ValueError("must not be null")
        return None
    if isinstance(column, models.ForeignKey):
        target = column.target_field
        return arrival.person(value) if column.related_model is get_user_model() else arrive(target, value, arrival)
    for kind, read in READERS:
        if isinstance(column, kind):
            return read(column, value, arrival)
    raise TypeError(f"Say how {column} is read back.")


def context(told: Any, arrival: Arrival) -> Any:
    """Who did it, as history keeps it: ids among plain words."""
    if not isinstance(told, dict) or not all(isinstance(each, str | None) for each in told.values()):
        raise ValueError("must be an object of words")
    known = {name: str(arrival.id(told[name])) for name in IDS_IN_CONTEXT if told.get(name)}
    why = {"why": arrival.sentence(told["why"])} if told.get("why") else {}
    return _storable(told | known | why)


def sentence(told: Any, arrival: Arrival) -> str:
    """Words that may name a memory."""
    if not isinstance(told, str):
        raise ValueError("must be a string")
    return arrival.sentence(str(_storable(told)))


def similar(told: Any, arrival: Arrival) -> Any:
    if not isinstance(told, list) or not all(isinstance(each, dict) for each in told):
        raise ValueError("must be a list of objects")
    return _storable([each | {"memory": str(arrival.id(each.get("memory")))} for each in told])


def _uuid(column: Any, value: Any, arrival: Arrival) -> UUID:
    return arrival.id(value)


def _time(column: Any, value: Any, arrival: Arrival) -> datetime:
    try:
        read = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError(f"{value!r} is not a time such as 2026-07-12T09:00:00Z") from None
    if read.tzinfo is None:
        raise ValueError(f"{value!r} has no offset; write it as 2026-07-12T09:00:00Z")
    return read


def _bytes(column: Any, value: Any, arrival: Arrival) -> bytes:
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError):
        raise ValueError("must be hexadecimal digits") from None


def _boolean(column: Any, value: Any, arrival: Arrival) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _integer(column: Any, value: Any, arrival: Arrival) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_IN_AN_INTEGER:
        raise ValueError("must be a whole number of 0 or more")
    return value


def _text(column: Any, value: Any, arrival: Arrival) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a string")
    if column.choices and value not in dict(column.flatchoices) and not (value == "" and column.blank):
        raise ValueError(f"{value!r} is none of: {', '.join(str(word) for word, _ in column.flatchoices)}")
    if column.max_length and len(value) > column.max_length:
        raise ValueError(f"has at most {column.max_length} characters")
    return str(_storable(value))


def _words(column: Any, value: Any, arrival: Arrival) -> list[str]:
    if not isinstance(value, list):
        raise ValueError("must be a list of strings")
    return [_text(column.base_field, each, arrival) for each in value]


def _json(column: Any, value: Any, arrival: Arrival) -> Any:
    if not isinstance(value, type(column.get_default())):
        raise ValueError(f"must be {'an object' if column.get_default() == {} else 'a list'}")
    return _storable(value)


def _storable(value: Any) -> Any:
    """JSON may name characters that no database stores; those never came out of one."""
    texts: list[Any] = [value]
    while texts:
        each = texts.pop()
        if isinstance(each, dict):
            texts += [*each, *each.values()]
        elif isinstance(each, list):
            texts += each
        elif isinstance(each, str) and screening.storable(each)[1]:
            raise ValueError("holds NUL bytes or broken characters")
    return value


#: By the type of the column; the first that fits.
READERS: "list[tuple[type[models.Field[Any, Any]], Callable[[Any, Any, Arrival], Any]]]" = [
    (models.UUIDField, _uuid),
    (models.DateTimeField, _time),
    (models.BinaryField, _bytes),
    (models.BooleanField, _boolean),
    (models.IntegerField, _integer),
    (models.JSONField, _json),
    (ArrayField, _words),
    (models.TextField, _text),
    (models.CharField, _text),
]
