"""Key → agent → actor, the same way for REST and MCP."""

from typing import TYPE_CHECKING

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from memories.actors import Actor
from memories.choices import Permission
from memories.services import keys
from memories.services.keys import Caller
from neuronz import throttling

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which itself loads the classes below

NO_KEY = (
    "Send a valid agent key: Authorization: Bearer nz_…; staff create keys in the admin or with manage.py create_agent."
)


def caller_of(header: str) -> Caller | None:
    """The caller named by an Authorization header, or None."""
    scheme, _, secret = header.partition(" ")
    return keys.verify(secret.strip()) if scheme.lower() == "bearer" else None


class AgentKeyAuthentication(BaseAuthentication):
    """`request.user` is the Actor, `request.auth` the Caller."""

    def authenticate(self, request: Request) -> tuple[Actor, Caller] | None:
        sent = request.headers.get("Authorization", "")
        caller = caller_of(sent)
        if caller is None:
            if sent and not throttling.may_send_a_wrong_key(request.META.get("REMOTE_ADDR", "")):
                raise Throttled(throttling.seconds_to_wait())
            raise AuthenticationFailed(NO_KEY)
        return caller.actor, caller

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="neuronz"'


class KeyPermits(BasePermission):
    """Reading needs the read permission, everything else the write permission."""

    message = "This key may not do that; ask staff for a key with the permission."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        reads = request.method in SAFE_METHODS or getattr(view, "post_reads", False)
        return isinstance(request.auth, Caller) and request.auth.may(Permission.READ if reads else Permission.WRITE)
