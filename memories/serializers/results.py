"""What acts and searches answer."""

from typing import Any

from rest_framework import serializers

from memories.choices import Outcome, VerdictGiven
from memories.serializers.memory import MemorySerializer


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
