"""The REST door for texts and their receipts."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from memories import answers as shown
from memories import limits
from memories.api import Memories
from memories.choices import Scope, Tier
from memories.errors import NeuronzError, TooLarge
from memories.models import Write
from memories.serializers import (
    BatchAnswerSerializer,
    CapturedSerializer,
    WritePageSerializer,
    WriteSerializer,
    answers,
)
from memories.services import access, captures, claims, intake, receipts, statements
from memories.shapes import BatchShape, CaptureShape, PageShape, TextShape
from memories.views import Door


class MemoriesAndTexts(Memories):
    @extend_schema(
        operation_id="remember",
        summary="Keep a text as it is and read its statements",
        request=TextShape,
        responses=answers({201: WriteSerializer, 202: WriteSerializer}, 409, 413),
    )
    def post(self, request: Request) -> Response:
        sent = self.shaped(TextShape, request.data)
        write = _remember(self, sent)
        return Response(shown.receipt(write), status.HTTP_201_CREATED if sent.waits else status.HTTP_202_ACCEPTED)


class Batch(Door):
    @extend_schema(
        operation_id="remember_batch",
        summary="Keep several texts, each on its own",
        request=BatchShape,
        responses=answers({207: BatchAnswerSerializer}, 413),
    )
    def post(self, request: Request) -> Response:
        items = self.shaped(BatchShape, request.data).validated_data["items"]
        if len(items) > limits.BATCH_ITEMS:
            raise TooLarge(f"A batch has at most {limits.BATCH_ITEMS} items; send several.", limits.BATCH_ITEMS)
        return Response({"results": [self.one(item) for item in items]}, status.HTTP_207_MULTI_STATUS)

    def one(self, item: Any) -> dict[str, Any]:
        """A write, or the error this item alone would have got."""
        try:
            return shown.receipt(_remember(self, self.shaped(TextShape, item)))
        except (NeuronzError, APIException) as error:
            return dict(self.get_exception_handler()(error, {"view": self}).data)


class Captures(Door):
    @extend_schema(
        operation_id="capture",
        summary="Keep the messages of a session, each once, and read what was said",
        request=CaptureShape,
        responses=answers({201: CapturedSerializer, 202: CapturedSerializer}, 413),
    )
    def post(self, request: Request) -> Response:
        sent = self.shaped(CaptureShape, request.data)
        given = sent.validated_data
        captured = captures.capture(
            by=self.by, session=given["session"], messages=sent.as_messages(), tier=Tier(given["tier"]),
            scope=Scope(given["scope"]), wait=given["wait"],
        )  # fmt: skip
        code = status.HTTP_201_CREATED if given["wait"] else status.HTTP_202_ACCEPTED
        return Response(shown.captured(captured), code)


class Writes(Door):
    @extend_schema(
        operation_id="list_writes",
        summary="Own receipts, newest first",
        parameters=[PageShape],
        responses=answers({200: WritePageSerializer}),
    )
    def get(self, request: Request) -> Response:
        sent = self.shaped(PageShape, request.query_params)
        rows = Write.objects.visible_to(self.by)
        return self.page(rows, WriteSerializer, context=receipts.for_list, **sent.page())


class OneWrite(Door):
    @extend_schema(operation_id="get_write", summary="One receipt", responses=answers({200: WriteSerializer}, 404))
    def get(self, request: Request, id_: str) -> Response:
        return Response(shown.receipt(access.write(self.by, id_)))


class Retry(Door):
    @extend_schema(
        operation_id="retry_write",
        summary="Read a failed write again; nothing is doubled",
        request=None,
        responses=answers({200: WriteSerializer}, 404, 409),
    )
    def post(self, request: Request, id_: str) -> Response:
        write = claims.retry(by=self.by, write_id=id_)
        statements.enqueue(write.pk)
        return Response(shown.receipt(write))


class Cancel(Door):
    @extend_schema(
        operation_id="cancel_write",
        summary="Give up a write that still waits; the raw text stays",
        request=None,
        responses=answers({200: WriteSerializer}, 404, 409),
    )
    def post(self, request: Request, id_: str) -> Response:
        return Response(shown.receipt(claims.cancel(by=self.by, write_id=id_)))


def _remember(view: Door, sent: TextShape) -> Write:
    given = sent.validated_data
    return intake.remember(
        by=view.by, text=given["text"], label=sent.as_label(), confirmed=given["confirmed"], wait=sent.waits
    )
