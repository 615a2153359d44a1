"""Reading: text → what it says, and how two statements stand to each other. Pure: no database, settings or clock."""

from memories.reading.base import (
    MAX_STATEMENT_LENGTH,
    Comparison,
    Context,
    Difference,
    Reader,
    Statement,
    Verdict,
)
from memories.reading.normal import same_statement, statement_key
from memories.reading.plain import PlainReader

__all__ = [
    "MAX_STATEMENT_LENGTH",
    "Comparison",
    "Context",
    "Difference",
    "PlainReader",
    "Reader",
    "Statement",
    "Verdict",
    "same_statement",
    "statement_key",
]
