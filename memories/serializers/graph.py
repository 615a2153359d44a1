"""Entities and relations in their outward shapes."""

from typing import Any

from rest_framework import serializers

from memories.choices import EntityType


class EntitySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    type = serializers.ChoiceField(choices=EntityType.choices)
    aliases = serializers.ListField(child=serializers.CharField(), help_text="Its other spellings.")
    memories = serializers.IntegerField(help_text="How many current memories name it.")


class RelationSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    subject = serializers.UUIDField()
    relation = serializers.CharField(help_text="A plain verb; mentioned_with where a statement says no more.")
    object = serializers.UUIDField()
    words = serializers.CharField(allow_blank=True, help_text="The words of a memory that states it.")
    evidence = serializers.ListField(child=serializers.UUIDField(), help_text="The memories that state it.")


class GraphSerializer(serializers.Serializer[Any]):
    entities = EntitySerializer(many=True)
    relations = RelationSerializer(many=True)
