"""`manage.py up`: all of Neuronz on this machine, until Ctrl-C. `bin/up` calls it."""

import http.client
import os
import secrets
import time
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from neuronz import embedded
from neuronz.embedded import StartError
from neuronz.embedded.attachment import Attachment
from neuronz.embedded.locks import BusyError, FileLock
from neuronz.management.commands.demo import ANOTHER_KEY, make_demo
from neuronz.running import preflight
from neuronz.running.banner import Welcome
from neuronz.running.supervisor import Child, Supervisor

#: Addresses that mean "all of this machine's" are for listening; a browser needs a real one.
REACHED_AT = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}  # noqa: S104 -- compared, not bound
#: A web server that ends this often before it has answered once will not get better by itself.
MOST_FAILED_STARTS = 3


class Command(BaseCommand):
    help = "Run all of Neuronz on this machine: database, broker, web, worker and beat, until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST, help="Address to listen on (NEURONZ_HOST).")
        parser.add_argument("--port", default=settings.PORT, type=_port, help="Port to listen on (NEURONZ_PORT).")

    def handle(self, *_: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        embedded.make_data_dir(settings.DATA_DIR)
        with self._only_one(f"http://{_reached_at(host)}:{port}"):
            preflight.require_address(host, port)
            attachment = Attachment(settings.DATA_DIR, settings.EMBEDDED)
            try:
                Run(self, attachment, host, port).start_and_stay()
            except KeyboardInterrupt:
                self.say("Stopped before it had started.")
            finally:
                connection.close()
                attachment.release()

    def _only_one(self, url: str) -> FileLock:
        """Two on the same data would run two workers and two beats."""
        note = settings.DATA_DIR / "locks" / "up.note"
        try:
            lock = FileLock(settings.DATA_DIR / "locks" / "up", wait=False)
        except BusyError:
            who = note.read_text() if note.exists() else "just starting"
            raise StartError(
                f"Neuronz is already running on {settings.DATA_DIR} ({who}); "
                "stop it first, or set NEURONZ_DATA_DIR and NEURONZ_PORT to run another."
            ) from None
        note.write_text(f"process {os.getpid()}, {url}")
        return lock

    def say(self, sentence: str) -> None:
        """It may be piped into a log that somebody follows; and the terminal may be gone, which must not stop us."""
        with suppress(OSError):
            self.stdout.write(sentence)
            self.stdout.flush()


class Run:
    """One run, from the first check to the last process stopped."""

    def __init__(self, command: Command, attachment: Attachment, host: str, port: int) -> None:
        self._command, self._attachment, self._host, self._port = command, attachment, host, port
        self._is_serving = False
        self._next_check = 0.0

    def start_and_stay(self) -> None:
        preflight.require_database()
        preflight.require_broker()
        self._migrate()
        connection.close()
        forget_counts()
        self._web, *self._others = children(self._host, self._port)
        self._supervisor = Supervisor(say=self._command.say)
        self._supervisor.add(self._web)
        self._supervisor.listen()
        try:
            self._supervisor.run(self._each_round)
        finally:
            self._command.say("Stopping …")
            self._supervisor.stop()
        self._command.say("Stopped.")

    def _migrate(self) -> None:
        executor = MigrationExecutor(connection)
        steps = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
        if not steps:
            return
        self._command.say(f"Bringing the database up to date ({steps} steps) …")
        try:
            call_command("migrate", interactive=False, verbosity=0)
        except DatabaseError as error:
            raise StartError(f"The database could not be brought up to date: {error}") from error

    def _each_round(self) -> None:
        if not self._is_serving:
            self._look_for_the_first_answer()
        if time.monotonic() >= self._next_check:
            self._next_check = time.monotonic() + 2
            self._look_after_servers()

    def _look_for_the_first_answer(self) -> None:
        if self._web.failures >= MOST_FAILED_STARTS:
            log = self._web.log
            raise StartError(f"The web server does not start; its log {log} ends with: {last_line(log)}")
        if answers(_reached_at(self._host), self._port):
            self._is_serving = True
            # Only now, so that they don't compete for the processor with what somebody waits for.
            self._supervisor.add(*self._others)
            self._command.say(self._welcome().text())
            connection.close()

    def _welcome(self) -> Welcome:
        """The password and the key are made only now that they will be seen."""
        return Welcome(
            url=os.environ.get("NEURONZ_PUBLIC_URL") or f"http://{_reached_at(self._host)}:{self._port}",
            data_dir=settings.DATA_DIR,
            another_key=ANOTHER_KEY,
            password=make_first_superuser(),
            key=make_demo(),
        )

    def _look_after_servers(self) -> None:
        try:
            for name in self._attachment.ensure():
                self._command.say(f"The embedded {name} had stopped and was started again.")
        except StartError as error:
            self._command.say(str(error))


def children(host: str, port: int) -> list[Child]:
    """Web first. Beat's memory of what it did when lies with the data."""
    os.environ |= {"NEURONZ_DATA_DIR": str(settings.DATA_DIR), "NEURONZ_HOST": host, "NEURONZ_PORT": str(port)}
    web = ["uvicorn", "neuronz.asgi:application", "--host", host, "--port", str(port), "--no-access-log"]
    web += ["--lifespan", "on", "--timeout-graceful-shutdown", "5", "--no-server-header"]
    # One process with threads, so that one embedding model is loaded, not one per task at a time.
    worker = ["celery", "-A", "neuronz", "worker", "--pool", "threads", "--concurrency", "3"]
    worker += ["--without-gossip", "--without-mingle"]
    beat = ["celery", "-A", "neuronz", "beat", "--pidfile", ""]
    beat += ["--schedule", str(settings.DATA_DIR / "beat-schedule")]
    commands = {"web": web, "worker": worker, "beat": beat}
    return [Child(name, command, embedded.log_file(settings.DATA_DIR, name)) for name, command in commands.items()]


def forget_counts() -> None:
    """Prometheus expects counters to begin anew with a start; files of processes that are gone would only pile up."""
    for file in Path(settings.METRICS_DIR).glob("*.db") if settings.METRICS_DIR else ():
        file.unlink(missing_ok=True)


def make_first_superuser() -> str | None:
    """The password of `admin`, or None where there is a superuser already (or somebody of that name)."""
    users = get_user_model().objects
    if users.filter(is_superuser=True).exists() or users.filter(username="admin").exists():
        return None
    password = secrets.token_urlsafe(12)
    users.create_superuser("admin", password=password)
    return password


def answers(host: str, port: int) -> bool:
    """Any answer but a failure will do: /healthz may be refused to the name by which we ask, or sent on to HTTPS."""
    web = http.client.HTTPConnection(host.strip("[]"), port, timeout=2)
    try:
        web.request("GET", "/healthz")
        return web.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        web.close()


def last_line(log: Path) -> str:
    """The last that says why: an error's own line, not the trace above it nor the web server's farewell below it."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    telling = [line for line in lines if line and not line.startswith((" ", "INFO:", "ERROR:"))]
    return telling[-1] if telling else "(nothing)"


def _reached_at(host: str) -> str:
    return REACHED_AT.get(host, f"[{host}]" if ":" in host else host)


def _port(text: str) -> int:
    """As NEURONZ_PORT takes it."""
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise ArgumentTypeError(f"{text!r} is no port; it takes a whole number from 1 to 65535")
    return int(text)
