"""Detached capture: the messages of a session, each kept verbatim once, and read in their order.

A client sends what it has, as often as it likes: a message is known by its agent, session and id.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction

from memories import limits
from memories.actors import Actor
from memories.choices import Scope, Tier, WriteState
from memories.errors import Forbidden, InvalidInput, TooLarge
from memories.models import CapturedMessage, Product, Write
from memories.provenance import Provenance
from memories.querysets import UNFINISHED
from memories.services import hearing, receiving, statements
from memories.services.drafts import Label
from memories.services.lifecycle import ROWS
from memories.services.receiving import Received


@dataclass(frozen=True, slots=True)
class Message:
    """What someone said in a session, verbatim."""

    id: str
    role: str
    content: str
    speaker: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """One message of a capture: its write, or why it could not be kept."""

    id: str
    write: Write | None
    #: Grows along the session.
    place: int = 0
    is_new: bool = False
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Captured:
    """Each message once, in the order in which they were sent."""

    session: str
    kept: Sequence[Kept]

    @property
    def writes(self) -> list[Write]:
        """In the order in which they are read."""
        return [each.write for each in sorted(self.kept, key=lambda each: each.place) if each.write]

    @property
    def state(self) -> WriteState:
        """Of all of them as one: done when all are; failed as soon as one is and no other waits."""
        states = {WriteState(write.state) for write in self.writes}
        if len(states) == 1:
            return states.pop()
        if states & set(UNFINISHED):
            return WriteState.READING
        return WriteState.FAILED if WriteState.FAILED in states else WriteState.DONE

    @property
    def reason(self) -> str:
        """Why some failed, and why some were not taken."""
        reasons = [each.refusal or (each.write.reason if each.write else "") for each in self.kept]
        return " ".join(dict.fromkeys(each for each in reasons if each))


@dataclass(frozen=True, slots=True)
class _Session:
    """Whose ids are asked about: the same name is another session for another agent."""

    agent_id: UUID
    name: str


def capture(
    *, by: Actor, session: str, messages: Sequence[Message], tier: Tier = Tier.INFORMAL, scope: Scope = Scope.SHARED,
    wait: bool = False,
) -> Captured:  # fmt: skip
    """Keep the messages that are new, all or none, and have them read after the earlier ones of their session.

    A message with an id that the session has already is not kept again, whatever it says now: the first stands.
    """
    if by.agent_id is None:
        raise Forbidden("Only an agent captures its sessions.")
    if len(messages) > limits.CAPTURE_MESSAGES:
        sentence = f"A capture has at most {limits.CAPTURE_MESSAGES:,} messages; send several."
        raise TooLarge(sentence, limits.CAPTURE_MESSAGES, field="messages")
    once, of = _once(messages), _Session(by.agent_id, session)
    known = _known(of, once)
    unknown = [each for each in once if each.id not in known]
    received, refused = _received(by, session, unknown, Label(tier, scope))
    if len(refused) == len(once):
        raise InvalidInput.of("messages", next(iter(refused.values())))
    new = _keep(by, of, unknown, received)
    known = _known(of, once)
    captured = Captured(session, [_kept(each.id, known, new, refused) for each in once])
    _have_read(of, captured, wait=wait)
    return captured


def _once(messages: Sequence[Message]) -> list[Message]:
    """The first of each id."""
    first: dict[str, Message] = {}
    for each in messages:
        first.setdefault(each.id, each)
    return list(first.values())


def _known(of: _Session, messages: Sequence[Message]) -> dict[str, CapturedMessage]:
    ids = [each.id for each in messages]
    rows = CapturedMessage.objects.filter(agent_id=of.agent_id, session=of.name, message__in=ids)
    return {row.message: row for row in rows.select_related("write")}


def _received(
    by: Actor, session: str, messages: Sequence[Message], label: Label
) -> tuple[dict[str, Received], dict[str, str]]:
    """Each message as it will be stored; and the sentences for those that the product does not take."""
    product = Product.objects.get(pk=by.product_id)
    received, refused = {}, {}
    for each in messages:
        said = Provenance(session=session, message=each.id, speaker=each.speaker or each.role, said_at=each.at)
        try:
            received[each.id] = receiving.receive(
                each.content, by=by, product=product, label=label, provenance=said, field_name="messages"
            )
        except InvalidInput as error:
            refused[each.id] = error.sentence
    return received, refused


def _keep(by: Actor, of: _Session, messages: Sequence[Message], received: Mapping[str, Received]) -> set[str]:
    """Store those that nobody was faster with, and name them. The session is held, so that its order is the order of
    arrival; the constraint would refuse a double all the same."""
    with transaction.atomic():
        _lock(of)
        known = _known(of, messages)
        new = [each for each in messages if each.id in received and each.id not in known]
        receiving.keep([received[each.id] for each in new], by=by)
        CapturedMessage.objects.bulk_create(
            [
                CapturedMessage(
                    product_id=by.product_id, agent_id=of.agent_id, session=of.name, message=each.id, role=each.role,
                    write=received[each.id].write,
                )
                for each in new
            ],
            batch_size=ROWS,
        )  # fmt: skip
    return {each.id for each in new}


def _lock(of: _Session) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"session:{of.agent_id}:{of.name}"])


def _kept(id_: str, known: Mapping[str, CapturedMessage], new: Collection[str], refused: Mapping[str, str]) -> Kept:
    row = known.get(id_)
    if row is None:
        return Kept(id_, None, refusal=refused[id_])
    return Kept(id_, row.write, place=row.pk, is_new=id_ in new)


def _have_read(of: _Session, captured: Captured, *, wait: bool) -> None:
    """Now, or by a worker: the session's first message that waits; whoever finishes one hands on the next."""
    if wait:
        for write_id in _up_to({each.pk for each in captured.writes}, list(hearing.unfinished(of.agent_id, of.name))):
            statements.read_write(write_id, hands_on=False)
        for write in captured.writes:
            write.refresh_from_db()
    waiting = hearing.unfinished(of.agent_id, of.name).first()
    if waiting:
        statements.enqueue(waiting)


def _up_to(captured: Collection[UUID], waiting: Sequence[UUID]) -> Sequence[UUID]:
    """What waits in the session, as far as the last of these."""
    places = [place for place, each in enumerate(waiting, start=1) if each in captured]
    return waiting[: max(places, default=0)]
