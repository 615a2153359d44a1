"""Taking along what a list shows: its rows with all filters, one JSON record a line, as REST shows facts."""

import json
from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from rest_framework.utils.encoders import JSONEncoder

from memories.admin import acts
from memories.admin.base import WalledAdmin
from memories.models import Memory
from memories.querysets import MemoryQuerySet
from memories.serializers.memory import MemorySerializer

#: Rows that are fetched at once.
CHUNK = 500


class ExportActs(WalledAdmin):
    @acts.on_selected("Export as JSON lines", icon="download", permission="curate")
    def export_selected(self, request: HttpRequest, queryset: Any) -> StreamingHttpResponse:
        """Ticked rows, or all that match. Private memories are in no list, so they are in no file either."""
        ids = queryset.order_by().values("pk")
        rows = Memory.objects.shown_to(request.user).statements_only().filter(pk__in=ids).order_by("pk").for_show()
        response = StreamingHttpResponse(_lines(rows), content_type="application/x-ndjson")
        named = timezone.localdate().isoformat()
        response["Content-Disposition"] = f'attachment; filename="facts-{named}.jsonl"'
        return response


def _lines(rows: MemoryQuerySet) -> Iterator[bytes]:
    for row in rows.iterator(chunk_size=CHUNK):
        yield (json.dumps(MemorySerializer(row).data, ensure_ascii=False, cls=JSONEncoder) + "\n").encode()
