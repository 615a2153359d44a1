"""Time zones by their IANA names."""

from functools import cache
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError


@cache
def known() -> frozenset[str]:
    """Read from the disk once a process: that takes longer than a request should."""
    return frozenset(available_timezones())


def validate_zone(name: str) -> None:
    if name not in known():
        raise ValidationError(f"{name!r} is no time zone; use a name such as UTC or Europe/Berlin.")
