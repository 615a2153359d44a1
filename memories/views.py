"""What every view of the REST door shares: the caller, the shape of the input, the page."""

from typing import Any, TypeVar, cast

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from memories.actors import Actor
from memories.errors import InvalidInput
from memories.fields import StrictSerializer
from memories.services.keys import Caller

Shape = TypeVar("Shape", bound=StrictSerializer)


class Door(APIView):
    """A view for agents. `request.auth` is the verified Caller; product and agent come from nowhere else."""

    #: POST that only reads, such as a search with a body: a key without the write permission may use it.
    post_reads = False

    @property
    def caller(self) -> Caller:
        return cast("Caller", self.request.auth)

    @property
    def by(self) -> Actor:
        return self.caller.actor

    def shaped(self, shape: type[Shape], sent: Any) -> Shape:
        """The input in its shape, or a 400 that names each field."""
        if not hasattr(sent, "items"):
            raise InvalidInput.of("body", "The body must be a JSON object.")
        checked = shape(data=sent, context={"zone": self.caller.product.zone})
        checked.is_valid(raise_exception=True)
        return checked

    def page(self, rows: Any, serializer: type[Serializer[Any]], *, limit: int, cursor: str, **more: Any) -> Response:
        """One page, newest first."""
        pages: Any = api_settings.DEFAULT_PAGINATION_CLASS
        url = self.request.build_absolute_uri()
        return Response(pages().page(rows, serializer, limit=limit, cursor=cursor, url=url, **more))


def sent_with(request: Request) -> Any:
    """What came with a DELETE: a body or, from clients that can't send one, the query."""
    return request.data or request.query_params
