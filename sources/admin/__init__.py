"""The pages of sources: connected and watched by managers."""

from sources.admin import defaults, runs, sources, uploads

__all__ = ["defaults", "runs", "sources", "uploads"]
