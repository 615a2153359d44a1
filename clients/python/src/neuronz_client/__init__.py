"""Persistent memory for AI agents: a typed client of a Neuronz server.

>>> from neuronz_client import Neuronz
>>> with Neuronz("http://127.0.0.1:8000", key="nz_…") as memory:
...     memory.add_fact("The invoice run starts at 06:00.", tags=["billing"])
...     memory.search("when does the invoice run start")
"""

from neuronz_client._async import AsyncNeuronz
from neuronz_client._errors import (
    Conflict,
    ConnectionFailed,
    Forbidden,
    InvalidInput,
    NeuronzError,
    NotFound,
    ServerFailed,
    Throttled,
    TooLarge,
    Unauthenticated,
    UnexpectedAnswer,
)
from neuronz_client._sync import Neuronz

__all__ = [
    "AsyncNeuronz",
    "Conflict",
    "ConnectionFailed",
    "Forbidden",
    "InvalidInput",
    "Neuronz",
    "NeuronzError",
    "NotFound",
    "ServerFailed",
    "Throttled",
    "TooLarge",
    "Unauthenticated",
    "UnexpectedAnswer",
]
