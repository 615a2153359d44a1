"""The tools of every app, as the settings name their lists."""

from django.conf import settings
from django.utils.module_loading import import_string

from memories.tooling import Tool


def tools() -> dict[str, Tool]:
    """By name, in the order of the settings."""
    gathered = [each for path in settings.MCP_TOOLS for each in import_string(f"{path}.TOOLS")]
    return {each.name: each for each in gathered}
