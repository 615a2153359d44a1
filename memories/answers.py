"""Results of services in their outward shapes: what REST renders and an MCP tool returns."""

from collections.abc import Sequence
from typing import Any

from memories import limits
from memories.models import Memory, Write
from memories.serializers import (
    ActedSerializer,
    CapturedSerializer,
    FactAddedSerializer,
    FoundSerializer,
    RecallSerializer,
    ResolvedSerializer,
    SimilarSerializer,
    WriteSerializer,
)
from memories.services import receipts
from memories.services.captures import Captured, Kept
from memories.services.editing import Acted
from memories.services.intake import FactAdded
from memories.services.keys import Caller
from memories.services.recall import Found
from memories.services.recall_block import Block
from memories.services.resolving import Resolved
from memories.services.similar import Similar


def receipt(write: Write) -> dict[str, Any]:
    return dict(WriteSerializer(write, context=receipts.for_show([write])).data)


def captured(result: Captured) -> dict[str, Any]:
    """The receipt of the message that is read last, with what the others add to it."""
    writes = result.writes
    context = receipts.for_show(writes)
    answer: Any = {
        "id": writes[-1].pk, "raw_id": writes[-1].raw_id, "created_at": writes[-1].created_at,
        "state": result.state, "reason": result.reason, "session": result.session,
        "note": next((write.note for write in writes if write.note), ""),
        "replaced_characters": sum(write.replaced_characters for write in writes),
        "left_out": sum(write.left_out for write in writes),
        "masked": [{**mask, "message": each.id} for each in result.kept if each.write for mask in each.write.masked],
        "shown_statements": [statement for write in writes for statement in write.shown_statements],
        "statement_count": sum(context["counts"].values()),
        "messages": [_kept(each) for each in result.kept],
    }  # fmt: skip
    return dict(CapturedSerializer(answer, context=context).data)


def _kept(each: Kept) -> dict[str, Any]:
    if each.write is None:
        return {"id": each.id, "outcome": "refused", "write": None, "raw": None, "state": None, "reason": each.refusal}
    write = each.write
    outcome = "kept" if each.is_new else "known"
    return {"id": each.id, "outcome": outcome, "write": write.pk, "raw": write.raw_id, "state": write.state,
            "reason": write.reason}  # fmt: skip


def acted(result: Acted) -> dict[str, Any]:
    answer = {"fact": _now(result.fact), "outcome": result.outcome, "conflict": result.conflict}
    return dict(ActedSerializer(answer).data)


def fact_added(result: FactAdded) -> dict[str, Any]:
    answer = {"fact": _now(result.fact), "outcome": result.outcome, "conflict": result.conflict}
    near = None if result.similar is None else _with_rows(result.similar)
    return dict(FactAddedSerializer({**answer, "similar": near}).data)


def resolved(result: Resolved) -> dict[str, Any]:
    sides = {"fact": _now(result.fact), "other": _now(result.other)}
    answer = {"verdict": result.verdict, "outcome": result.outcome, "conflict": result.conflict, **sides}
    return dict(ResolvedSerializer(answer).data)


def similar_facts(near: Sequence[Similar]) -> dict[str, Any]:
    return {"results": SimilarSerializer(_with_rows(near), many=True).data}


def found(result: Found, *, explain: bool) -> dict[str, Any]:
    return dict(FoundSerializer(result, context={"explain": explain}).data)


def recalled(block: Block) -> dict[str, Any]:
    return dict(RecallSerializer(block).data)


def whoami(caller: Caller) -> dict[str, Any]:
    product = caller.product
    return {
        "product": {"id": str(product.pk), "slug": product.slug, "name": product.name},
        "agent": {"id": str(caller.actor.agent_id), "name": caller.actor.name},
        "limits": {name.lower(): value for name, value in vars(limits).items() if name.isupper()},
        "settings": {name: getattr(product, name) for name in ("fact_neighbor_floor", "zone", "secrets")},
        "permissions": list(caller.key.permissions),
    }


def _with_rows(near: Sequence[Similar]) -> list[dict[str, Any]]:
    rows = {row.pk: row for row in Memory.objects.filter(pk__in=[each.memory.pk for each in near]).for_show()}
    return [
        {"memory": rows[each.memory.pk], "similarity": round(each.similarity, 4), "differs": each.differs}
        for each in near
    ]


def _now(memory: Memory) -> Memory:
    """The memory as it is now, with all that its shape needs."""
    return Memory.objects.for_show().get(pk=memory.pk)
