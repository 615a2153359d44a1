"""Field types of the doors: strict about shape, clear about what would have worked."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memories import limits
from memories.services.drafts import NO_TIME, About

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
#: A NUL character as JSON writes it; after an odd number of backslashes those are text.
NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses unknown and immutable keys by name, instead of ignoring them."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = [str(key) for key in data if key not in self.fields]
            if unknown:
                known = ", ".join(self.fields)
                raise serializers.ValidationError({key: [f"Not a field here. Known: {known}."] for key in unknown})
        return super().to_internal_value(data)


class TextField(serializers.CharField):
    """A string, taken as it is: a number or a list is refused, not turned into text."""

    default_error_messages = {
        "blank": "This needs at least one character that is no space; leave it out to say nothing.",
        "null": "This must be a string, not null.",
    }

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("trim_whitespace", False)
        super().__init__(**kwargs)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is not serializers.empty and data is not None and not isinstance(data, str):
            raise serializers.ValidationError("This must be a string.")
        return super().run_validation(data)


class OneOf(serializers.ChoiceField):
    """One of a few words; the refusal names them."""

    def __init__(self, choices: Any, **kwargs: Any) -> None:
        super().__init__(choices, **kwargs)
        choices = ", ".join(map(str, self.choices))
        self.error_messages["invalid_choice"] = f"{{input!r}} is none of: {choices}."
        self.error_messages["null"] = f"null is none of: {choices}; leave it out instead."


class VerbatimField(TextField):
    """A text that is kept whatever it holds; the service says what had to be replaced."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_blank=True, **kwargs)
        self.validators = []


class FlagField(serializers.BooleanField):
    """true or false; in a query string also 1 and 0."""

    #: A query string without the flag says nothing: only for forms of HTML does a missing box mean "no".
    default_empty_html = serializers.empty
    TRUE_VALUES = {True, "true", "True", "1"}
    FALSE_VALUES = {False, "false", "False", "0"}
    default_error_messages = {
        "invalid": "This must be true or false.",
        "null": "This must be true or false; leave it out for the default.",
    }

    def to_internal_value(self, data: Any) -> bool:
        if isinstance(data, int) and not isinstance(data, bool):
            raise serializers.ValidationError("This must be true or false.")
        return super().to_internal_value(data)


class ManyField(serializers.ListField):
    """A list of strings; one string counts as a list of one. Never split into letters."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("child", TextField())
        super().__init__(**kwargs)

    def get_value(self, dictionary: Any) -> Any:
        if hasattr(dictionary, "getlist"):
            return dictionary.getlist(self.field_name) or serializers.empty
        return dictionary.get(self.field_name, serializers.empty)

    def to_internal_value(self, data: Any) -> list[str]:
        if isinstance(data, str):
            data = [data]
        if not isinstance(data, list | tuple):
            raise serializers.ValidationError("This must be a string or a list of strings.")
        return list(dict.fromkeys(super().to_internal_value(list(data))))

    def run_child_validation(self, data: list[Any]) -> list[str]:
        """A refusal names the field, not the place in it: the sentence quotes what is wrong."""
        return [self.child.run_validation(each) for each in data]


class TagsField(ManyField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=TextField(max_length=limits.TAG_CHARACTERS), max_length=limits.TAGS, **kwargs)


class MetadataField(serializers.DictField):
    """An object, kept as equal JSON and never interpreted."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise serializers.ValidationError("This must be an object.")
        if _is_deeper(data, limits.METADATA_LEVELS):
            raise serializers.ValidationError(f"Metadata is nested at most {limits.METADATA_LEVELS} levels deep.")
        try:
            size = len(json.dumps(data, ensure_ascii=False, allow_nan=False).encode())
        except ValueError:
            raise serializers.ValidationError("This must be plain JSON in UTF-8.") from None
        if size > limits.METADATA_BYTES:
            raise serializers.ValidationError(
                f"Metadata has at most {limits.METADATA_BYTES:,} bytes, this has {size:,}."
            )
        if NUL.search(json.dumps(data)):
            raise serializers.ValidationError("Metadata can't hold NUL characters.")
        return data


def _is_deeper(value: Any, levels: int) -> bool:
    """Level by level, without recursion: what was just shallow enough to be parsed might not be to be written."""
    layer = [value]
    for _ in range(levels + 1):
        inner = [each.values() if isinstance(each, dict) else each for each in layer if isinstance(each, dict | list)]
        layer = [each for values in inner for each in values]
    return bool(layer)


@extend_schema_field(
    {"type": "string", "description": "ISO 8601 with an offset, or a plain date.", "example": "2026-07-12"}
)
class MomentField(serializers.Field[datetime, Any, str, Any]):
    """An ISO 8601 instant with an offset, or a plain date: the day's first or last moment in the product's zone."""

    def __init__(self, *, is_end: bool = False, **kwargs: Any) -> None:
        self.is_end = is_end
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> datetime:
        if not isinstance(data, str):
            raise serializers.ValidationError("This must be a string such as 2026-07-12T09:30:00+02:00 or 2026-07-12.")
        try:
            moment = self._day(data) if DAY.fullmatch(data) else datetime.fromisoformat(data)
            if moment.tzinfo is not None:
                return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            raise serializers.ValidationError(
                "No such time; use a form such as 2026-07-12T09:30:00+02:00 or 2026-07-12."
            ) from None
        raise serializers.ValidationError("A time needs an offset, such as 2026-07-12T09:30:00+02:00 or …Z.")

    def _day(self, data: str) -> datetime:
        zone = ZoneInfo(self.context.get("zone", "UTC"))
        return datetime.combine(date.fromisoformat(data), time.max if self.is_end else time.min, tzinfo=zone)

    def to_representation(self, value: datetime) -> str:
        return value.astimezone(UTC).isoformat()


@extend_schema_field(
    {
        "type": "object",
        "nullable": True,
        "additionalProperties": False,
        "properties": {
            name: {"type": "string", "nullable": True, "example": "2026-07-12"} for name in ("from", "until")
        },
    }
)
class AboutField(serializers.Field[About, Any, Any, Any]):
    """`{"from": …, "until": …}`, either may be null; or a plain date for that whole day."""

    def to_internal_value(self, data: Any) -> About:
        if isinstance(data, str):
            data = {"from": data, "until": data}
        if not isinstance(data, Mapping) or set(data) - {"from", "until"}:
            raise serializers.ValidationError('This must be an object with "from" and "until", or a plain date.')
        about = About(self._bound(data.get("from"), is_end=False), self._bound(data.get("until"), is_end=True))
        if about.start and about.until and about.start > about.until:
            raise serializers.ValidationError("It ends before it begins; swap from and until.")
        return about

    def _bound(self, value: Any, *, is_end: bool) -> datetime | None:
        if value is None:
            return None
        field = MomentField(is_end=is_end)
        field.parent = self.parent
        return field.to_internal_value(value)

    def get_default(self) -> About:
        return NO_TIME

    def to_representation(self, value: About) -> Any:
        return {"from": value.start, "until": value.until}
