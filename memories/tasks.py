"""Background work. A task is a door: it loads, calls one service, and logs counts."""

import logging
from collections.abc import Sequence
from uuid import UUID

from celery import shared_task
from kombu.exceptions import OperationalError

from memories.choices import Trigger
from memories.cognition import claims as cognition_claims
from memories.cognition import runner
from memories.models import Product
from memories.services import claims, embedding_upkeep, giving, idempotency, standing, statements, word_upkeep

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
    """Queue again what a lost message or a dead worker left behind, and note that the clock ticks."""
    standing.note_pulse("sweep_writes")
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


@shared_task
def run_cognition(product_id: str, trigger: str = Trigger.SCHEDULE, by: str = "", only: Sequence[str] = ()) -> None:
    """All steps, or those named, in one product. On a queue of its own: it may take long."""
    for row in runner.run(Product.objects.get(pk=product_id), trigger=Trigger(trigger), by=by, only=only) or ():
        logger.info(
            "Cognition of %s: %s %s; read %d, wrote %d, proposed %d.",
            product_id, row.step, row.state, row.read, row.written, row.proposed,
        )  # fmt: skip


@shared_task
def think_when_due() -> None:
    """Hand out the products whose cognition is due. A message that is lost is due again soon."""
    for product_id in cognition_claims.take_due():
        enqueue_cognition(product_id)


def enqueue_cognition(
    product_id: UUID, *, trigger: Trigger = Trigger.SCHEDULE, by: str = "", only: Sequence[str] = ()
) -> bool:
    """Whether the broker took it."""
    try:
        run_cognition.delay(str(product_id), trigger.value, by, list(only))
    except OperationalError:
        logger.warning("The broker can't be reached; cognition of %s waits.", product_id)
        return False
    return True
