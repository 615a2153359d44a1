"""Rules, and the block that recall gives."""

from typing import Any

from rest_framework import serializers

from memories.choices import RuleStatus
from memories.models import Rule
from memories.serializers.memory import MemorySerializer


class RuleSerializer(serializers.Serializer[Rule]):
    """Give it rows with their agent, author and who decided."""

    id = serializers.UUIDField()
    text = serializers.CharField()
    why = serializers.CharField()
    status = serializers.ChoiceField(choices=RuleStatus.choices)
    proposed_by = serializers.SerializerMethodField()
    decided_by = serializers.CharField(source="decided_by.username", default=None, allow_null=True)
    at = serializers.SerializerMethodField(help_text="When it was decided, or proposed.")

    def get_proposed_by(self, rule: Rule) -> str:
        who = rule.agent.name if rule.agent else rule.author.get_username() if rule.author else ""
        return str(who)

    def get_at(self, rule: Rule) -> str:
        moment = rule.decided_at or rule.created_at
        return str(serializers.DateTimeField().to_representation(moment))


class RecallSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(help_text="The block, fenced; empty when nothing is relevant.")
    tokens = serializers.IntegerField()
    rules = RuleSerializer(many=True)
    persona = MemorySerializer(many=True)
    memories = MemorySerializer(many=True)


class HookOutputSerializer(serializers.Serializer[Any]):
    hookEventName = serializers.CharField()  # noqa: N815  # as the client wants it
    additionalContext = serializers.CharField()  # noqa: N815  # as the client wants it


class HookSerializer(serializers.Serializer[Any]):
    """What a client's hook hands to its model; empty when nothing is relevant."""

    hookSpecificOutput = HookOutputSerializer(required=False)  # noqa: N815  # as the client wants it
