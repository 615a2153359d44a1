"""Steps of cognition about pairs: those put off that come back, and facts that disagree and nobody has noticed."""

from conflicts import services
from conflicts.models import Conflict
from memories.choices import Category
from memories.cognition.base import Budget, Since, Step, StepReport
from memories.cognition.neighbours import Neighbours, Pair
from memories.cognition.reading import Changes
from memories.models import Evidence, Memory, Product
from memories.reader import judging, reader
from memories.reading import Comparison, Verdict
from memories.services import sweeping

#: Below, two statements are seldom about the same thing.
FLOOR = 0.6
#: What is not certain by the words themselves must be this likely.
LIKELY = 0.9
DISAGREE = (Verdict.CONTRADICTS, Verdict.REPLACES)


def wake(product: Product, since: Since, budget: Budget) -> StepReport:
    return StepReport(written=services.wake_put_off(product.pk))


def sweep(product: Product, since: Since, budget: Budget) -> StepReport:
    """Suggest pairs to people: both sides stay current, whatever their tiers, until somebody has looked."""
    near = Neighbours(product, floor=FLOOR)
    changes = Changes(product, since, budget)
    read = opened = skipped = 0
    for batch in changes:
        rows = [row for row in batch.values() if row]
        read += len(rows)
        for pair in near.pairs(rows):
            if not _may_disagree(pair) or not is_disagreement(compared(pair)):
                continue
            if _is_known(pair) or _is_of_one_text(pair):
                skipped += 1
            elif sweeping.suggest(product, pair.newer, older=pair.older):
                opened += 1
    return StepReport(read, 0, opened, skipped, changes.is_whole, changes.cursor)


def compared(pair: Pair) -> Comparison:
    return reader().compare(pair.newer.content, pair.older.content, similarity=judging(pair.similarity))


def is_disagreement(comparison: Comparison) -> bool:
    """Only what is certain: a wrong pair costs trust, and a missed one is met again by whoever writes next."""
    return comparison.verdict in DISAGREE and (comparison.certain or comparison.confidence >= LIKELY)


def _may_disagree(pair: Pair) -> bool:
    """What is true at another time, of another person, or is a rule contradicts nothing."""
    older, newer = pair.older, pair.newer
    return (
        _times_meet(older, newer)
        and older.person == newer.person
        and Category.INSTRUCTION not in (older.category, newer.category)
    )


def _times_meet(one: Memory, other: Memory) -> bool:
    """Whether they may be about one time. What tells no time may be about any."""
    ends = [each.about_until or each.about_from for each in (one, other)]
    if ends[0] and other.about_from and ends[0] < other.about_from:
        return False
    return not (ends[1] and one.about_from and ends[1] < one.about_from)


def _is_known(pair: Pair) -> bool:
    """Whether these two ever stood in a pair: what was answered is not asked again."""
    sides = [pair.older.pk, pair.newer.pk]
    return Conflict.objects.filter(older__in=sides, newer__in=sides).exists()


def _is_of_one_text(pair: Pair) -> bool:
    """Whoever says both in one breath doesn't contradict himself."""
    raws = [set(_raws(side)) for side in (pair.older, pair.newer)]
    return bool(raws[0] & raws[1])


def _raws(memory: Memory) -> list[object]:
    return list(Evidence.objects.filter(memory=memory, raw__isnull=False).values_list("raw", flat=True))


WAKE = Step(
    "wake",
    "Bring back what was put off",
    "Conflicts that somebody answered with “not now” come back on their date.",
    wake,
)
SWEEP = Step(
    "sweep",
    "Look for contradictions",
    "Holds facts that were written at different times against each other. Where two disagree it suggests the pair; "
    "both stay in recall until somebody has answered.",
    sweep,
)
