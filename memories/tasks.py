"""Background work. A task is a door: it loads, calls one service, and logs counts."""

import logging
from uuid import UUID

from celery import shared_task
from kombu.exceptions import OperationalError

from memories.services import claims, embedding_upkeep, giving, idempotency, statements, word_upkeep

logger = logging.getLogger(__name__)


def enqueue_reading(write_id: UUID) -> None:
    """A dead broker loses nothing: the write is in the database, and the sweeper queues it again."""
    try:
        read_write.delay(str(write_id))
    except OperationalError:
        logger.warning("The broker can't be reached; write %s waits for the sweeper.", write_id)


@shared_task
def read_write(write_id: str) -> None:
    if statements.read_write(UUID(write_id)):
        logger.info("Read write %s.", write_id)


@shared_task
def sweep_writes() -> None:
    """Queue again what a lost message or a dead worker left behind."""
    forgotten = claims.forgotten()
    for write_id in forgotten:
        enqueue_reading(write_id)
    if forgotten:
        logger.info("Queued %d forgotten writes again.", len(forgotten))


@shared_task
def embed_waiting() -> None:
    """Vectors for memories that have none in the serving model, or whose last try failed."""
    done = embedding_upkeep.embed_waiting()
    if done:
        logger.info("Embedded %d waiting memories.", done)


@shared_task
def build_vector_indexes() -> None:
    """An index of its own for each product that has outgrown the exact scan."""
    for name in embedding_upkeep.build_wanted_indexes():
        logger.info("Built the vector index %s.", name)


@shared_task
def keep_word_index() -> None:
    """The words of rows that an older version wrote, and how rare the terms of large pools are."""
    if done := word_upkeep.index_waiting():
        logger.info("Indexed the words of %d memories.", done)
    if pools := word_upkeep.recount():
        logger.info("Counted the terms of %d pools.", pools)


@shared_task
def forget_what_was_given() -> None:
    """What recall gave in a session is remembered for some days."""
    if forgotten := giving.forget_old():
        logger.info("Forgot %d things given by recall.", forgotten)


@shared_task
def forget_old_answers() -> None:
    """Answers kept under an Idempotency-Key have a day to live."""
    if forgotten := idempotency.forget_old():
        logger.info("Forgot %d kept answers.", forgotten)
