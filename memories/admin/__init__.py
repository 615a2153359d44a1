"""The admin, where people decide. One file per page; each registers itself when it is imported here."""

from memories.admin import (
    agents,
    audit,
    cognition,
    facts,
    graph,
    people,
    products,
    proposals,
    raw_texts,
    rules,
    writes,
)

__all__ = [
    "agents",
    "audit",
    "cognition",
    "facts",
    "graph",
    "people",
    "products",
    "proposals",
    "raw_texts",
    "rules",
    "writes",
]
