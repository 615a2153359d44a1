"""The outward shapes (api.md). REST renders them, an MCP tool returns them; there are no others."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memories import embeddings
from memories.choices import (
    Category,
    EmbeddingState,
    Kind,
    Origin,
    Outcome,
    Scope,
    Status,
    Tier,
    Verb,
    VerdictGiven,
    WriteState,
)
from memories.models import Evidence, Memory, Write, WriteStatement

UNSETTLED = ("open", "put_off")


class AboutSerializer(serializers.Serializer[Memory]):
    def get_fields(self) -> dict[str, Any]:
        return {
            "from": serializers.DateTimeField(source="about_from", allow_null=True),
            "until": serializers.DateTimeField(source="about_until", allow_null=True),
        }


class SourceOriginSerializer(serializers.Serializer[Evidence]):
    id = serializers.UUIDField(source="source_id")
    name = serializers.CharField(source="source_name")
    item = serializers.CharField(source="item_key")
    url = serializers.CharField(source="item_url")


class SaidSerializer(serializers.Serializer[Evidence]):
    session = serializers.CharField()
    message = serializers.CharField()
    speaker = serializers.CharField()
    at = serializers.DateTimeField(source="said_at", allow_null=True)


def _source_of(row: Evidence | None) -> Any:
    """Only what was ingested has a source."""
    return SourceOriginSerializer(row).data if row and row.source_id else None


def _said_of(row: Evidence | None) -> Any:
    """Only what was said in a session has a speaker."""
    return SaidSerializer(row).data if row and row.session else None


class MemorySerializer(serializers.Serializer[Memory]):
    """A memory. Give it rows of `for_show()`, or it asks the database for each part of each row."""

    id = serializers.UUIDField()
    content = serializers.CharField()
    kind = serializers.ChoiceField(choices=Kind.choices)
    category = serializers.ChoiceField(choices=Category.choices)
    person = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(choices=Status.choices)
    current = serializers.BooleanField(source="is_current")
    tier = serializers.ChoiceField(choices=Tier.choices)
    scope = serializers.ChoiceField(choices=Scope.choices)
    tags = serializers.ListField(child=serializers.CharField())
    metadata = serializers.DictField()
    about = serializers.SerializerMethodField()
    recorded_at = serializers.DateTimeField()
    agent = serializers.CharField(source="agent.name", default=None, allow_null=True)
    origin = serializers.ChoiceField(choices=Origin.choices)
    source = serializers.SerializerMethodField()  # type: ignore[assignment]  # the contract calls it source
    said = serializers.SerializerMethodField()
    raw = serializers.UUIDField(source="raw_id", allow_null=True)
    replaces = serializers.SerializerMethodField()
    replaced_by = serializers.UUIDField(source="replaced_by_id", allow_null=True)
    conflicts = serializers.SerializerMethodField(help_text="Unsettled pairs.")
    needs_clarification = serializers.SerializerMethodField()
    embedding = serializers.SerializerMethodField()

    @extend_schema_field(AboutSerializer(allow_null=True))
    def get_about(self, memory: Memory) -> Any:
        known = memory.about_from or memory.about_until
        return AboutSerializer(memory).data if known else None

    @extend_schema_field(SourceOriginSerializer(allow_null=True))
    def get_source(self, memory: Memory) -> Any:
        return _source_of(memory.first_evidence())

    @extend_schema_field(SaidSerializer(allow_null=True))
    def get_said(self, memory: Memory) -> Any:
        return _said_of(memory.first_evidence())

    def get_replaces(self, memory: Memory) -> list[str]:
        return [str(older.pk) for older in memory.replaces.all()]

    def get_conflicts(self, memory: Memory) -> list[str]:
        pairs = [*memory.conflicts.all(), *memory.conflicts_as_older.all()]
        return [str(pair.pk) for pair in pairs if pair.state in UNSETTLED]

    def get_needs_clarification(self, memory: Memory) -> bool:
        return memory.status == Status.CONFLICTING

    def get_embedding(self, memory: Memory) -> EmbeddingState:
        serving = embeddings.current().name
        row = next((row for row in memory.embeddings.all() if row.model == serving), None)
        if row is None:
            return EmbeddingState.PENDING
        return EmbeddingState.READY if row.dimensions else EmbeddingState.FAILED


class DifferenceSerializer(serializers.Serializer[Any]):
    what = serializers.ChoiceField(choices=["number", "date", "name", "unit", "negation", "word"])
    this = serializers.CharField(allow_null=True)
    other = serializers.CharField(allow_null=True)


class SimilarSerializer(serializers.Serializer[Any]):
    memory = MemorySerializer()
    similarity = serializers.FloatField()
    differs = DifferenceSerializer(many=True)


class SimilarListSerializer(serializers.Serializer[Any]):
    results = SimilarSerializer(many=True)


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
    raw = serializers.UUIDField(source="raw_id")
    masked = MaskedSerializer(many=True)
    replaced_characters = serializers.IntegerField()
    statements = WriteStatementSerializer(many=True, source="shown_statements")
    statement_count = serializers.SerializerMethodField(help_text="A list shows the first ones of a long receipt.")
    created_at = serializers.DateTimeField()

    def get_statement_count(self, write: Write) -> int:
        counts: Mapping[UUID, int] = self.context["counts"]
        return counts.get(write.pk, 0)


class ActedSerializer(serializers.Serializer[Any]):
    """The answer to an edit, a retirement, a restoration."""

    fact = MemorySerializer()
    outcome = serializers.ChoiceField(choices=Outcome.choices)
    conflict = serializers.UUIDField(allow_null=True)


class FactAddedSerializer(ActedSerializer):
    similar = SimilarSerializer(many=True, allow_null=True, help_text="Null while the embedder is down.")


class ResolvedSerializer(serializers.Serializer[Any]):
    verdict = serializers.ChoiceField(choices=VerdictGiven.choices)
    outcome = serializers.ChoiceField(choices=Outcome.choices)
    fact = MemorySerializer()
    other = MemorySerializer()
    conflict = serializers.UUIDField(allow_null=True)


class PersonaSerializer(serializers.Serializer[Any]):
    person = serializers.CharField(allow_blank=True)
    traits = MemorySerializer(many=True)


class PersonasSerializer(serializers.Serializer[Any]):
    results = PersonaSerializer(many=True)


class ContributionSerializer(serializers.Serializer[Any]):
    meaning = serializers.FloatField()
    words = serializers.FloatField()
    neighbours = serializers.FloatField()
    person = serializers.FloatField()
    session = serializers.FloatField()
    time = serializers.FloatField()
    graph = serializers.FloatField()
    tier = serializers.FloatField()


class HitSerializer(serializers.Serializer[Any]):
    memory = MemorySerializer()
    score = serializers.FloatField()
    why = ContributionSerializer(required=False, help_text="Only with explain.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if not self.context.get("explain"):
            shown.pop("why", None)
        return shown


class FoundSerializer(serializers.Serializer[Any]):
    results = HitSerializer(many=True, source="hits")
    took_ms = serializers.FloatField()


class ByWhomSerializer(serializers.Serializer[Any]):
    type = serializers.ChoiceField(choices=Origin.choices, source="by_type")
    name = serializers.CharField(source="by_name")


class MoveSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    by = ByWhomSerializer(source="*")
    verb = serializers.ChoiceField(choices=Verb.choices)
    why = serializers.CharField()
    to = serializers.ChoiceField(choices=Status.choices)
    version = serializers.UUIDField()
    content = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        return {**fields, "from": serializers.ChoiceField(choices=Status.choices, source="from_", allow_null=True)}


class HistorySerializer(serializers.Serializer[Any]):
    results = MoveSerializer(many=True)


class EvidenceSerializer(serializers.Serializer[Evidence]):
    raw = serializers.UUIDField(source="raw_id", allow_null=True)
    excerpt = serializers.CharField()
    write = serializers.UUIDField(source="write_id", allow_null=True)
    source = serializers.SerializerMethodField()  # type: ignore[assignment]  # the contract calls it source
    said = serializers.SerializerMethodField()
    at = serializers.DateTimeField(source="created_at")

    @extend_schema_field(SourceOriginSerializer(allow_null=True))
    def get_source(self, row: Evidence) -> Any:
        return _source_of(row)

    @extend_schema_field(SaidSerializer(allow_null=True))
    def get_said(self, row: Evidence) -> Any:
        return _said_of(row)


class EvidenceListSerializer(serializers.Serializer[Any]):
    results = EvidenceSerializer(many=True)


class PageSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class MemoryPageSerializer(PageSerializer):
    results = MemorySerializer(many=True)


class WritePageSerializer(PageSerializer):
    results = WriteSerializer(many=True)


class ProblemSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField(help_text="What would have worked.")
    fields = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))  # type: ignore[assignment]  # the contract calls it fields


class ErrorSerializer(serializers.Serializer[Any]):
    """The one envelope. A 409 carries `current` besides, a 413 `limit`."""

    error = ProblemSerializer()


class BatchAnswerSerializer(serializers.Serializer[Any]):
    """In order: a write, or `{"error": …}` for an item that was not taken."""

    results = serializers.ListField(child=serializers.DictField())


class WhoamiSerializer(serializers.Serializer[Any]):
    product = serializers.DictField()
    agent = serializers.DictField()
    limits = serializers.DictField()
    settings = serializers.DictField()
    permissions = serializers.ListField(child=serializers.CharField())


def answers(success: dict[int, Any], *refusals: int) -> dict[int, Any]:
    """The answers of a call, for OpenAPI: its own, and the errors that any call may give."""
    return {**success, **dict.fromkeys((400, 401, 403, 429, *refusals), ErrorSerializer)}
