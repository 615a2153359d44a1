"""Connections that memories are read from, the documents in them, and every pass over them."""

from sources.models.item import SourceItem
from sources.models.run import SyncProblem, SyncRun
from sources.models.source import AuthorityDefault, Source
from sources.models.upload import Upload

__all__ = ["AuthorityDefault", "Source", "SourceItem", "SyncProblem", "SyncRun", "Upload"]
