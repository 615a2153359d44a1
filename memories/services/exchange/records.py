"""The records of this app: agents, memories, their moves, writes, outcomes and evidence."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from django.db import connection
from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.fields import UUIDField

from memories.choices import Kind, WriteState
from memories.models import (
    Agent,
    CapturedMessage,
    Conclusion,
    Evidence,
    Memory,
    MemoryEvent,
    Rule,
    RuleEvent,
    Write,
    WriteStatement,
)
from memories.services.drafts import key_of
from memories.services.exchange import values
from memories.services.exchange.tables import Extent, Row, Table, plain
from memories.services.rules import visible_to as visible_rules

NEVER_TWICE = "made anew by the other database"
ONE_PRODUCT = "the whole file is of one product"


def agents(extent: Extent) -> "QuerySet[Agent]":
    """To an agent: itself, and who wrote something that it may read."""
    rows = Agent.objects.filter(product=extent.product).order_by("pk")
    if extent.reader is None:
        return rows
    memories = extent.memories()
    wrote = Q(memories__in=memories) | Q(pk__in=Evidence.objects.filter(memory__in=memories).values("agent"))
    proposed = Q(pk__in=rules(extent).values("agent"))
    return rows.filter(wrote | proposed | Q(pk=extent.reader.agent_id)).distinct()


def memories(extent: Extent) -> "QuerySet[Memory]":
    return extent.memories().order_by("pk")


def moves(extent: Extent) -> "QuerySet[Any]":
    rows: QuerySet[Any] = MemoryEvent.objects.filter(pgh_obj__in=extent.memories())
    return rows.order_by("pgh_id")


def writes(extent: Extent) -> "QuerySet[Write]":
    """Receipts are their writers' alone, even those of shared texts."""
    rows = Write.objects.filter(product=extent.product, raw__in=extent.memories()).order_by("pk")
    return rows.filter(agent=extent.reader.agent_id) if extent.reader else rows


def messages(extent: Extent) -> "QuerySet[CapturedMessage]":
    """Their ids say what came before, so they are put back in this order."""
    return CapturedMessage.objects.filter(write__in=writes(extent)).order_by("pk")


def outcomes(extent: Extent) -> "QuerySet[WriteStatement]":
    return WriteStatement.objects.filter(write__in=writes(extent)).order_by("write_id", "position")


def evidence(extent: Extent) -> "QuerySet[Evidence]":
    rows = Evidence.objects.filter(memory__in=extent.memories()).order_by("pk")
    if extent.reader is None:
        return rows
    own = When(write__agent_id=extent.reader.agent_id, then=F("write_id"))
    return rows.annotate(own_write=Case(own, default=None, output_field=UUIDField(null=True)))


def conclusions(extent: Extent) -> "QuerySet[Conclusion]":
    return Conclusion.objects.filter(memory__in=extent.memories()).order_by("pk")


def rules(extent: Extent) -> "QuerySet[Rule]":
    """To an agent: the approved ones, and what it proposed itself."""
    rows = visible_rules(extent.reader) if extent.reader else Rule.objects.filter(product=extent.product)
    return rows.order_by("pk")


def rule_moves(extent: Extent) -> "QuerySet[Any]":
    rows: QuerySet[Any] = RuleEvent.objects.filter(pgh_obj__in=rules(extent))
    return rows.order_by("pgh_id")


def _keyed_rule(row: Row) -> Row:
    return {"key": key_of(row["text"])}


def _keyed(row: Row) -> Row:
    """Made from the content, by the rules of the server that stores it.

    The word index is made afterwards, like vectors: who said it is one of its words, and stands in another record.
    """
    content = row["content"]
    if row["erased_at"]:
        return {"key": sha256(str(row["id"]).encode()).digest()}
    key = sha256(content.encode()).digest() if row["kind"] == Kind.RAW else key_of(content)
    return {"key": key}


def _state(state: str) -> str:
    """A reading is not carried along: whoever puts the text back reads on from the outcomes that are there."""
    return WriteState.RECEIVED.value if state == WriteState.READING else state


def _context(told: Mapping[str, Any] | None) -> Any:
    """People are named in it already: their numbers mean nothing elsewhere."""
    return {**told, "user": None} if told else told


def _inserts_events(model: Any) -> Callable[[list[Row]], None]:
    """In SQL, because an event model puts the present time into every row."""

    def insert(rows: list[Row]) -> None:
        columns = [
            model._meta.get_field(name.removesuffix("_id") if name != "pgh_obj_id" else "pgh_obj") for name in rows[0]
        ]
        values = [[column.get_db_prep_save(row[column.attname], connection) for row in rows] for column in columns]
        names = ", ".join(column.column for column in columns)
        arrays = ", ".join(f"%s::{column.db_type(connection)}[]" for column in columns)
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {model._meta.db_table} ({names}) SELECT {names} "  # noqa: S608  # names out of models
                f"FROM unnest({arrays}) WITH ORDINALITY AS row ({names}, place) ORDER BY place",
                values,
            )

    return insert


TABLES = [
    Table(
        "agent", Agent, agents, plain("id", "name", "created_at"), left_out={"product": ONE_PRODUCT},
    ),
    Table(
        "memory", Memory, memories,
        plain("id", "scope", "owner_id", "content", "kind", "category", "person", "tier", "status", "tags", "metadata",
              "about_from", "about_until", "recorded_at", "origin", "agent_id")
        | {"author": "author__username"} | plain("raw_id", "replaced_by_id", "duplicate_of_id", "erased_at"),
        links={"owner_id": "agent", "agent_id": "agent", "raw_id": "memory", "replaced_by_id": "memory",
               "duplicate_of_id": "memory"},
        pool=("raw_id", "replaced_by_id", "duplicate_of_id"),
        left_out={"product": ONE_PRODUCT, "key": "made from the content", "words": "made from the content",
                  "weights": "made from the content"},
        made=_keyed,
    ),
    Table(
        "move", MemoryEvent, moves,
        {"memory_id": "pgh_obj_id", "at": "pgh_created_at", "label": "pgh_label", "status": "status",
         "replaced_by_id": "replaced_by_id", "duplicate_of_id": "duplicate_of_id", "context": "pgh_context"},
        links={"memory_id": "memory", "replaced_by_id": "memory", "duplicate_of_id": "memory"},
        left_out={"pgh_id": NEVER_TWICE},
        shown={"context": _context}, odd={"context": values.context}, insert=_inserts_events(MemoryEvent),
    ),
    Table(
        "write", Write, writes,
        plain("id", "agent_id", "raw_id", "follows_id", "confirmed", "state", "reason", "masked",
              "replaced_characters", "left_out", "created_at", "finished_at"),
        links={"agent_id": "agent", "raw_id": "memory", "follows_id": "memory"},
        pool=("raw_id", "follows_id"),
        left_out={"product": ONE_PRODUCT, "note": "of a reading", "attempts": "of a reading",
                  "request": "of one server", "request_place": "of one server", "claim": "of a reading",
                  "claimed_until": "of a reading"},
        shown={"state": _state},
    ),
    Table(
        "outcome", WriteStatement, outcomes,
        plain("write_id", "position", "memory_id", "outcome", "against_id", "similar"),
        links={"write_id": "write", "memory_id": "memory", "against_id": "memory"},
        left_out={"id": NEVER_TWICE},
        odd={"similar": values.similar},
    ),
    Table(
        "message", CapturedMessage, messages, plain("agent_id", "session", "message", "role", "write_id"),
        links={"agent_id": "agent", "write_id": "write"},
        left_out={"product": ONE_PRODUCT, "id": NEVER_TWICE},
    ),
    Table(
        "evidence", Evidence, evidence,
        plain("id", "memory_id", "raw_id", "rests_on_id", "counters", "write_id", "agent_id", "start", "end",
              "excerpt", "source_id",
              "source_name", "item_key", "item_url", "run_id", "session", "message", "speaker", "said_at",
              "created_at"),
        links={"memory_id": "memory", "raw_id": "memory", "rests_on_id": "memory", "write_id": "write",
               "agent_id": "agent"},
        pool=("memory_id", "raw_id", "rests_on_id"),
        left_out={"product": ONE_PRODUCT},
        stand_ins={"write_id": "own_write"},
    ),
    Table(
        "conclusion", Conclusion, conclusions,
        plain("memory_id", "step", "subject", "digest", "support", "against", "refreshed_at"),
        links={"memory_id": "memory"}, left_out={"product": ONE_PRODUCT},
        odd={"subject": values.sentence},
    ),
    Table(
        "rule", Rule, rules,
        plain("id", "text", "why", "status", "agent_id")
        | {"author": "author__username", "decided_by": "decided_by__username"} | plain("decided_at", "created_at"),
        links={"agent_id": "agent"},
        left_out={"product": ONE_PRODUCT, "key": "made from the text"},
        made=_keyed_rule,
    ),
    Table(
        "rule_move", RuleEvent, rule_moves,
        {"rule_id": "pgh_obj_id", "at": "pgh_created_at", "label": "pgh_label", "text": "text", "why": "why",
         "status": "status", "context": "pgh_context"},
        links={"rule_id": "rule"},
        left_out={"pgh_id": NEVER_TWICE},
        shown={"context": _context}, odd={"context": values.context}, insert=_inserts_events(RuleEvent),
    ),
]  # fmt: skip
