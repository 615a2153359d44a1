"""The outward shapes (api.md). REST renders them, an MCP tool returns them; there are no others."""

from memories.serializers.captures import CapturedSerializer
from memories.serializers.envelopes import (
    BatchAnswerSerializer,
    ErrorSerializer,
    MemoryPageSerializer,
    PageSerializer,
    ProblemSerializer,
    RulePageSerializer,
    WhoamiSerializer,
    WritePageSerializer,
    answers,
)
from memories.serializers.graph import EntitySerializer, GraphSerializer, RelationSerializer
from memories.serializers.history import (
    ByWhomSerializer,
    EvidenceListSerializer,
    EvidenceSerializer,
    HistorySerializer,
    MoveSerializer,
)
from memories.serializers.memory import (
    AboutSerializer,
    MemorySerializer,
    SaidSerializer,
    SourceOriginSerializer,
)
from memories.serializers.recalls import HookSerializer, RecallSerializer, RuleSerializer
from memories.serializers.results import (
    ActedSerializer,
    ContributionSerializer,
    DifferenceSerializer,
    FactAddedSerializer,
    FoundSerializer,
    HitSerializer,
    PersonaSerializer,
    PersonasSerializer,
    ResolvedSerializer,
    SimilarListSerializer,
    SimilarSerializer,
)
from memories.serializers.writes import (
    MaskedSerializer,
    WriteSerializer,
    WriteStatementSerializer,
)

__all__ = [
    "AboutSerializer",
    "ActedSerializer",
    "BatchAnswerSerializer",
    "ByWhomSerializer",
    "CapturedSerializer",
    "ContributionSerializer",
    "DifferenceSerializer",
    "EntitySerializer",
    "ErrorSerializer",
    "EvidenceListSerializer",
    "EvidenceSerializer",
    "FactAddedSerializer",
    "FoundSerializer",
    "GraphSerializer",
    "HistorySerializer",
    "HitSerializer",
    "HookSerializer",
    "MaskedSerializer",
    "MemoryPageSerializer",
    "MemorySerializer",
    "MoveSerializer",
    "PageSerializer",
    "PersonaSerializer",
    "PersonasSerializer",
    "ProblemSerializer",
    "RecallSerializer",
    "RelationSerializer",
    "ResolvedSerializer",
    "RulePageSerializer",
    "RuleSerializer",
    "SaidSerializer",
    "SimilarListSerializer",
    "SimilarSerializer",
    "SourceOriginSerializer",
    "WhoamiSerializer",
    "WritePageSerializer",
    "WriteSerializer",
    "WriteStatementSerializer",
    "answers",
]
