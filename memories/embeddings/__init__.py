"""Texts to vectors. Everything outside this package imports from here."""

from memories.embeddings.base import Embedder, Vector
from memories.embeddings.choice import built, count_tokens, current, embed_or_none, embed_query, override
from memories.embeddings.hashing import HashingEmbedder
from memories.embeddings.transformer import SentenceTransformerEmbedder

__all__ = [
    "Embedder",
    "HashingEmbedder",
    "SentenceTransformerEmbedder",
    "Vector",
    "built",
    "count_tokens",
    "current",
    "embed_or_none",
    "embed_query",
    "override",
]
