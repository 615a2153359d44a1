"""Intentions: what is aimed at again and again, and what patterns ask of the next one of their sort."""

from collections import Counter
from uuid import UUID

from memories.choices import CURRENT, Kind
from memories.cognition import aims, observing
from memories.cognition.aims import Aim
from memories.cognition.base import Budget, Since, Step, StepReport
from memories.cognition.reading import Changes
from memories.cognition.renewing import renew
from memories.cognition.schemas import MOST_GROUNDS
from memories.models import Evidence, Product
from memories.services.concluding import Finding

NAME = "intentions"


def derive(product: Product, since: Since, budget: Budget) -> StepReport:
    """Everything is looked at again once anything has changed."""
    changes = Changes(product, since, budget)
    moved = sum(len(batch) for batch in changes)
    if not moved or not changes.is_whole:
        return StepReport(read=moved, is_whole=changes.is_whole, cursor=changes.cursor)
    remarks = observing.remarks(product)
    known = _subjects(product)
    taken: set[str] = set()
    found = [_finding(each, _subject(each, known, taken)) for each in aims.aims(remarks)]
    written, skipped, is_whole = renew(product, NAME, found, budget)
    cursor = changes.cursor if is_whole else since.cursor
    return StepReport(read=len(remarks), written=written, skipped=skipped, is_whole=is_whole, cursor=cursor)


def _finding(aim: Aim, subject: str) -> Finding:
    return Finding(
        step=NAME, subject=subject, content=f"{aim.words}: {_told(aim)}.", kind=Kind.INTENTION,
        grounds=aim.grounds[:MOST_GROUNDS], counters=aim.counters[:MOST_GROUNDS], support=aim.support,
    )  # fmt: skip


def _told(aim: Aim) -> str:
    by = f" by {aim.authors} authors" if aim.authors > 1 else ""
    return f"stated {aim.support} times{by}"


def _subjects(product: Product) -> dict[UUID, str]:
    """Which intention each memory proves already."""
    rows = Evidence.objects.filter(
        product=product,
        memory__conclusion__step=NAME,
        memory__status__in=CURRENT,
        rests_on__isnull=False,
        counters=False,
    )
    return dict(rows.order_by("pk").values_list("rests_on", "memory__conclusion__subject"))


def _subject(aim: Aim, known: dict[UUID, str], taken: set[str]) -> str:
    """An aim that gets another wording stays the one that most of its memories proved before."""
    proved = Counter(known[each] for each in aim.grounds if each in known)
    for subject, _ in sorted(proved.items(), key=lambda each: (-each[1], each[0])):
        if subject not in taken:
            taken.add(subject)
            return subject
    taken.add(f"aim:{aim.key}")
    return f"aim:{aim.key}"


STEP = Step(
    NAME,
    "Derive intentions",
    "Finds goals, plans and obligations that were stated on three occasions or more, by different authors or on "
    "different days. A single remark, or one text repeated, never counts.",
    derive,
)
