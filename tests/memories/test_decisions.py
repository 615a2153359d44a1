"""Every decision, held against tables read off product.md §4 to §6 and not off the code."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

from memories import decisions
from memories.choices import Kind, Origin, Outcome, Status, Tier, Verb
from memories.decisions import Refusal, Repeat, Twin

U, V, D, C, S, R = (
    Status.UNVERIFIED,
    Status.VERIFIED,
    Status.DISPUTED,
    Status.CONFLICTING,
    Status.SUPERSEDED,
    Status.RETIRED,
)
#: §6 "Moves of status, each by one verb".
FORWARD: dict[Verb, set[tuple[Status, Status]]] = {
    Verb.VERIFY: {(U, V)},
    Verb.DISPUTE: {(U, D), (V, D)},
    Verb.SUPERSEDE: {(U, S), (V, S), (D, S), (C, S)},
    Verb.EDIT: {(U, S), (V, S), (D, S), (C, S)},
    Verb.RETIRE: {(U, R), (V, R), (D, R), (C, R)},
    # §6 names it by its table: "a lower tier tried to displace … the newer becomes conflicting".
    Verb.CONTEST: {(U, C), (V, C), (D, C)},
    # A side of an authority or unsure pair is current: settling verifies or retires it like the others.
    Verb.SETTLE: {(U, V), (U, R), (V, V), (V, R), (D, V), (D, R), (C, V), (C, R)},
    Verb.RESTORE: {(R, U), (R, V), (R, D), (R, C)},
}
#: "… undo of any of these: back to exactly the former status".
BACK = {(new, old) for moves in FORWARD.values() for old, new in moves}
ALL = set().union(*FORWARD.values()) | BACK
TIERS = list(Tier)  # highest first


def pairs(ones: Iterable[Any], others: Iterable[Any]) -> list[tuple[Any, Any]]:
    return list(product(ones, others))


@pytest.mark.parametrize(("old", "new"), pairs(Status, Status))
@pytest.mark.parametrize("verb", FORWARD)
def test_each_verb_makes_its_own_moves_and_no_other(verb: Verb, old: Status, new: Status) -> None:
    assert decisions.may_move(verb, old, new) == ((old, new) in FORWARD[verb])


@pytest.mark.parametrize(("old", "new"), pairs(Status, Status))
def test_undo_goes_back_along_any_move(old: Status, new: Status) -> None:
    assert decisions.may_move(Verb.UNDO, old, new) == ((old, new) in ALL)


def test_the_table_for_the_database_holds_the_same_moves() -> None:
    assert decisions.MOVES == ALL


def test_nothing_moves_out_of_history_but_by_undo() -> None:
    out = {(old, new) for moves in FORWARD.values() for old, new in moves if old == S}
    assert out == set()


def test_a_memory_is_born_in_three_statuses() -> None:
    assert set(decisions.BIRTHS) == {U, V, C}


@pytest.mark.parametrize("status", Status)
def test_current_is_unverified_or_verified(status: Status) -> None:
    assert decisions.is_current(status) == (status in (U, V))


@pytest.mark.parametrize(
    ("origin", "confirmed", "status"),
    [
        (Origin.AGENT, False, U),
        (Origin.AGENT, True, V),
        (Origin.SOURCE, False, V),  # "a document says so"
        (Origin.SOURCE, True, V),
        (Origin.COGNITION, False, U),  # "what cognition writes is unverified"
        (Origin.COGNITION, True, V),
        (Origin.PERSON, False, V),
        (Origin.PERSON, True, V),
    ],
)
def test_who_says_it_makes_it_verified_or_not(origin: Origin, confirmed: bool, status: Status) -> None:
    assert decisions.birth_status(origin, confirmed=confirmed) == status


# --- authority ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("act", "current"), pairs(TIERS, TIERS))
@pytest.mark.parametrize("origin", Origin)
def test_a_lower_tier_never_displaces_a_higher_one_and_only_people_stand_above(
    origin: Origin, act: Tier, current: Tier
) -> None:
    is_high_enough = TIERS.index(act) <= TIERS.index(current)
    assert decisions.may_displace(origin, act, current) == (is_high_enough or origin == Origin.PERSON)


@pytest.mark.parametrize(("one", "other"), pairs(TIERS, TIERS))
def test_the_higher_of_two_tiers(one: Tier, other: Tier) -> None:
    assert decisions.higher(one, other) == TIERS[min(TIERS.index(one), TIERS.index(other))]


# --- what may be done to one memory ---------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "status"), pairs(Kind, Status))
def test_only_current_statements_are_edited(kind: Kind, status: Status) -> None:
    expected = {
        U: None, V: None, D: Refusal.UNSETTLED, C: Refusal.UNSETTLED, S: Refusal.NOT_CURRENT, R: Refusal.NOT_CURRENT,
    }[status]  # fmt: skip
    assert decisions.refuse_edit(kind, status) == (Refusal.RAW if kind == Kind.RAW else expected)


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize(
    ("twin", "false", "refusal"),
    [
        (False, False, None),
        (True, False, Refusal.LIVE_TWIN),
        (False, True, Refusal.SETTLED_FALSE),
        (True, True, Refusal.LIVE_TWIN),
    ],
)
def test_only_a_retired_memory_without_a_live_twin_or_a_winner_is_restored(
    status: Status, twin: bool, false: bool, refusal: Refusal | None
) -> None:
    answer = decisions.refuse_restore(status, has_live_twin=twin, false_against_current=false)
    assert answer == (refusal if status == R else Refusal.NOT_RETIRED)


# --- saying the same again ------------------------------------------------------------------------------


@pytest.mark.parametrize(("old", "new"), pairs(TIERS, TIERS))
@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize("status", [U, V])
def test_repeating_a_current_one(status: Status, confirmed: bool, old: Tier, new: Tier) -> None:
    if TIERS.index(new) < TIERS.index(old):
        expected = Repeat.SUPERSEDE
    else:
        expected = Repeat.VERIFY if confirmed and status == U else Repeat.KNOWN
    assert decisions.on_repeat(Twin(status, old), new, confirmed=confirmed) == expected


@pytest.mark.parametrize(("old", "new"), pairs(TIERS, TIERS))
@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize("status", [D, C])
def test_repeating_one_that_stands_in_a_pair_never_takes_it_out_of_the_pair(
    status: Status, confirmed: bool, old: Tier, new: Tier
) -> None:
    assert decisions.on_repeat(Twin(status, old), new, confirmed=confirmed) == Repeat.KNOWN


@pytest.mark.parametrize(("old", "new"), pairs(TIERS, TIERS))
@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize(
    ("status", "judged_false", "expected"),
    [(S, False, Repeat.ADD), (S, True, Repeat.ADD), (R, False, Repeat.ADD), (R, True, Repeat.CONFLICT)],
)
def test_repeating_one_that_is_history(
    *, status: Status, judged_false: bool, confirmed: bool, old: Tier, new: Tier, expected: Repeat
) -> None:
    twin = Twin(status, old, judged_false=judged_false)
    assert decisions.on_repeat(twin, new, confirmed=confirmed) == expected


# --- beside a close one ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("tier", "other"), pairs(TIERS, TIERS))
@pytest.mark.parametrize("origin", Origin)
@pytest.mark.parametrize(("displaces", "certain"), pairs([False, True], [False, True]))
def test_a_statement_beside_a_current_one(
    displaces: bool, certain: bool, origin: Origin, tier: Tier, other: Tier
) -> None:
    if not displaces:
        expected = Outcome.ADDED
    elif not certain:
        expected = Outcome.UNSURE
    else:
        is_free = origin == Origin.PERSON or TIERS.index(tier) <= TIERS.index(other)
        expected = Outcome.SUPERSEDED if is_free else Outcome.REFUSED
    answer = decisions.on_neighbour(displaces=displaces, certain=certain, origin=origin, tier=tier, other=other)
    assert answer == expected
