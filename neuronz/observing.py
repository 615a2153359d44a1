"""Around each request of Django: its id, its line in the log, its place in the metrics. Never its body or query."""

import logging
import time
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import Counter, Histogram

from memories.metrics import SECONDS
from memories.services.keys import Caller
from neuronz import logs

logger = logging.getLogger("neuronz.requests")

REQUESTS = Counter("neuronz_http_requests", "Requests answered.", ["method", "route", "status"])
LATENCY = Histogram("neuronz_http_request_seconds", "How long an answer took.", ["method", "route"], buckets=SECONDS)
#: Asked every few seconds by machines: counted, not logged.
QUIET = {"healthz", "readyz", "metrics"}
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class ObservingMiddleware:
    """The outermost one, so that whatever the others answer is seen too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        id_, started = logs.request_id(request.headers.get("X-Request-ID", "")), time.perf_counter()
        with logs.about(request=id_):
            response = self.get_response(request)
            self._note(request, response, time.perf_counter() - started)
        response.headers["X-Request-ID"] = id_
        return response

    def _note(self, request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
        route, method = route_of(request), request.method if request.method in METHODS else "other"
        REQUESTS.labels(method, route, str(response.status_code)).inc()
        LATENCY.labels(method, route).observe(seconds)
        if route in QUIET:
            return
        caller = getattr(request, "auth", None)
        told = {"product": caller.product.slug, "agent": caller.actor.name} if isinstance(caller, Caller) else {}
        with logs.about(**told, method=method, route=route, status=response.status_code, ms=round(seconds * 1000)):
            logger.info("%s %s %d", method, route, response.status_code)


def route_of(request: HttpRequest) -> str:
    """The pattern of the address: addresses themselves are without number, and hold what callers put there."""
    match = request.resolver_match
    return match.route if match else "none"
