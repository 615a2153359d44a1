"""The kinds of files other memories leave behind, one reader each: text in, candidates out. Pure.

Another kind is a module with a function like these, and a line in KINDS.
"""

from collections.abc import Callable, Iterator, Mapping

from sources.kinds import chatgpt, csv_table, json_lines, markdown, mcp_memory, mem0
from sources.kinds.base import Bad, Candidate, File

Reader = Callable[[File], Iterator[Candidate | Bad]]

KINDS: Mapping[str, Reader] = {
    "mem0": mem0.read,
    "mcp-memory": mcp_memory.read,
    "markdown": markdown.read,
    "chatgpt": chatgpt.read,
    "csv": csv_table.read,
    "jsonl": json_lines.read,
}
#: Which files of a folder are read; a file that is named itself is read whatever its ending.
SUFFIXES: Mapping[str, tuple[str, ...]] = {
    "mem0": (".json", ".jsonl"),
    "mcp-memory": (".json", ".jsonl"),
    "markdown": (".md", ".markdown", ".mdc"),
    "chatgpt": (".txt", ".md", ".json"),
    "csv": (".csv", ".tsv"),
    "jsonl": (".jsonl", ".ndjson"),
}

__all__ = ["KINDS", "SUFFIXES", "Bad", "Candidate", "File", "Reader"]
