"""Receipts."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memories.choices import Outcome, WriteState
from memories.models import Memory, Write, WriteStatement
from memories.serializers.memory import MemorySerializer
from memories.serializers.results import SimilarSerializer


class MaskedSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class WriteStatementSerializer(serializers.Serializer[WriteStatement]):
    memory = MemorySerializer()
    outcome = serializers.ChoiceField(choices=Outcome.choices)
    against = serializers.UUIDField(source="against_id", allow_null=True)
    similar = serializers.SerializerMethodField()

    @extend_schema_field(SimilarSerializer(many=True))
    def get_similar(self, statement: WriteStatement) -> Any:
        """As it was when the statement was stored; the memories as they are now."""
        rows: Mapping[str, Memory] = self.context.get("similar", {})
        known = [each for each in statement.similar if each["memory"] in rows]
        shown = [{**each, "memory": rows[each["memory"]]} for each in known]
        return SimilarSerializer(shown, many=True, context=self.context).data


class WriteSerializer(serializers.Serializer[Write]):
    """A receipt. Give it rows and the context of services/receipts.py."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=WriteState.choices)
    reason = serializers.CharField()
    note = serializers.CharField(help_text="How a reading by a language model went, where it fell back to rules.")
    raw = serializers.UUIDField(source="raw_id")
    masked = MaskedSerializer(many=True)
    replaced_characters = serializers.IntegerField()
    left_out = serializers.IntegerField(help_text="Statements that had been erased: masked, and not stored again.")
    statements = WriteStatementSerializer(many=True, source="shown_statements")
    statement_count = serializers.SerializerMethodField(help_text="A list shows the first ones of a long receipt.")
    created_at = serializers.DateTimeField()

    def get_statement_count(self, write: Write) -> int:
        counts: Mapping[UUID, int] = self.context["counts"]
        return counts.get(write.pk, 0)
