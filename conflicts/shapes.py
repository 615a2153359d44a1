"""Inward shapes of the pairs' doors."""

from conflicts.choices import Answer, State
from memories import limits
from memories.choices import Reason, Tier
from memories.fields import FlagField, MomentField, OneOf, StrictSerializer, TextField, VerbatimField
from memories.shapes import PageShape


class ConflictListShape(PageShape):
    state = OneOf(choices=State.choices, default=State.OPEN)
    persona = FlagField(required=False)
    reason = OneOf(choices=Reason.choices, required=False)
    needs_clarification = FlagField(required=False, help_text="Refused by authority, and the refused side still waits.")


class SettleShape(StrictSerializer):
    answer = OneOf(choices=Answer.choices)
    correction = VerbatimField(required=False, allow_null=True)
    until = MomentField(required=False, allow_null=True, help_text="With not_now; 7 days from now without it.")
    tier = OneOf(choices=Tier.choices, default=Tier.OFFICIAL, help_text="The weight of this act.")
    why = TextField(max_length=limits.WHY_CHARACTERS, default="", allow_blank=True)
