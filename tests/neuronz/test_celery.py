"""The broker: what a dead worker held comes back, and a broker that is down holds nobody up."""

import os
import socket
import subprocess
import sys
import time

import pytest
from kombu import Connection
from kombu.exceptions import OperationalError
from pytest_django import Settings

from neuronz.celery import app, take_up_what_a_dead_worker_held


def test_a_task_that_a_dead_worker_held_is_handed_out_again(settings: Settings) -> None:
    settings.EMBEDDED = ["valkey"]
    broker = os.environ["CELERY_BROKER_URL"]
    with Connection(broker) as connection, connection.SimpleQueue("held") as queue:
        queue.put("work")
    take_and_die = (
        "import os, sys; from kombu import Connection;"
        "Connection(sys.argv[1]).SimpleQueue('held').get(timeout=10); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", take_and_die, broker], check=False)

    take_up_what_a_dead_worker_held()

    with Connection(broker) as connection, connection.SimpleQueue("held") as queue:
        message = queue.get(timeout=5)
        assert message.payload == "work"
        message.ack()


@pytest.mark.parametrize("listens", [False, True])
def test_a_broker_that_is_down_or_never_answers_is_given_up_within_seconds(listens: bool) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if listens:
            silent.listen()
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        started = time.monotonic()

        with pytest.raises(OperationalError), app.connection_for_write(url) as connection:
            app.send_task("memories.tasks.sweep_writes", connection=connection)

        assert time.monotonic() - started < 60  # redis-py by itself would wait for ever


@pytest.mark.parametrize(
    ("task", "queue"),
    [
        ("memories.tasks.read_write", "reading"),
        ("sources.tasks.sync_source", "sync"),
        ("sources.tasks.read_upload", "sync"),
        ("memories.tasks.run_cognition", "cognition"),
        ("memories.tasks.sweep_writes", "celery"),
    ],
)
def test_what_takes_long_has_a_queue_of_its_own_and_a_worker_takes_from_all(task: str, queue: str) -> None:
    app.loader.import_default_modules()
    assert task in app.tasks
    assert app.amqp.router.route({}, task)["queue"].name == queue
    assert set(app.amqp.queues.consume_from) == {"celery", "reading", "sync", "cognition"}
