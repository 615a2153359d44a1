"""The REST door for pairs."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from conflicts import answers as shown
from conflicts import listing, services
from conflicts.choices import Answer
from conflicts.serializers import ConflictPageSerializer, ConflictSerializer, SettledSerializer
from conflicts.shapes import ConflictListShape, SettleShape
from memories.choices import Tier
from memories.serializers import answers
from memories.views import Door


class Conflicts(Door):
    @extend_schema(
        operation_id="list_conflicts",
        summary="Pairs that disagree, newest first; open ones unless asked otherwise",
        parameters=[ConflictListShape],
        responses=answers({200: ConflictPageSerializer}),
    )
    def get(self, request: Request) -> Response:
        sent = self.shaped(ConflictListShape, request.query_params)
        rows = listing.narrowed(self.by, sent.validated_data)
        return self.page(shown.for_show(rows), ConflictSerializer, **sent.page())


class OneConflict(Door):
    @extend_schema(operation_id="get_conflict", summary="One pair", responses=answers({200: ConflictSerializer}, 404))
    def get(self, request: Request, id_: str) -> Response:
        return Response(shown.conflict(services.pair_for(self.by, id_)))


class Settlement(Door):
    @extend_schema(
        operation_id="resolve_conflict",
        summary="Settle a pair with one answer",
        request=SettleShape,
        responses=answers({200: SettledSerializer}, 404, 409),
    )
    def post(self, request: Request, id_: str) -> Response:
        given = self.shaped(SettleShape, request.data).validated_data
        result = services.settle(
            by=self.by, pair_id=id_, answer=Answer(given["answer"]), correction=given.get("correction"),
            until=given.get("until"), tier=Tier(given["tier"]), why=given["why"],
        )  # fmt: skip
        return Response(shown.settled(result))
