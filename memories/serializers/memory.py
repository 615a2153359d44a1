"""A memory, and where it came from."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memories import embeddings
from memories.choices import Category, EmbeddingState, Kind, Origin, Scope, Status, Tier
from memories.models import Evidence, Memory


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


def source_of(row: Evidence | None) -> Any:
    """Only what was ingested has a source."""
    return SourceOriginSerializer(row).data if row and row.source_id else None


def said_of(row: Evidence | None) -> Any:
    """Only what was said in a session has a speaker."""
    return SaidSerializer(row).data if row and row.session else None


class MemorySerializer(serializers.Serializer[Memory]):
    """A memory: a row of `for_show()`, which brings all its parts along."""

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
    erased_at = serializers.DateTimeField(allow_null=True, help_text="Set on what is left of an erased memory.")
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
        return source_of(memory.first_evidence())

    @extend_schema_field(SaidSerializer(allow_null=True))
    def get_said(self, memory: Memory) -> Any:
        return said_of(memory.first_evidence())

    def get_replaces(self, memory: Memory) -> list[str]:
        return [str(older) for older in memory.older_ids]

    def get_conflicts(self, memory: Memory) -> list[str]:
        return [str(pair) for pair in (*memory.pairs_as_newer, *memory.pairs_as_older)]

    def get_needs_clarification(self, memory: Memory) -> bool:
        return memory.status == Status.CONFLICTING

    def get_embedding(self, memory: Memory) -> EmbeddingState:
        serving = embeddings.current().name
        size = next((row["size"] or 0 for row in memory.vector_sizes if row["model"] == serving), None)
        if size is None:
            return EmbeddingState.PENDING
        return EmbeddingState.READY if size else EmbeddingState.FAILED
