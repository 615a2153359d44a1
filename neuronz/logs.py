"""Log lines: for people, or one JSON object each. Who asked and which request it was go along; content never does.

Each request has an id: the one that a caller sent as `X-Request-ID`, or a new one. Each background task has its own.
"""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from django.core.exceptions import ImproperlyConfigured
from django.db.utils import InterfaceError, OperationalError

SENT_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
#: What a record may carry beside its message, in this order. Anything else that a library attaches is left out.
TOLD = ("request", "product", "agent", "task", "method", "route", "status", "ms")

#: Exceptions about connections, files and modules.
TELLING = (OperationalError, InterfaceError, OSError, ImportError, ImproperlyConfigured)

_about: ContextVar[Mapping[str, Any]] = ContextVar("what_a_log_line_is_about", default={})  # noqa: B039  # never changed


def request_id(sent: str) -> str:
    """The caller's own id where it looks like one, so that its logs and ours meet; else a new one."""
    return sent if SENT_ID.fullmatch(sent) else uuid4().hex


@contextmanager
def about(**told: Any) -> Iterator[None]:
    """Lines that are logged inside say so."""
    token = _about.set({**_about.get(), **told})
    try:
        yield
    finally:
        _about.reset(token)


class Context(logging.Filter):
    """Puts what a line is about onto the record, and takes the address out of Django's: it holds what callers like."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == "django.request" and record.msg == "%s: %s" and isinstance(record.args, tuple):
            record.msg, record.args = "%s", record.args[:1]
        for name, value in _about.get().items():
            if not hasattr(record, name):
                setattr(record, name, value)
        return True


def _told(record: logging.LogRecord, names: tuple[str, ...] = TOLD) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names if isinstance(getattr(record, name, None), str | int | float)}


class Line(logging.Formatter):
    """For people: time, level, name, message, and what it is about in brackets."""

    def format(self, record: logging.LogRecord) -> str:
        told = _told(record, ("request", "product", "agent", "task", "ms"))  # the message says the rest
        suffix = f" [{' '.join(f'{name}={value}' for name, value in told.items())}]" if told else ""
        line = super().format(record)
        first, separator, rest = line.partition("\n")
        return f"{first}{suffix}{separator}{rest}"


class JsonLine(logging.Formatter):
    """For programs. Of an exception it tells the type and where it was raised: its text may quote content."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname, "logger": record.name, "message": record.getMessage(), **_told(record),
        }  # fmt: skip
        if record.exc_info and record.exc_info[0]:
            told |= {"exception": named(record.exc_info[1]), "trace": _trace(record.exc_info[2])}
        return json.dumps(told, ensure_ascii=False)


class Traceless(Line):
    """Exceptions as their type and place, and their text only where it can't quote what was stored."""

    def formatException(self, ei: Any) -> str:  # noqa: N802  # logging's name
        _, error, trace = ei
        return "\n".join([*(f"  {each}" for each in _trace(trace)), named(error)])


def named(error: BaseException | None) -> str:
    """The text of most exceptions may repeat a value, a row or a statement; that of these is about the machine."""
    if error is None:
        return ""
    kind = type(error).__name__
    return f"{kind}: {error}" if isinstance(error, TELLING) else kind


def _trace(trace: Any) -> list[str]:
    found = []
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append(f"{code.co_filename}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return found
