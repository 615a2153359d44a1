"""Background work of sources: beat asks what is due, and a worker reads one source."""

import logging
from uuid import UUID

from celery import shared_task
from kombu.exceptions import OperationalError

from memories.choices import Trigger
from sources import connections, uploads
from sources.syncing import engine

logger = logging.getLogger(__name__)


@shared_task
def sync_source(source_id: str, trigger: str = Trigger.SCHEDULE, by: str = "") -> None:
    """Ids and names alone travel: no credential is ever in a task."""
    run = engine.sync(UUID(source_id), trigger=Trigger(trigger), by=by)
    if run:
        logger.info("Source %s: %s, %d items seen, %d failed.", source_id, run.state, run.seen, run.failed)


@shared_task
def read_upload(upload_id: str) -> None:
    upload = uploads.read(UUID(upload_id))
    if upload:
        logger.info("Upload %s was read.", upload_id)


def enqueue_upload(upload_id: UUID) -> bool:
    """Whether the broker took it."""
    try:
        read_upload.delay(str(upload_id))
    except OperationalError:
        logger.warning("The broker can't be reached; upload %s waits.", upload_id)
        return False
    return True


@shared_task
def sync_due() -> None:
    """Hand out what is due. A message that is lost is due again soon."""
    for source_id in connections.take_due():
        enqueue(source_id)


def enqueue(source_id: UUID, *, trigger: Trigger = Trigger.SCHEDULE, by: str = "") -> bool:
    """Whether the broker took it."""
    try:
        sync_source.delay(str(source_id), trigger.value, by)
    except OperationalError:
        logger.warning("The broker can't be reached; source %s waits.", source_id)
        return False
    return True
