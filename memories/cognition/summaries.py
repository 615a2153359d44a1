"""Short accounts of long texts, sessions and things that many facts name, in the words of those facts."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

import numpy as np

from memories import embeddings
from memories.choices import Kind
from memories.cognition import groups
from memories.cognition.base import Budget, Since, Step, StepReport
from memories.cognition.groups import Group, Member
from memories.cognition.reading import Changes
from memories.models import Conclusion, Embedding, Memory, Product
from memories.reading import gist
from memories.services import concluding
from memories.services.concluding import Finding, Made
from memories.services.drafts import About

NAME = "summaries"
MOST_SENTENCES, MOST_CHARACTERS = 6, 900
FEWEST_SENTENCES = 3
DAYS_OF_A_MONTH = 31
WHY = "What it was about is not large enough any more for a summary."
_FIRST_PERSON = ("i ", "i'", "i’", "my ", "we ", "we'", "we’", "our ", "me ")


def summarise(product: Product, since: Since, budget: Budget) -> StepReport:
    """Only what was touched since: the first time, that is everything."""
    changes = Changes(product, since, budget)
    read = written = skipped = 0
    for batch in changes:
        read += len(batch)
        for subject in groups.touched(product, list(batch)):
            if budget.is_spent:
                return StepReport(read, written, 0, skipped, is_whole=False, cursor=changes.cursor)
            made = _one(product, subject)
            written += made in (Made.ADDED, Made.REPLACED)
            skipped += made in (Made.LEFT, Made.MISSED)
    return StepReport(read, written, 0, skipped, changes.is_whole, changes.cursor)


def _one(product: Product, subject: str) -> Made:
    group = groups.group(product, subject)
    told = _told(group) if group and group.is_large else []
    if group is None or len(told) < FEWEST_SENTENCES:
        return _withdrawn(product, subject)
    finding = Finding(
        step=NAME, subject=subject, content=_written(group, told), kind=Kind.SUMMARY,
        grounds=[each.memory.pk for each in told], about=_span([each.memory for each in told]),
    )  # fmt: skip
    return concluding.conclude(product, finding).made


def _withdrawn(product: Product, subject: str) -> Made:
    rows = Conclusion.objects.filter(product=product, step=NAME, subject=subject).select_related("memory")
    gone = [concluding.withdraw(product, each.memory, why=WHY) for each in rows if each.memory.is_current]
    return Made.REPLACED if any(gone) else Made.UNCHANGED


def _told(group: Group) -> list[Member]:
    """The members that the summary consists of, in the order of what they tell."""
    held = Embedding.objects.filter(
        memory__in=[each.memory.pk for each in group.members], model=embeddings.current().name, vector__isnull=False
    )
    vectors = dict(held.values_list("memory_id", "vector"))
    members = [each for each in group.members if each.memory.pk in vectors]
    if len(members) < group.least:
        return []
    matrix = np.asarray([vectors[each.memory.pk] for each in members], dtype=np.float32)
    weights = [_weight(each, group) for each in members]
    picked: list[Member] = []
    length = 0
    for place in gist.chosen(matrix, weights, most=MOST_SENTENCES):
        length += len(members[place].memory.content)
        if picked and length > MOST_CHARACTERS:
            break
        picked.append(members[place])
    return sorted(picked, key=lambda each: (each.when, each.memory.pk))


def _weight(member: Member, group: Group) -> float:
    """A summary of a thing is made of what is said of it, not of what only mentions it."""
    told = gist.telling(member.memory.content)
    if group.subject.startswith("entity:"):
        begins = member.memory.content.casefold().startswith(group.title.casefold())
        return told * (1.5 if begins else 1.0)
    return told


def _written(group: Group, told: Sequence[Member]) -> str:
    """Dated by the latest of what it rests on, so that it reads the same until one of these changes."""
    last = max(each.when for each in told)
    sentences = " ".join(_sentence(each, group.zone) for each in told)
    return f"Summary of {group.title}, as of {last.astimezone(group.zone).date().isoformat()}: {sentences}"


def _sentence(member: Member, zone: ZoneInfo) -> str:
    """In its own words; what somebody said of himself needs his name."""
    text = member.memory.content.strip()
    text = text if text[-1] in '.!?。！？”"' else f"{text}."
    is_own = f" {text.casefold()}".find(" i ") >= 0 or text.casefold().startswith(_FIRST_PERSON)
    text = f"{member.speaker}: “{text}”" if member.speaker and is_own else text
    about = _about(member.memory, zone)
    return text if not about or about[:4] in text else f"{text} ({about})"


def _about(memory: Memory, zone: ZoneInfo) -> str:
    """The day, month or year that it is about, as exactly as it is known: "yesterday" means nothing later on."""
    if memory.about_from is None:
        return ""
    first = memory.about_from.astimezone(zone).date()
    last = (memory.about_until or memory.about_from).astimezone(zone).date()
    if first == last:
        return first.isoformat()
    if (last - first).days <= DAYS_OF_A_MONTH:
        return f"{first:%Y-%m}" if first.month == last.month else ""
    return f"{first:%Y}" if first.year == last.year else ""


def _span(memories: Sequence[Memory]) -> About:
    """From the first to the last time that they are about, where they tell any."""
    starts = [each.about_from for each in memories if each.about_from]
    ends = [each.about_until or each.about_from for each in memories]
    return About(min(starts), max(each for each in ends if each is not None)) if starts else About()


STEP = Step(
    NAME,
    "Summarise",
    "Writes short accounts of long texts and sessions, and of what many facts name, in the words of those facts. "
    "One is written anew only when what it rests on has changed.",
    summarise,
)
