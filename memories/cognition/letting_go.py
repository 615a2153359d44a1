"""What cognition wrote goes when nothing that it rests on is current any more, whichever step it came from."""

from django.db.models import Exists, OuterRef

from memories.choices import CURRENT, Origin
from memories.cognition.base import Budget, Since, Step, StepReport
from memories.models import Evidence, Memory, Product
from memories.services import concluding

WHY = "Nothing that it rests on is current any more."


def let_go(product: Product, since: Since, budget: Budget) -> StepReport:
    stands = Evidence.objects.filter(memory=OuterRef("pk"), rests_on__status__in=CURRENT, counters=False)
    ours = Memory.objects.filter(product=product, owner__isnull=True, origin=Origin.COGNITION).current()
    rows = ours.filter(~Exists(stands), conclusion__isnull=False).defer("words", "weights")
    read = written = 0
    for memory in rows.iterator(200):
        if budget.is_spent:
            return StepReport(read, written, is_whole=False)
        read += 1
        written += concluding.withdraw(product, memory, why=WHY)
    return StepReport(read, written)


STEP = Step(
    "letting_go",
    "Let go of what rests on nothing",
    "Retires summaries and patterns of which every fact that they rest on was replaced, retired or erased.",
    let_go,
)
