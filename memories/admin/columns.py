"""Columns that several lists share."""

from typing import Any

from django.http import HttpRequest
from django.utils.safestring import SafeString

from memories.admin import labels
from memories.admin.base import WalledAdmin, products_where
from memories.models import Memory


class WriterColumn(WalledAdmin):
    """Who wrote it; and in which product, for a person of several."""

    def written(self, row: Any) -> Memory:
        """The memory that the row is, or stands for."""
        return row  # type: ignore[no-any-return]  # a row of facts or raw texts

    def get_list_display(self, request: HttpRequest) -> Any:
        columns = super().get_list_display(request)
        if len(products_where(request, self.least_role)) < 2:
            return columns
        return ["by_and_where" if column == "by" else column for column in columns]

    @labels.column("Written by")
    def by(self, row: Any) -> SafeString:
        memory = self.written(row)
        return labels.who_label(memory.origin, labels.writer(memory, memory.first_evidence()))

    @labels.column("Written by, in")
    def by_and_where(self, row: Any) -> SafeString:
        memory = self.written(row)
        return labels.who_label(
            memory.origin, labels.writer(memory, memory.first_evidence()), where=f"in {row.product}"
        )
