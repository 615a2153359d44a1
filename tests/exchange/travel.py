"""A product with a past, and its way out of a server and into another one."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection

from conflicts import services as settling
from conflicts import undoing
from conflicts.choices import Answer
from memories.actors import Actor
from memories.choices import Category, Reason, RuleStatus, Scope, Status, Tier, VerdictGiven
from memories.models import Memory, Product, Write
from memories.services import editing, resolving, rules
from memories.services.exchange import exporting, restoring
from memories.services.exchange.tables import Extent
from memories.services.resolving import Resolved
from sources import services as uploads
from sources.uploaders import uploader
from tests import factories

TOKEN = "ghp_" + "a1B2" * 9


def live_through(product: Product, a1: Actor, a2: Actor, curator: Actor) -> None:
    """Every status, every reason and answer of a pair, undone and put off; private, foreign, masked and unfinished."""
    for scope, by in ((Scope.SHARED, a1), (Scope.PRIVATE, a1), (Scope.SHARED, a2), (Scope.PRIVATE, a2)):
        versions(by, scope)
        disagreements(by, scope)
    settled(a1, a2, curator)
    texts(product, a1)
    bind(a1, curator)


def versions(by: Actor, scope: Scope) -> None:
    name = f"{by.name} {scope}"
    lamp = factories.fact(by, f"The {name} lamp is red.", scope=scope, confirmed=False, tags=("ops", "灯"))
    editing.revise(by=by, memory_id=lamp.pk, content=f"The {name} lamp is blau — 青い.", why="It was painted: “blau”.")
    day = datetime(2026, 7, 12, tzinfo=UTC)
    gate = factories.fact(
        by, f"The {name} gate opened.", scope=scope, about=(day, None), metadata={"ü": [1, 2.5, None]}
    )
    editing.retire(by=by, memory_id=gate.pk, why="Gone.")
    editing.restore(by=by, memory_id=gate.pk)
    gone = factories.fact(by, f"The {name} pump is gone.", scope=scope)
    editing.retire(by=by, memory_id=gone.pk)
    twin = factories.fact(by, f"The {name} gate was opened.", scope=scope)
    resolve(by, twin, "duplicate", gate)


def disagreements(by: Actor, scope: Scope) -> None:
    name = f"{by.name} {scope}"
    policy = factories.fact(by, f"The {name} port is 1.", scope=scope, tier=Tier.POLICY)
    resolve(by, factories.fact(by, f"The {name} port is 2.", scope=scope, tier=Tier.TEAM), "replaces", policy)
    sides = [factories.fact(by, f"The {name} door is {state}.", scope=scope) for state in ("open", "shut")]
    settling.settle(by=by, pair_id=dispute(by, sides), answer=Answer.NOT_NOW)
    sides = [
        factories.fact(by, f"{name} likes {what}.", scope=scope, category=Category.PERSONA, person="Ada")
        for what in ("tea", "coffee")
    ]
    resolve(by, sides[1], "contradicts", sides[0])


def settled(a1: Actor, a2: Actor, curator: Actor) -> None:
    for answer in (Answer.OLDER, Answer.NEWER, Answer.NEITHER, Answer.CORRECTION):
        for by, who in ((a1, "agents"), (curator, "people")):
            sides = [factories.fact(a1, f"The {answer} of {who} is {state}.") for state in ("one", "two")]
            pair = dispute(a2, sides)
            correction = f"The {answer} of {who} is three." if answer == Answer.CORRECTION else None
            settling.settle(by=by, pair_id=pair, answer=answer, correction=correction, why="Seen.")
            if by is curator and answer != Answer.NEITHER:
                undoing.undo(by=curator, pair_id=pair)
    wrong = factories.fact(a1, "The vault is empty.")
    editing.retire(by=curator, memory_id=wrong.pk, why="It is not.")
    factories.add(a1, "The vault is empty.")
    suggested = factories.fact(a1, "The kiln has one door.").conflicts
    suggested.open_against(factories.fact(a1, "The kiln has two doors."), reason=Reason.UNSURE)


def bind(by: Actor, curator: Actor) -> None:
    """A rule in each status, and one that was reworded."""
    for to in RuleStatus:
        rule = rules.propose(by=by, text=f"Never touch the {to} lamp.", why="It is hot.").rule
        if to == RuleStatus.RETIRED:
            rules.decide(by=curator, rule_id=rule.pk, to=RuleStatus.APPROVED, text="Never touch the old lamp.")
        if to != RuleStatus.PROPOSED:
            rules.decide(by=curator, rule_id=rule.pk, to=to, why="So it is.")


def texts(product: Product, by: Actor) -> None:
    factories.write(by, f"The token is {TOKEN}.\0 The ferry leaves at nine.", confirmed=True)
    factories.write(by, "Left to be read.", wait=False)
    Write.objects.filter(raw__content="Left to be read.").update(state="cancelled", reason="Not needed.")
    document = uploader(product=product)
    uploads.upload_document(key="handbook/a.md", text="# Quay\n\nThe quay has ten cranes.\n", to=document)
    uploads.upload_document(key="handbook/a.md", text="# Quay\n\nThe quay has twelve cranes.\n", to=document)


def dispute(by: Actor, sides: list[Memory]) -> UUID:
    pair = resolve(by, sides[1], "contradicts", sides[0]).conflict
    assert pair
    return pair


def resolve(by: Actor, newer: Memory, verdict: str, older: Memory) -> Resolved:
    return resolving.resolve(by=by, newer_id=newer.pk, older_id=older.pk, verdict=VerdictGiven(verdict))


# --- the way


def exported(product: Product, **extent: Any) -> list[str]:
    return list(exporting.lines(Extent(product, **extent)))


def wipe() -> None:
    """Another server: nothing of ours is there. The guards forbid deleting, so the tables are emptied."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("TRUNCATE memories_product, memories_memoryevent, memories_ruleevent CASCADE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def restored(product: Product, lines: list[str], *, has_new_ids: bool = False) -> dict[str, int]:
    return dict(restoring.restore(product=product, lines=lines, has_new_ids=has_new_ids).counts)


def records(lines: list[str], record: str) -> Iterator[dict[str, Any]]:
    return (told for told in map(json.loads, lines) if told["record"] == record)


def statuses(lines: list[str]) -> set[Status]:
    return {Status(told["status"]) for told in records(lines, "memory")}
