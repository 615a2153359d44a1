"""The labels of a pair and of its settlement (product.md §6)."""

from django.db.models import TextChoices


class State(TextChoices):
    OPEN = "open", "Open"
    PUT_OFF = "put_off", "Put off"
    SETTLED = "settled", "Settled"


class Answer(TextChoices):
    OLDER = "older", "The older one is true"
    NEWER = "newer", "The newer one is true"
    NEITHER = "neither", "Neither is true"
    CORRECTION = "correction", "Neither is true, here is what is"
    NOT_NOW = "not_now", "Not now"
    BOTH = "both", "Both are true"


class OtherSide(TextChoices):
    """What took one side out while the pair was unsettled."""

    RETIRED = "retired", "Retired"
    SUPERSEDED = "superseded", "Superseded"
    ERASED = "erased", "Erased"
