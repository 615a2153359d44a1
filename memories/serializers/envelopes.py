"""Pages, errors, and who is calling."""

from typing import Any

from rest_framework import serializers

from memories.serializers.memory import MemorySerializer
from memories.serializers.recalls import RuleSerializer
from memories.serializers.writes import WriteSerializer


class PageSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class MemoryPageSerializer(PageSerializer):
    results = MemorySerializer(many=True)


class WritePageSerializer(PageSerializer):
    results = WriteSerializer(many=True)


class RulePageSerializer(PageSerializer):
    results = RuleSerializer(many=True)


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
