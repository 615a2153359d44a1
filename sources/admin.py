"""Sources: where facts are read from. To be read only, by managers; connecting them has pages of its own later."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count
from django.http import HttpRequest
from django.utils.safestring import SafeString

from memories.admin import labels
from memories.admin.base import WalledAdmin
from memories.admin.filters import ProductFilter
from sources.models import Source


@admin.register(Source)
class SourceAdmin(WalledAdmin):
    list_filter = (ProductFilter,)
    search_fields = ("name",)
    list_display: ClassVar[list[str]] = ["name", "type", "authority", "product", "item_count", "since"]
    fields = ("name", "type", "authority", "product", "item_count", "since")
    empty_title = "No source yet"
    empty_text = (
        "A source is a place that facts are read from: a repository, a drive, a folder. Bring in a folder of "
        "documents with manage.py remember PATH --product SLUG, and it stands here."
    )

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        return super().within_walls(rows.annotate(items_read=Count("items")), request).select_related("product")

    @labels.column("Tier")
    def authority(self, source: Source) -> SafeString:
        return labels.tier_label(source.in_force.tier)

    @labels.column("Documents read")
    def item_count(self, source: Any) -> int:
        return int(source.items_read)

    @labels.column("Since")
    def since(self, source: Source) -> SafeString | str:
        return labels.when_label(source.created_at)
