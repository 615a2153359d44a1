"""All decisions about tiers, statuses and scopes. Pure: tables first, then functions over plain values.

The database's guards are built from the same tables (memories/models/memory.py), so there is one
truth and two keepers. Nothing here knows the clock, a setting or a row.
"""

from dataclasses import dataclass
from enum import StrEnum

from memories.choices import CURRENT, LIVE, Kind, Origin, Outcome, Status, Tier, Verb

# --- statuses -----------------------------------------------------------------------------------

_LIVE = tuple(LIVE)
#: Which status each verb may start from, and where it may end (product.md §6).
VERBS: dict[Verb, tuple[tuple[Status, ...], tuple[Status, ...]]] = {
    Verb.VERIFY: ((Status.UNVERIFIED,), (Status.VERIFIED,)),
    Verb.DISPUTE: ((Status.UNVERIFIED, Status.VERIFIED), (Status.DISPUTED,)),
    # "Replaces and contradicts → the newer becomes conflicting": a current newer side that was refused.
    Verb.CONTEST: ((Status.UNVERIFIED, Status.VERIFIED, Status.DISPUTED), (Status.CONFLICTING,)),
    Verb.SUPERSEDE: (_LIVE, (Status.SUPERSEDED,)),
    # Two wordings of one thing become one. What stands in a pair is for a person to settle.
    Verb.MERGE: (CURRENT, (Status.SUPERSEDED,)),
    Verb.RETIRE: (_LIVE, (Status.RETIRED,)),
    # A side of an authority or unsure pair may be current: its move is verify's or retire's, and bears this name.
    Verb.SETTLE: (_LIVE, (Status.VERIFIED, Status.RETIRED)),
    Verb.RESTORE: ((Status.RETIRED,), _LIVE),
}
_FORWARD = {(old, new) for olds, news in VERBS.values() for old in olds for new in news}
#: Every legal move, the inverses that undo needs among them.
MOVES: frozenset[tuple[Status, Status]] = frozenset(_FORWARD | {(new, old) for old, new in _FORWARD})
#: The statuses a memory may be born with.
BIRTHS = (Status.UNVERIFIED, Status.VERIFIED, Status.CONFLICTING)


def may_move(verb: Verb, old: Status, new: Status) -> bool:
    """Whether the verb may take a memory from `old` to `new`. Undo may go back along any move."""
    if verb == Verb.UNDO:
        return (old, new) in MOVES
    if verb == Verb.EDIT:
        verb = Verb.SUPERSEDE
    olds, news = VERBS[verb]
    return old in olds and new in news


def is_current(status: Status) -> bool:
    return status in CURRENT


def birth_status(origin: Origin, *, confirmed: bool) -> Status:
    """ "A claim the agent hasn't confirmed is unverified"; a document says so, a person knows."""
    if confirmed or origin in (Origin.SOURCE, Origin.PERSON):
        return Status.VERIFIED
    return Status.UNVERIFIED


# --- authority ----------------------------------------------------------------------------------

#: Weight of each tier; only the order counts.
WEIGHT = {Tier.POLICY: 3, Tier.OFFICIAL: 2, Tier.TEAM: 1, Tier.INFORMAL: 0}


def may_displace(origin: Origin, act: Tier, current: Tier) -> bool:
    """ "A statement of a lower tier can't replace a current one of a higher tier." Only people are above tiers."""
    return origin == Origin.PERSON or WEIGHT[act] >= WEIGHT[current]


def higher(one: Tier, other: Tier) -> Tier:
    return one if WEIGHT[one] >= WEIGHT[other] else other


@dataclass(frozen=True, slots=True)
class Standing:
    """How much one of two wordings of a thing stands for."""

    tier: Tier
    status: str


def stays(first: Standing, second: Standing) -> bool:
    """Of two wordings that become one, whether the first stays: what weighs more, then what is verified."""
    if WEIGHT[first.tier] != WEIGHT[second.tier]:
        return WEIGHT[first.tier] > WEIGHT[second.tier]
    return first.status == Status.VERIFIED or second.status != Status.VERIFIED


# --- what may be done to one memory ---------------------------------------------------------------


class Refusal(StrEnum):
    """Why an edit, a retirement or a restoration can't be done in this state: always a 409."""

    RAW = "raw"
    UNSETTLED = "unsettled"
    NOT_CURRENT = "not_current"
    NOT_RETIRED = "not_retired"
    LIVE_TWIN = "live_twin"
    SETTLED_FALSE = "settled_false"
    ERASED = "erased"


def refuse_edit(kind: Kind, status: Status) -> Refusal | None:
    if kind == Kind.RAW:
        return Refusal.RAW
    if status in (Status.DISPUTED, Status.CONFLICTING):
        return Refusal.UNSETTLED
    return None if is_current(status) else Refusal.NOT_CURRENT


def refuse_restore(
    status: Status, *, has_live_twin: bool, false_against_current: bool, is_erased: bool = False
) -> Refusal | None:
    """Only what is retired, has no live twin, and was not settled false against a winner that is current."""
    if is_erased:
        return Refusal.ERASED
    if status != Status.RETIRED:
        return Refusal.NOT_RETIRED
    if has_live_twin:
        return Refusal.LIVE_TWIN
    return Refusal.SETTLED_FALSE if false_against_current else None


# --- what a write does beside what is stored --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Twin:
    """A memory that says exactly the same in the same pool."""

    status: Status
    tier: Tier
    #: A person retired it, or a settlement found it false.
    judged_false: bool = False


class Repeat(StrEnum):
    """What saying the same again does."""

    ADD = "add"
    KNOWN = "known"
    VERIFY = "verify"
    SUPERSEDE = "supersede"
    CONFLICT = "conflict"


def on_repeat(twin: Twin, tier: Tier, *, confirmed: bool) -> Repeat:
    """ "Repeating a live one is known. A repeat at a higher tier supersedes the weaker copy; a confirmed
    repeat verifies an unverified one. Repeating a superseded one is a new memory. Repeating one that a
    person retired or settled as false is stored conflicting."

    A disputed or conflicting copy is never superseded by its own repeat: that would carry it out of
    its pair behind people's backs.
    """
    if twin.status not in LIVE:
        return Repeat.CONFLICT if twin.status == Status.RETIRED and twin.judged_false else Repeat.ADD
    if not is_current(twin.status):
        return Repeat.KNOWN
    if WEIGHT[tier] > WEIGHT[twin.tier]:
        return Repeat.SUPERSEDE
    return Repeat.VERIFY if confirmed and twin.status == Status.UNVERIFIED else Repeat.KNOWN


def is_settled(twin: Status, *, confirmed: bool) -> bool:
    """Whether a stronger copy of the same words is born verified: what was settled about the words stays settled."""
    return confirmed or twin == Status.VERIFIED


class Vanished(StrEnum):
    """What becomes of a statement that its source does not make any more."""

    STAYS = "stays"
    SUPERSEDE = "supersede"
    RETIRE = "retire"


def on_vanished(*, is_upheld: bool, has_successor: bool, origin: Origin, act: Tier, current: Tier) -> Vanished:
    """ "A source may always withdraw its own statements: the older one is retired and the new one added, whatever the
    source's tier became since." Other live evidence holds a statement up: another item, an agent, a person.
    """
    if is_upheld:
        return Vanished.STAYS
    return Vanished.SUPERSEDE if has_successor and may_displace(origin, act, current) else Vanished.RETIRE


def on_neighbour(*, displaces: bool, certain: bool, origin: Origin, tier: Tier, other: Tier) -> Outcome:
    """What a statement read from a text does beside one current memory close to it.

    `displaces`: the comparison says it replaces or contradicts the older one; `certain`: beyond doubt.
    "Replaces/contradicts an older current one → superseded, subject to authority; unsure → both kept
    current and the pair suggested to a person; else added."
    """
    if not displaces:
        return Outcome.ADDED
    if not certain:
        return Outcome.UNSURE
    return Outcome.SUPERSEDED if may_displace(origin, tier, other) else Outcome.REFUSED
