"""What a session knows already: what recall gave it, remembered for some days, and what was just said in it."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from uuid import UUID

from django.db.models import Count, Q
from django.utils import timezone

from memories.choices import Status
from memories.models import Evidence, Given, Memory

KEPT = timedelta(days=7)
#: So many are remembered of one session, the latest.
MOST = 2_000
#: What was said so lately stands in the talk itself; later it may have been summed up, and be gone.
IN_MIND = timedelta(hours=1)


def in_session(agent_id: UUID, session: str) -> dict[UUID, str]:
    """Each item that the session was given, and how it stood then."""
    return dict(Given.objects.filter(agent_id=agent_id, session=session).values_list("item", "state"))


def just_said(agent_id: UUID, session: str, memories: Collection[Memory]) -> set[UUID]:
    """Those that were captured in this session lately, and are known from nowhere else: they are no news to it.

    Whatever became of one since (confirmed, disputed) makes it news.
    """
    as_captured = [each.pk for each in memories if each.status == Status.UNVERIFIED]
    if not as_captured:
        return set()
    here = Q(agent_id=agent_id, session=session, created_at__gt=timezone.now() - IN_MIND)
    rows = Evidence.objects.filter(memory_id__in=as_captured).order_by().values("memory_id")
    return set(
        rows.annotate(elsewhere=Count("pk", filter=~here)).filter(elsewhere=0).values_list("memory_id", flat=True)
    )


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
