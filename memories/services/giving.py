"""What a session was given by recall: remembered for some days, so that nothing is said twice unless it changed."""

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from memories.models import Given, Memory

KEPT = timedelta(days=7)
#: So many are remembered of one session, the latest.
MOST = 2_000


def in_session(agent_id: UUID, session: str) -> dict[UUID, str]:
    """Each item that the session was given, and how it stood then."""
    return dict(Given.objects.filter(agent_id=agent_id, session=session).values_list("item", "state"))


def remember(agent_id: UUID, session: str, items: Mapping[UUID, str]) -> None:
    """Note what is given now. Two recalls at once may both give the same: neither fails."""
    if not items:
        return
    rows = [Given(agent_id=agent_id, session=session, item=item, state=state) for item, state in items.items()]
    Given.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["agent", "session", "item"], update_fields=["state"]
    )
    given = Given.objects.filter(agent_id=agent_id, session=session).order_by("-pk")
    if surplus := list(given.values_list("pk", flat=True)[MOST : 2 * MOST]):
        Given.objects.filter(pk__in=surplus).delete()


def texts(agent_id: UUID, session: str) -> list[str]:
    """What the memories said that the session was given, whatever became of them since."""
    items = Given.objects.filter(agent_id=agent_id, session=session).values("item")
    return list(Memory.objects.filter(pk__in=items).values_list("content", flat=True))


def forget_old() -> int:
    return Given.objects.filter(given_at__lt=timezone.now() - KEPT).delete()[0]
