"""What must be true of the lines of a file together; the database keeps what is true of one row.

A memory's facts are kept until the end, in a few words each: a line may lead to one that comes later.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from memories.choices import LIVE, RULE_MOVES, Kind, Origin, RuleStatus, Scope, Status
from memories.decisions import BIRTHS, MOVES
from memories.errors import InvalidInput
from memories.services.exchange.tables import Row, Table

Standing = tuple[str, UUID | None, UUID | None]  # status, replaced_by, duplicate_of
Claim = tuple[UUID | None, bytes, datetime | None, datetime | None]


def refuse(line: int, sentence: str) -> InvalidInput:
    return InvalidInput.of(f"line {line}", f"Line {line}: {sentence} Nothing was imported.")


@dataclass(slots=True)
class Told:
    """What is remembered of one memory of the file, and where its history has led so far."""

    line: int
    owner_id: UUID | None
    standing: Standing
    led_to: Standing | None = None


@dataclass(slots=True)
class ToldRule:
    """What is remembered of one rule, and where its history has led so far: words and status."""

    line: int
    standing: tuple[str, str]
    led_to: tuple[str, str] | None = None


@dataclass(slots=True)
class Link:
    line: int
    name: str
    record: str
    id: UUID
    #: The pool it must lie in, by the memory that says so.
    pool_of: UUID | None = None


@dataclass(slots=True)
class Checks:
    memories: dict[UUID, Told] = field(default_factory=dict)
    ids: dict[str, dict[UUID, int]] = field(default_factory=dict)
    #: Links to what has not come yet.
    ahead: list[Link] = field(default_factory=list)
    claims: dict[Claim, int] = field(default_factory=dict)
    held: set[UUID] = field(default_factory=set)
    rules: dict[UUID, ToldRule] = field(default_factory=dict)

    def row(self, line: int, table: Table, row: Row) -> None:
        """Look at one row, in the order of the file. `row` holds the model's attributes."""
        if "id" in row:
            self._first(line, table, row["id"])
        if table.record == "memory":
            self._memory(line, row)
        for link in self._links(line, table, row):
            if not self._leads_somewhere(link):
                self.ahead.append(link)
        if table.record == "move":
            self._move(line, row)
        if table.record == "rule":
            self.rules[row["id"]] = ToldRule(line, (row["text"], row["status"]))
        if table.record == "rule_move":
            self._rule_move(line, row)
        if table.holds:
            self.held |= {row[name] for name in table.holds(row)}

    def end(self) -> None:
        """What could be known only now."""
        self._end_of_rules()
        for link in self.ahead:
            if not self._leads_somewhere(link):
                raise refuse(link.line, f"{link.name} leads to the {link.record} {link.id}, which is not in the file.")
        for id_, told in self.memories.items():
            if told.led_to != told.standing:
                raise refuse(told.line, _unexplained(told))
            if told.standing[0] in (Status.DISPUTED, Status.CONFLICTING) and id_ not in self.held:
                raise refuse(
                    told.line, f"the memory is {told.standing[0]}, and no unsettled pair of the file holds it."
                )

    def _rule_move(self, line: int, row: Row) -> None:
        told = self.rules.get(row["pgh_obj_id"])
        if told is None:
            return
        old, new = RuleStatus(told.led_to[1]) if told.led_to else None, RuleStatus(row["status"])
        if old is None and new != RuleStatus.PROPOSED:
            raise refuse(line, f"a rule begins as a proposal, not {new}.")
        if old is not None and old != new and (old, new) not in RULE_MOVES:
            raise refuse(line, f"a rule never goes from {old} to {new}.")
        told.led_to = (row["text"], row["status"])

    def _end_of_rules(self) -> None:
        for rule in self.rules.values():
            if rule.led_to != rule.standing:
                raise refuse(rule.line, "the rule's history does not end with its words and its status.")

    def _first(self, line: int, table: Table, id_: UUID) -> None:
        known = self.ids.setdefault(table.record, {})
        if id_ in known:
            raise refuse(line, f"the {table.record} {id_} was on line {known[id_]} already.")
        known[id_] = line

    def _memory(self, line: int, row: Row) -> None:
        for fault in _faults_of_memory(row):
            raise refuse(line, fault)
        standing = (row["status"], row["replaced_by_id"], row["duplicate_of_id"])
        self.memories[row["id"]] = Told(line, row["owner_id"], standing)
        if row["kind"] == Kind.RAW or row["status"] not in LIVE:
            return
        claim = (row["owner_id"], row["key"], row["about_from"], row["about_until"])
        if claim in self.claims:
            raise refuse(line, f"the memory on line {self.claims[claim]} says the same, and both are live.")
        self.claims[claim] = line

    def _links(self, line: int, table: Table, row: Row) -> Iterator[Link]:
        own = row.get("id") if table.record == "memory" else row[table.attribute(table.pool[0])] if table.pool else None
        for name, record in table.links.items():
            target = row[table.attribute(name)]
            if target is not None:
                yield Link(line, name.removesuffix("_id"), record, target, own if name in table.pool else None)

    def _leads_somewhere(self, link: Link) -> bool:
        if link.id not in self.ids.get(link.record, {}):
            return False
        if link.pool_of is None or link.pool_of not in self.memories:
            return True
        if self.memories[link.id].owner_id != self.memories[link.pool_of].owner_id:
            raise refuse(link.line, f"{link.name} leads to a memory of another pool; private and shared never mix.")
        return True

    def _move(self, line: int, row: Row) -> None:
        told = self.memories.get(row["pgh_obj_id"])
        if told is None:
            return
        new: Standing = (row["status"], row["replaced_by_id"], row["duplicate_of_id"])
        if told.led_to is None and new[0] not in BIRTHS:
            raise refuse(line, f"no memory is born {new[0]}.")
        old = told.led_to[0] if told.led_to else new[0]
        if old != new[0] and (Status(old), Status(new[0])) not in MOVES:
            raise refuse(line, f"a memory never goes from {old} to {new[0]}.")
        told.led_to = new


def _faults_of_memory(row: Row) -> Iterator[str]:
    """What the database would say too, without the line."""
    if (row["scope"] == Scope.PRIVATE) != (row["owner_id"] is not None):
        yield "a private memory has an owner, and a shared one none."
    if row["owner_id"] and (row["origin"] != Origin.AGENT or row["agent_id"] != row["owner_id"]):
        yield "a private memory was written by its owner."
    if (row["origin"] == Origin.AGENT) != (row["agent_id"] is not None):
        yield "a memory whose origin is agent names the agent, and no other does."
    if (row["status"] == Status.SUPERSEDED) != (row["replaced_by_id"] is not None):
        yield "a superseded memory names its successor in replaced_by, and no other does."
    if row["duplicate_of_id"] and row["status"] != Status.RETIRED:
        yield "a memory that is duplicate_of another is retired."
    if row["id"] in (row["replaced_by_id"], row["duplicate_of_id"]):
        yield "a memory never replaces or doubles itself."
    if row["erased_at"] and (row["content"] or row["status"] not in (Status.SUPERSEDED, Status.RETIRED)):
        yield "an erased memory is empty, and superseded or retired."
    if not row["content"] and row["kind"] != Kind.RAW and not row["erased_at"]:
        yield "the content is empty."
    if row["about_from"] and row["about_until"] and row["about_from"] > row["about_until"]:
        yield "about_from is after about_until."


def _unexplained(told: Told) -> str:
    if told.led_to is None:
        return "the memory has no history (no record move names it)."
    if told.led_to[0] != told.standing[0]:
        return f"the memory is {told.standing[0]}, and its history ends with {told.led_to[0]}."
    return "its history ends with another successor or original than the memory names."


def faults_of(told: Any) -> str:
    """Why something is no record at all; empty if it is one."""
    return "" if isinstance(told, dict) and isinstance(told.get("record"), str) else "it is no object with a record."
