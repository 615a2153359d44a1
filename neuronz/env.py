"""Typed readers of the environment. A bad value is refused with a sentence, once, at start."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """The variable, or the content of the file that NAME_FILE names, or the default."""
    path = os.environ.get(f"{name}_FILE")
    if path:
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names {path!r}, which cannot be read: {error.strerror}.") from error
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool) -> bool:
    value = text(name).lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    if value:
        raise ImproperlyConfigured(f"{name} is {value!r}; it takes 1 or 0.")
    return default


def number(name: str, default: int, *, least: int = 0, most: int = 2**31 - 1) -> int:
    value = text(name)
    if not value:
        return default
    if not value.isdecimal() or not least <= int(value) <= most:
        raise ImproperlyConfigured(f"{name} is {value!r}; it takes a whole number from {least} to {most}.")
    return int(value)


def words(name: str, default: list[str]) -> list[str]:
    """A list separated by commas."""
    value = text(name)
    return [part.strip() for part in value.split(",") if part.strip()] if value else default
