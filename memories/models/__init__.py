"""Columns, guards, and who may see. One file per topic; import the models from here."""

from memories.models.capture import CapturedMessage
from memories.models.cognition import CognitionRun, CognitionSettings, Conclusion, Proposal
from memories.models.desk import Assignment, Preference, SavedView
from memories.models.embedding import Embedding
from memories.models.erasure import ErasedStatement, ErasureReceipt
from memories.models.evidence import Evidence
from memories.models.given import Given
from memories.models.graph import Entity, Mention, Relation, RelationEvidence
from memories.models.idempotency import IdempotentAnswer
from memories.models.memory import Memory, MemoryEvent
from memories.models.product import Agent, AgentKey, Membership, Product
from memories.models.pulse import Pulse
from memories.models.rarity import TermCounts
from memories.models.rule import Rule, RuleEvent
from memories.models.spending import ModelUse
from memories.models.write import Write, WriteStatement

__all__ = [
    "Agent",
    "AgentKey",
    "Assignment",
    "CapturedMessage",
    "CognitionRun",
    "CognitionSettings",
    "Conclusion",
    "Embedding",
    "Entity",
    "ErasedStatement",
    "ErasureReceipt",
    "Evidence",
    "Given",
    "IdempotentAnswer",
    "Membership",
    "Memory",
    "MemoryEvent",
    "Mention",
    "ModelUse",
    "Preference",
    "Product",
    "Proposal",
    "Pulse",
    "Relation",
    "RelationEvidence",
    "Rule",
    "RuleEvent",
    "SavedView",
    "TermCounts",
    "Write",
    "WriteStatement",
]
