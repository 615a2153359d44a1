"""Saved views: the filters of a list under a name of one's own."""

from typing import Any
from uuid import UUID

from memories.errors import InvalidInput
from memories.models import SavedView

MOST_VIEWS = 30
NAME_CHARACTERS = 80
QUERY_CHARACTERS = 2_000


def save(*, person: Any, page: str, name: str, query: str) -> SavedView:
    """Under a name there is already, the view is replaced."""
    name = " ".join(name.replace("\0", "").split())[:NAME_CHARACTERS]
    if not name:
        raise InvalidInput.of("name", "Give the view a name, for example “Policies to confirm”.")
    if len(query) > QUERY_CHARACTERS:
        raise InvalidInput.of("query", "These are more filters than a view keeps; choose fewer.")
    mine = SavedView.objects.filter(person=person, page=page)
    if mine.exclude(name=name).count() >= MOST_VIEWS:
        raise InvalidInput.of("name", f"A list keeps {MOST_VIEWS} views; delete one first.")
    return SavedView.objects.update_or_create(person=person, page=page, name=name, defaults={"query": query})[0]


def delete(*, person: Any, view_id: UUID) -> bool:
    """One's own alone."""
    return bool(SavedView.objects.filter(person=person, pk=view_id).delete()[0])


def of(person: Any, page: str) -> list[SavedView]:
    return list(SavedView.objects.filter(person=person, page=page)[:MOST_VIEWS])
