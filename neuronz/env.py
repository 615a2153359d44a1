"""Typed readers of the environment. A bad value is refused with a sentence, once, at start."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """The variable, or the content of the file that NAME_FILE names, or the default."""
    path = os.environ.get(f"{name}_FILE")
    if path:
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(
                f"{name}_FILE names {path!r}, which cannot be read: {error.strerror}."
            ) from error
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
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


def one_of(name: str, allowed: list[str]) -> str:
    """One of a few words; the first is the default."""
    value = text(name, allowed[0])
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}; it takes {', '.join(allowed[:-1])} or {allowed[-1]}.")
    return value


def words(name: str, default: list[str]) -> list[str]:
    """A list separated by commas."""
    value = text(name)
    return [part.strip() for part in value.split(",") if part.strip()] if value else default


def database(name: str, url: str) -> dict[str, Any]:
    """Django's description of the PostgreSQL at this URL, which is never repeated: it may hold a password."""
    example = f"{name} has to be a PostgreSQL URL, such as postgresql://user:password@db.example.org:5432/neuronz"
    try:
        # Connections stay open and are checked before use: a restarted database costs one reconnect.
        described: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True))
    except ValueError as error:
        raise ImproperlyConfigured(f"{example}; what it is cannot be read as one.") from error
    if described["ENGINE"] != "django.db.backends.postgresql" or not described["NAME"]:
        raise ImproperlyConfigured(f"{example}; it names another kind of database, or none.")
    options = described.setdefault("OPTIONS", {})
    options.setdefault("connect_timeout", 5)  # a host that is gone must not hold a request for minutes
    return described


def cache(broker_url: str) -> dict[str, Any]:
    """Django's cache beside the broker, where that is Redis or Valkey; else in the process."""
    if broker_url.startswith("redis+socket://"):
        path = unquote(broker_url.removeprefix("redis+socket://").partition("?")[0])
        return _redis(f"unix://{path}?db=1")
    if broker_url.startswith(("redis://", "rediss://")):
        parts = urlsplit(broker_url)
        return _redis(urlunsplit(parts._replace(path="/1")))
    return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}


def _redis(location: str) -> dict[str, Any]:
    options = {"socket_connect_timeout": 1, "socket_timeout": 1}  # a dead cache must not hold a request
    return {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": location, "OPTIONS": options}
