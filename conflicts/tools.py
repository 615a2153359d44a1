"""The MCP door of pairs."""

from typing import Any

from rest_framework import serializers

from conflicts import answers as shown
from conflicts import listing, services
from conflicts.choices import Answer as Verdict
from conflicts.serializers import ConflictPageSerializer, ConflictSerializer, SettledSerializer
from conflicts.shapes import ConflictListShape, SettleShape
from memories import limits
from memories.choices import Tier
from memories.fields import TextField
from memories.services.keys import Caller
from memories.tooling import Answer, page, tool


class ConflictList(ConflictListShape):
    """The filters of REST, and a short page: models pay for every line."""

    limit = serializers.IntegerField(min_value=1, max_value=limits.MOST_PAGE, default=limits.HITS)


class ConflictAnswer(SettleShape):
    conflict = TextField(help_text="Id of the pair, as list_conflicts gave it.")


@tool("List contradictions", gives=ConflictPageSerializer, read_only=True)
def list_conflicts(caller: Caller, sent: ConflictList) -> Answer:
    """List pairs of facts that disagree, newest first: open ones, unless `state` says put_off or settled.

    Use it when the user asks what is unclear, or when a fact you need is disputed or conflicting. Each pair stands for
    itself: a third fact that disagrees has its own pair, so look for others before you take the subject as clear.
    persona: true lists pairs of traits of people only.
    """
    rows = listing.narrowed(caller.actor, sent.validated_data)
    return page(shown.for_show(rows), ConflictSerializer, **sent.page())


@tool("Settle a contradiction", gives=SettledSerializer)
def resolve_conflict(caller: Caller, sent: ConflictAnswer) -> Answer:
    """Settle one pair with the user's answer. Ask the user; never choose yourself which side is true.

    older or newer: that one is true, the other is retired. neither: both are retired.
    correction: neither is true, and `correction` says what is; it is stored as a verified fact.
    not_now: the question comes back on the date `until`, or in 7 days. both: only for a pair of reason unsure.

    `remaining` names other open pairs of the winner, which stays out of recall until they are settled too.
    outcome "refused": a side to be retired has a higher tier than this act; a person has to settle it.
    """
    given: dict[str, Any] = sent.validated_data
    result = services.settle(
        by=caller.actor, pair_id=given["conflict"], answer=Verdict(given["answer"]), correction=given.get("correction"),
        until=given.get("until"), tier=Tier(given["tier"]), why=given["why"],
    )  # fmt: skip
    return shown.settled(result)


TOOLS = [list_conflicts, resolve_conflict]
