"""What a caller may ask of the graph."""

from rest_framework import serializers

from memories import graph, limits
from memories.choices import EntityType
from memories.fields import OneOf, StrictSerializer, TextField, VerbatimField


class GraphSearchShape(StrictSerializer):
    q = VerbatimField(help_text="A name, or some of its words.")
    type = OneOf(choices=EntityType.choices, required=False)
    relation = TextField(required=False, help_text="Only relations with this verb.")
    limit = serializers.IntegerField(min_value=1, max_value=limits.MOST_HITS, default=limits.HITS)


class EntitiesShape(StrictSerializer):
    q = TextField(default="", allow_blank=True, help_text="Without it: those that most memories name.")
    type = OneOf(choices=EntityType.choices, required=False)
    limit = serializers.IntegerField(min_value=1, max_value=limits.MOST_PAGE, default=limits.PAGE)


class DepthShape(StrictSerializer):
    depth = serializers.IntegerField(min_value=1, max_value=graph.MOST_HOPS, default=1)


class PathShape(StrictSerializer):
    to = TextField(help_text="Id or name of an entity.")

    def get_fields(self) -> dict[str, serializers.Field]:  # type: ignore[type-arg]  # DRF's own signature
        """`from` is a word of Python, so it can't be an attribute."""
        start = TextField(help_text="Id or name of an entity.")
        return {"from": start, **super().get_fields()}
