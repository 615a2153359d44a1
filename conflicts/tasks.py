"""Background work on pairs."""

import logging

from celery import shared_task

from conflicts import services

logger = logging.getLogger(__name__)


@shared_task
def wake_put_off() -> None:
    """ "Not now" comes back by itself on its date."""
    if woken := services.wake_put_off():
        logger.info("Brought back %d pairs that were put off.", woken)
