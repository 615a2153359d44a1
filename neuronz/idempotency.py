"""`Idempotency-Key` on any POST: the same key and body give the first answer again for 24 hours."""

import time
from collections.abc import Callable
from hashlib import sha256
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from memories.models import IdempotentAnswer
from memories.services import idempotency
from neuronz.auth import caller_of
from neuronz.errors import envelope
from neuronz.parsing import BODY_BYTES

WAIT_SECONDS, LOOK_EVERY_SECONDS = 30.0, 0.05
LONGEST_KEY = 255
STILL_ANSWERING = "The first request with this Idempotency-Key has no answer yet; try again later."
#: Not answers to keep: the caller should try again.
NOT_KEPT = (401, 429)


class IdempotencyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        key = request.headers.get("Idempotency-Key", "")
        if request.method != "POST" or not key or not request.path.startswith("/api/v1/"):
            return self.get_response(request)
        caller = caller_of(request.headers.get("Authorization", ""))
        if caller is None or caller.actor.agent_id is None:
            return self.get_response(request)  # the view answers 401
        if len(key) > LONGEST_KEY or not key.isprintable():
            return _refusal(400, "invalid", f"An Idempotency-Key has at most {LONGEST_KEY} printable characters.")
        if int(request.META.get("CONTENT_LENGTH") or 0) > BODY_BYTES:
            return self.get_response(request)  # the view answers 413
        return self._once(request, agent_id=caller.actor.agent_id, key=key)

    def _once(self, request: HttpRequest, *, agent_id: UUID, key: str) -> HttpResponseBase:
        fingerprint = sha256(b"\0".join([b"POST", request.get_full_path().encode(), request.body])).digest()
        row, is_mine = idempotency.claim(agent_id=agent_id, key=key, fingerprint=fingerprint)
        if bytes(row.fingerprint) != fingerprint:
            return _refusal(409, "conflict", "This Idempotency-Key was used with another body; choose a new key.")
        return self._answer(request, row) if is_mine else self._again(request, row)

    def _answer(self, request: HttpRequest, row: IdempotentAnswer) -> HttpResponseBase:
        """What is not worth keeping is answered anew by a repeat, which finds what was stored all the same."""
        with idempotency.answering(row):
            response = self.get_response(request)
            if (
                response.status_code < 500
                and response.status_code not in NOT_KEPT
                and isinstance(response, HttpResponse)
            ):
                idempotency.keep(row, status=response.status_code, body=response.content.decode())
        return response

    def _again(self, request: HttpRequest, row: IdempotentAnswer) -> HttpResponseBase:
        """The kept answer; while the first request is still being answered, wait for it; if it died, take its place."""
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            if answered := idempotency.first_answer(row):
                return HttpResponse(answered.body, status=answered.status, content_type="application/json")
            if idempotency.hold(row):
                return self._answer(request, row)
            time.sleep(LOOK_EVERY_SECONDS)
        return _refusal(409, "conflict", STILL_ANSWERING)


def _refusal(status: int, code: str, sentence: str) -> HttpResponse:
    return JsonResponse(envelope(code, sentence), status=status)
