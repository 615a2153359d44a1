"""The Celery application. Everything it does is in settings, under names that begin with CELERY_."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, task_postrun, task_prerun, worker_init
from django.conf import settings

from neuronz import logs
from neuronz.embedded import VALKEY

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")

app = Celery("neuronz")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def leave_logging_alone(**_: object) -> None:
    """LOGGING in the settings holds for all processes; Celery keeps out of it once somebody listens here."""


_lines: dict[str, Any] = {}


@task_prerun.connect
def name_the_task_in_the_log(task_id: str, task: Any, **_: object) -> None:
    """Lines of a task carry its id as lines of a request carry the request's."""
    lines = logs.about(request=task_id, task=task.name)
    lines.__enter__()
    _lines[task_id] = lines


@task_postrun.connect
def leave_the_task(task_id: str, **_: object) -> None:
    lines = _lines.pop(task_id, None)
    if lines:
        lines.__exit__(None, None, None)


@worker_init.connect
def take_up_what_a_dead_worker_held(**_: object) -> None:
    """Put tasks back that were handed out and never finished, instead of waiting for the broker's timeout.

    The embedded broker has one worker, so whatever is handed out while it starts belongs to nobody.
    """
    if VALKEY not in settings.EMBEDDED:
        return
    with app.connection_for_write() as connection:
        channel: Any = connection.default_channel  # the stubs know only what all transports have
        channel.visibility_timeout = 0
        channel.qos.restore_visible(num=None)
