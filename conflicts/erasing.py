"""What an erasure does to pairs: they stay listed, and what was said about them goes."""

from django.contrib.admin.models import LogEntry
from django.db.models import Q

from conflicts.models import Conflict
from memories.services.erasing.eraser import Eraser, Going, mask_columns
from memories.services.erasing.targets import in_parts


def erase(going: Going) -> None:
    for ids in in_parts(sorted(going.memories)):
        pairs = Conflict.objects.filter(Q(older__in=ids) | Q(newer__in=ids) | Q(correction__in=ids))
        told = [str(each) for each in pairs.values_list("pk", flat=True)]
        LogEntry.objects.filter(object_id__in=told).update(object_repr="", change_message="")
        going.counts["pairs"] += pairs.update(why="")
    mask_columns(Conflict.objects.filter(product_id=going.product_id), going.needles, "why")


#: Nothing that is changed here is guarded.
ERASER = Eraser(lifts=(), erase=erase)
