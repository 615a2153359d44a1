"""The outward shape of a pair and of its settlement."""

from typing import Any

from rest_framework import serializers

from conflicts.choices import Answer, OtherSide, State
from conflicts.models import Conflict
from memories.choices import Outcome, Reason, Status
from memories.serializers import MemorySerializer, PageSerializer


class ConflictSerializer(serializers.Serializer[Conflict]):
    id = serializers.UUIDField()
    older = MemorySerializer()
    newer = MemorySerializer()
    reason = serializers.ChoiceField(choices=Reason.choices)
    persona = serializers.BooleanField()
    state = serializers.ChoiceField(choices=State.choices)
    put_off_until = serializers.DateTimeField(allow_null=True)
    other_side = serializers.SerializerMethodField(help_text="What took one side out while the pair is unsettled.")
    answer = serializers.SerializerMethodField()
    correction = serializers.UUIDField(source="correction_id", allow_null=True)
    settled_by = serializers.SerializerMethodField()
    settled_at = serializers.DateTimeField(allow_null=True)
    why = serializers.CharField()
    opened_at = serializers.DateTimeField()

    def get_other_side(self, pair: Conflict) -> OtherSide | None:
        if pair.state == State.SETTLED:
            return None
        gone = {Status.RETIRED: OtherSide.RETIRED, Status.SUPERSEDED: OtherSide.SUPERSEDED}
        if pair.older.erased_at or pair.newer.erased_at:
            return OtherSide.ERASED
        return next((gone[Status(side.status)] for side in (pair.older, pair.newer) if side.status in gone), None)

    def get_answer(self, pair: Conflict) -> Answer | None:
        return Answer(pair.answer) if pair.answer else None

    def get_settled_by(self, pair: Conflict) -> str | None:
        return pair.settled_by_name or None


class ConflictPageSerializer(PageSerializer):
    results = ConflictSerializer(many=True)


class SettledSerializer(serializers.Serializer[Any]):
    conflict = ConflictSerializer()
    outcome = serializers.ChoiceField(choices=[Outcome.SETTLED, Outcome.PUT_OFF, Outcome.REFUSED, Outcome.UNDONE])
    winner = serializers.UUIDField(source="winner.pk", default=None, allow_null=True)
    retired = serializers.SerializerMethodField()
    correction = MemorySerializer(allow_null=True)
    remaining = serializers.ListField(child=serializers.UUIDField(), help_text="The winner's other unsettled pairs.")

    def get_retired(self, settled: Any) -> list[str]:
        return [str(memory.pk) for memory in settled.retired]
