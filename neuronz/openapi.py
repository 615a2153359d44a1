"""What the OpenAPI document can't see by itself."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class AgentKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular has no types here
    """How the key appears in the OpenAPI document."""

    target_class = "neuronz.auth.AgentKeyAuthentication"
    name = "agentKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "An agent key, `nz_…`."}
