"""Time zones by their IANA names."""

from zoneinfo import available_timezones

from django.core.exceptions import ValidationError


def validate_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError(f"{name!r} is no time zone; use a name such as UTC or Europe/Berlin.")
