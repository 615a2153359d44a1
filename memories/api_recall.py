"""The REST door of recall and of rules."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from memories import answers as shown
from memories.choices import Outcome
from memories.serializers import RecallSerializer, RulePageSerializer, RuleSerializer, answers
from memories.services import recalling, rules
from memories.shapes import PageShape, RecallShape, RuleShape
from memories.views import Door


class Recall(Door):
    post_reads = True

    @extend_schema(
        operation_id="recall",
        summary="The block of memories, traits and rules that a prompt needs",
        request=RecallShape,
        responses=answers({200: RecallSerializer}, 413),
    )
    def post(self, request: Request) -> Response:
        given = self.shaped(RecallShape, request.data).validated_data
        block = recalling.recall_for(
            by=self.by, prompt=given["prompt"], max_tokens=given["max_tokens"], session=given["session"]
        )
        return Response(shown.recalled(block))


class Rules(Door):
    @extend_schema(
        operation_id="list_rules",
        summary="Approved rules and own proposals, newest first",
        parameters=[PageShape],
        responses=answers({200: RulePageSerializer}),
    )
    def get(self, request: Request) -> Response:
        sent = self.shaped(PageShape, request.query_params)
        return self.page(rules.visible_to(self.by), RuleSerializer, **sent.page())

    @extend_schema(
        operation_id="propose_rule",
        summary="Propose a rule; a person decides",
        request=RuleShape,
        responses=answers({201: RuleSerializer, 200: RuleSerializer}, 413),
    )
    def post(self, request: Request) -> Response:
        given = self.shaped(RuleShape, request.data).validated_data
        proposed = rules.propose(by=self.by, text=given["text"], why=given["why"])
        code = status.HTTP_200_OK if proposed.outcome == Outcome.KNOWN else status.HTTP_201_CREATED
        return Response(RuleSerializer(proposed.rule).data, code)
