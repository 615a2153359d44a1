"""ClickUp: the tasks and Docs of a workspace."""

from sources.connectors.clickup.connector import ClickUp

__all__ = ["ClickUp"]
