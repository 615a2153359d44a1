"""Commands that end in a sentence: a traceback would mean a bug of ours, never bad input."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DataError, OperationalError, ProgrammingError
from psycopg.errors import UndefinedTable

from memories.errors import NeuronzError

#: What a shell expects of a program that was stopped by Ctrl-C.
STOPPED = 130


class CalmCommand(BaseCommand):
    """Bad input, a missing database and Ctrl-C end in one sentence on standard error, and an exit code other than 0."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except NeuronzError as error:
            raise CommandError(error.sentence) from error
        except (DataError, UnicodeEncodeError) as error:
            raise CommandError(f"The database can't store such a value: {_first_line(error)}.") from error
        except (OperationalError, ProgrammingError) as error:
            raise CommandError(_why_no_database(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped.", returncode=STOPPED) from None


def _why_no_database(error: OperationalError | ProgrammingError) -> str:
    """Tables that are missing have a remedy of their own; any other misuse of SQL is a bug and goes on."""
    if isinstance(error, OperationalError):
        return f"The database does not answer ({_first_line(error)}); run ./bin/up, or correct DATABASE_URL."
    if isinstance(error.__cause__, UndefinedTable):
        return "The database has no tables yet; run ./bin/up once, or `manage.py migrate`."
    raise error


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0].strip().rstrip(".")
