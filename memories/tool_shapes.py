"""Arguments of tools, where they differ from the shapes of REST."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from memories import limits
from memories.choices import Category, Kind, Scope
from memories.fields import ManyField, MomentField, OneOf, StrictSerializer, TextField, VerbatimField
from memories.filters import Filters
from memories.shapes import EditShape, ListShape, ResolveShape, RetireShape, SearchShape


class OneFact(StrictSerializer):
    id = TextField(help_text="Of the fact, as another tool gave it.")


class FactUpdate(OneFact, EditShape):
    pass


class FactDelete(OneFact, RetireShape):
    pass


class FactResolve(ResolveShape):
    fact = TextField(help_text="Id of the newer fact, the one you saved.")


class FactList(ListShape):
    """The filters of REST lists, and a short page: models pay for every line."""

    limit = serializers.IntegerField(min_value=1, max_value=limits.MOST_PAGE, default=limits.HITS)


class FactSearch(StrictSerializer):
    """The filters that a model needs most; memory_search has all of them."""

    query = VerbatimField(help_text="A sentence, a question, or exact words such as a code or a name.")
    limit = serializers.IntegerField(min_value=1, max_value=limits.MOST_HITS, default=limits.HITS)
    scope = OneOf(choices=["all", *Scope.values], default="all", help_text="All: shared and your own private ones.")
    kind = ManyField(child=OneOf(choices=Kind.choices), default=list)
    category = ManyField(child=OneOf(choices=Category.choices), default=list)
    tag = ManyField(default=list, help_text="Facts with any of these.")
    as_of = MomentField(required=False, is_end=True, help_text="What was current then.")

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(renamed(data, "q", "query"))

    def filters(self) -> Filters:
        given = self.validated_data
        return Filters(
            scope=given["scope"], kind=given["kind"], category=given["category"], tag=given["tag"],
            as_of=given.get("as_of"),
        )  # fmt: skip


class AutoRecall(StrictSerializer):
    query = VerbatimField(help_text="The user's prompt.")
    session_id = TextField(max_length=limits.NAME_CHARACTERS, default="", allow_blank=True)


class RuleList(StrictSerializer):
    limit = serializers.IntegerField(min_value=1, max_value=limits.MOST_PAGE, default=limits.HITS)
    cursor = TextField(default="", allow_blank=True)


class MemorySearch(SearchShape):
    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(renamed(data, "query", "q"))


def renamed(data: Any, other: str, name: str) -> Any:
    """The two searches call their query by two names, and models mix them up: each understands the other's."""
    if not isinstance(data, Mapping) or other not in data or name in data:
        return data
    return {name if key == other else key: value for key, value in data.items()}
