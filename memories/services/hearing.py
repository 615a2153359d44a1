"""What is read of a text: all of it, or of a session's message only what was said there.

In a session, machines' output and an assistant's proposals say nothing, and what recall gave there is no news.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet

from memories import screening
from memories.models import CapturedMessage, Write
from memories.querysets import UNFINISHED
from memories.reader import reader
from memories.reading import Context, Statement, session
from memories.services import giving


def read(write: Write, context: Context) -> Sequence[Statement]:
    """The statements of a write, in the text's order. Slow; writes nothing."""
    text = write.raw.content
    if screening.is_binary(text):
        return []
    message = _message(write)
    if message is None:
        return reader().read(text, context)
    if not session.is_heard(message.role):
        return []
    found = reader().read(session.audible(text, message.role), context)
    claims = [each for each in found if session.is_claim(each.text, message.role)]
    return _news(claims, message) if claims else []


def _news(claims: Sequence[Statement], message: CapturedMessage) -> Sequence[Statement]:
    echoes = session.Echoes(giving.texts(message.agent_id, message.session))
    return [each for each in claims if not echoes.repeats(each.text, message.role)]


def following(write: Write) -> UUID | None:
    """The write that may be read now that this one is finished: the next message of its session."""
    message = _message(write)
    if message is None:
        return None
    return unfinished(message.agent_id, message.session).filter(pk__gt=message.pk).first()


def unfinished(agent_id: UUID, session_name: str) -> "QuerySet[CapturedMessage, UUID]":
    """The writes of a session that are not read yet, in its order."""
    rows = CapturedMessage.objects.filter(agent_id=agent_id, session=session_name, write__state__in=UNFINISHED)
    return rows.order_by("pk").values_list("write_id", flat=True)


def _message(write: Write) -> CapturedMessage | None:
    return CapturedMessage.objects.filter(write=write).first()
