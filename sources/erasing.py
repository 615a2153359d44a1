"""What an erasure does to sources: names and failures of items that repeat the words. Items go on being followed."""

from memories.services.erasing.eraser import Eraser, Going, mask_columns
from sources.models import SourceItem, SyncProblem, SyncRun, Upload


def erase(going: Going) -> None:
    of_product = {"product_id": going.product_id}
    mask_columns(SourceItem.objects.filter(**of_product), going.needles, "title", "reason")
    mask_columns(SyncProblem.objects.filter(run__product_id=going.product_id), going.needles, "key", "reason")
    mask_columns(SyncRun.objects.filter(**of_product), going.needles, "now_at", "error")
    # Statements of a file that waits are left out when it is read; until then its text is masked too.
    mask_columns(Upload.objects.filter(**of_product), going.needles, "name", "text", "reason")


ERASER = Eraser(lifts=("sources.SyncProblem:problem_stays_as_met", "sources.SyncRun:finished_run_stays"), erase=erase)
