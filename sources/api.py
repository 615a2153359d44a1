"""The REST door for sources. Agents read it; staff connect sources in the admin."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.serializers import answers
from memories.shapes import PageShape
from memories.views import Door
from sources import listing
from sources.serializers import SourcePageSerializer, SourceSerializer


class Sources(Door):
    @extend_schema(
        operation_id="list_sources",
        summary="What memories are read from, with the last run of each",
        parameters=[PageShape],
        responses=answers({200: SourcePageSerializer}),
    )
    def get(self, request: Request) -> Response:
        sent = self.shaped(PageShape, request.query_params)
        rows = listing.visible(self.by)
        return self.page(
            rows, SourceSerializer, **sent.page(), context=lambda found: {"runs": listing.with_last_runs(found)}
        )


class OneSource(Door):
    @extend_schema(operation_id="get_source", summary="One source", responses=answers({200: SourceSerializer}, 404))
    def get(self, request: Request, id_: str) -> Response:
        source = listing.one(self.by, id_)
        return Response(SourceSerializer(source, context={"runs": listing.with_last_runs([source])}).data)
