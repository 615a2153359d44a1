"""Errors to answers, once for REST: one envelope, a code for programs, a sentence for people and agents."""

import logging
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from django.views.defaults import bad_request as bad_request_page
from django.views.defaults import page_not_found, server_error
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from conflicts.answers import conflict
from conflicts.models import Conflict as Pair
from memories.answers import receipt
from memories.errors import Conflict, EmbedderDown, Forbidden, InvalidInput, NeuronzError, NotFound, TooLarge
from memories.models import Memory, Write
from memories.serializers import MemorySerializer
from neuronz.parsing import body_too_large

logger = logging.getLogger(__name__)

STATUS: dict[type[NeuronzError], int] = {
    InvalidInput: 400,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    TooLarge: 413,
    EmbedderDown: 503,
}
DATABASE_AWAY = (OperationalError, InterfaceError)
TRY_AGAIN = "The database does not answer now; try again in a moment."
#: Codes for what the framework raises itself.
CODES = {
    400: "invalid",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    415: "unsupported_media_type",
    429: "throttled",
}


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler. None for what nobody foresaw: that becomes a 500 and is logged."""
    set_rollback()
    if isinstance(error, RequestDataTooBig):  # Django looks at the announced length before any parser does
        error = body_too_large()
    if isinstance(error, NeuronzError):
        return Response(_of_ours(error), status=STATUS[type(error)])
    if isinstance(error, Http404):
        return Response(_of_ours(NotFound()), status=404)
    if isinstance(error, DATABASE_AWAY):
        return Response(envelope("unavailable", TRY_AGAIN), status=503, headers={"Retry-After": "1"})
    if not isinstance(error, exceptions.APIException):
        return None
    code = CODES.get(error.status_code, "error")
    return Response(_of_framework(error, code), status=error.status_code, headers=_headers(error))


def _headers(error: exceptions.APIException) -> dict[str, str]:
    """DRF hangs these onto the error only where they apply."""
    scheme, wait = getattr(error, "auth_header", ""), getattr(error, "wait", None)
    headers = {"WWW-Authenticate": scheme} if scheme else {}
    return headers if wait is None else {**headers, "Retry-After": str(int(wait))}  # rounded up by DRF


def _of_ours(error: NeuronzError) -> dict[str, Any]:
    body = envelope(error.code, error.sentence, getattr(error, "fields", None))
    if isinstance(error, Conflict):
        body["error"]["current"] = _current(error.current)
    body["error"] |= error.data
    return body


def _of_framework(error: exceptions.APIException, code: str) -> dict[str, Any]:
    if isinstance(error, exceptions.ValidationError):
        fields: dict[str, list[str]] = {}
        for name, sentence in _flat(error.detail, ""):
            fields.setdefault(name, []).append(sentence)
        return envelope(code, _sentence(fields), fields)
    return envelope(code, str(error.detail))


def envelope(code: str, message: str, fields: dict[str, list[str]] | None = None) -> dict[str, Any]:
    clean = {_utf8(name): [_utf8(each) for each in sentences] for name, sentences in (fields or {}).items()}
    return {"error": {"code": code, "message": _utf8(message), "fields": clean}}


def _flat(detail: Any, path: str) -> Iterator[tuple[str, str]]:
    """Nested details as `name.inner`: sentence pairs."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _flat(inner, path if name == "non_field_errors" else f"{path}.{name}".strip("."))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _flat(inner, path)
    else:
        yield path or "body", str(detail)


def _sentence(fields: dict[str, list[str]]) -> str:
    return " ".join(f"{name}: {' '.join(sentences)}" for name, sentences in fields.items())


def _current(row: object) -> Any:
    if isinstance(row, Memory):
        return MemorySerializer(Memory.objects.for_show().get(pk=row.pk)).data
    if isinstance(row, Pair):
        return conflict(row)
    return receipt(row) if isinstance(row, Write) else None


def _utf8(text: str) -> str:
    """Names and values of bad input may hold broken surrogates, which no answer can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def bad_request(request: HttpRequest, exception: Exception) -> Any:
    """What is refused before any view: a host name that is not ours, say."""
    if request.path.startswith("/api/"):
        sentence = "This request can't be read as it is; mind its host name (NEURONZ_ALLOWED_HOSTS) and its headers."
        return JsonResponse(envelope("invalid", sentence), status=400)
    return bad_request_page(request, exception)


def nowhere(request: HttpRequest, **_: object) -> NoReturn:
    """An address that a library offers and that leads nowhere here."""
    raise Http404


def not_found(request: HttpRequest, exception: Exception) -> Any:
    if request.path.startswith("/api/"):
        return JsonResponse(envelope("not_found", "There is no such address; /api/docs/ lists them."), status=404)
    return page_not_found(request, exception)


def failed(request: HttpRequest) -> Any:
    if request.path.startswith("/api/") and isinstance(sys.exc_info()[1], DATABASE_AWAY):
        return JsonResponse(envelope("unavailable", TRY_AGAIN), status=503, headers={"Retry-After": "1"})
    if request.path.startswith("/api/"):
        return JsonResponse(
            envelope("error", "Something broke here; it is logged, and it is not your fault."), status=500
        )
    return server_error(request)
