"""What the OpenAPI document can't see by itself."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.negotiation import DefaultContentNegotiation


class AgentKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular has no types here
    """How the key appears in the OpenAPI document."""

    target_class = "neuronz.auth.AgentKeyAuthentication"
    name = "agentKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "An agent key, `nz_…`."}


class FormatByQuery(DefaultContentNegotiation):
    """The document comes as YAML, or as `?format=json`; everywhere else `format` is an unknown argument."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: str | None = None) -> Any:
        return super().select_renderer(request, renderers, format_suffix or request.query_params.get("format"))
