"""The REST door for taking everything along."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from memories.serializers import answers
from memories.services.exchange import exporting
from memories.services.exchange.tables import Extent
from memories.shapes import ExportShape
from memories.views import Door

JSON_LINES = "application/x-ndjson"


class JsonLines(JSONRenderer):
    """For a caller that asks for this type: its errors are single lines."""

    media_type = JSON_LINES
    format = "jsonl"


class Export(Door):
    renderer_classes = [JSONRenderer, JsonLines]

    @extend_schema(
        operation_id="export",
        summary="All that this key may read, one JSON record a line",
        responses={(200, JSON_LINES): OpenApiTypes.STR, **answers({})},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        self.shaped(ExportShape, request.query_params)
        extent = Extent(self.caller.product, reader=self.by)
        response = StreamingHttpResponse(exporting.chunks(extent), content_type=JSON_LINES)
        response["Content-Disposition"] = f'attachment; filename="{extent.product.slug}.jsonl"'
        return response
