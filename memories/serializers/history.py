"""Every move of a memory, and what it rests on."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memories.choices import Origin, Status, Verb
from memories.models import Evidence
from memories.serializers.memory import SaidSerializer, SourceOriginSerializer, said_of, source_of


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
        return source_of(row)

    @extend_schema_field(SaidSerializer(allow_null=True))
    def get_said(self, row: Evidence) -> Any:
        return said_of(row)


class EvidenceListSerializer(serializers.Serializer[Any]):
    results = EvidenceSerializer(many=True)
