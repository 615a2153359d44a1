"""A random life: what may be done in it, by whom, and the world it is done to."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from conflicts import services, undoing
from conflicts.choices import Answer, State
from conflicts.managers import ConflictQuerySet
from conflicts.models import Conflict
from memories.choices import CURRENT, LIVE, Scope, Status, Tier, VerdictGiven, WriteState
from memories.errors import NeuronzError
from memories.models import Evidence, Memory, MemoryEvent, Write
from memories.reading import Comparison, Verdict, same_statement
from memories.services import editing, products, resolving
from tests import factories
from tests.stories.promises import World, check, check_in_the_end
from tests.stubs import StubReader

THINGS = ("lamp", "gate", "pump")
COLOURS = ("red", "blue", "green")
SENTENCES = [f"The {thing} is {colour}." for thing in THINGS for colour in COLOURS]
#: Another spelling of the same statement.
SPELLINGS = [f"the {thing.upper()} is  red." for thing in THINGS]
CORRECTIONS = [f"The {thing} is {colour}." for thing in THINGS for colour in ("gold", "red")]
DAY = datetime(2026, 7, 12, tzinfo=UTC)

sentences = st.sampled_from(SENTENCES + SPELLINGS)
tiers = st.sampled_from([Tier.OFFICIAL, Tier.OFFICIAL, Tier.POLICY, Tier.TEAM])
scopes = st.sampled_from([Scope.SHARED, Scope.SHARED, Scope.PRIVATE])
#: Which of those there are; the newest are 0, 1, 2 …
places = st.integers(0, 20)
rarely = st.sampled_from([False] * 9 + [True])
answers = st.sampled_from([*Answer, Answer.OLDER, Answer.NEWER])
#: Places among the actors. People don't write; nobody judges beyond the wall, unless astray.
CURATOR, SOURCE = 3, 4
writers = st.sampled_from([0, 0, 0, 1, 1, 2, SOURCE])
judges = st.sampled_from([0, 0, 0, 1, 1, CURATOR, CURATOR])
RESOLVABLE = [*CURRENT, Status.DISPUTED]


class WordReader(StubReader):
    """Of one thing: red and blue surely replace each other, green leaves doubts."""

    def compare(self, newer: str, older: str, *, similarity: float | None = None) -> Comparison:
        if same_statement(newer, older):
            return Comparison(Verdict.SAME, certain=True)
        (thing, colour), (other_thing, other_colour) = _words(newer), _words(older)
        if thing != other_thing:
            return Comparison(Verdict.UNRELATED, certain=False)
        return Comparison(Verdict.CONTRADICTS, certain={colour, other_colour} == {"red", "blue"})


def _words(sentence: str) -> tuple[str, str]:
    words = sentence.casefold().rstrip(".").split()
    return words[1], words[-1]


class Life(RuleBasedStateMachine):
    """Two products, three agents, a curator and a source. Everything is taken back when the life ends."""

    #: What was done how often, over all lives: shows that nothing is merely refused.
    tally: Counter[str] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        product, wall = (products.create_product(slug=f"{name}-{uuid4().hex}") for name in ("lighthouse", "orchard"))
        agents = [factories.agent(product, "a1"), factories.agent(product, "a2"), factories.agent(wall, "b1")]
        curator = factories.person(product, f"curator {uuid4().hex}")
        self.actors = [*agents, curator, factories.source(product)]
        self.world = World([product.pk, wall.pk], agents, cycle(agents), cycle(THINGS))

    def teardown(self) -> None:
        try:
            check_in_the_end(self.world)
        finally:
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

    # --- what may be done

    @initialize(thing=st.sampled_from(THINGS), scope=scopes, tier=tiers)
    def begin(self, thing: str, scope: Scope, tier: Tier) -> None:
        """A text, and a fact that may displace a statement of it, be refused or leave a doubt; then a dispute."""
        red, blue, green = (f"The {thing} is {colour}." for colour in COLOURS)
        self.submit(0, [red, SENTENCES[0]], scope=scope, tier=tier, confirmed=True)
        self.submit(0, [green], scope=scope, tier=Tier.OFFICIAL, confirmed=False)
        self.say(0, blue, scope=scope, tier=Tier.OFFICIAL, confirmed=False, about=False)
        self.resolve(0, 0, 0, verdict=VerdictGiven.CONTRADICTS, tier=Tier.OFFICIAL, astray=False)

    @rule(by=writers, content=sentences, scope=scopes, tier=tiers, confirmed=st.booleans(), about=rarely)
    def say(self, by: int, content: str, *, scope: Scope, tier: Tier, confirmed: bool, about: bool) -> None:
        time = (DAY, DAY) if about else (None, None)
        self.act("say", lambda: factories.add(
            self.actors[by], content, scope=scope, tier=tier, confirmed=confirmed, about=time
        ).outcome)  # fmt: skip

    @rule(by=writers, content=st.lists(sentences, min_size=1, max_size=3), scope=scopes, tier=tiers,
          confirmed=st.booleans())  # fmt: skip
    def submit(self, by: int, content: list[str], *, scope: Scope, tier: Tier, confirmed: bool) -> None:
        write = self.act("submit", lambda: factories.write(
            self.actors[by], " ".join(content), scope=scope, tier=tier, confirmed=confirmed
        ))  # fmt: skip
        assert write is None or write.state == WriteState.DONE, write.reason

    @rule(by=judges, one=places, other=places, verdict=st.sampled_from(VerdictGiven), tier=tiers, astray=rarely)
    def resolve(self, by: int, one: int, other: int, *, verdict: VerdictGiven, tier: Tier, astray: bool) -> None:
        newer = self.memory(by, one, RESOLVABLE, astray=astray)
        older = self.memory(by, other, RESOLVABLE, astray=astray, beside=newer)
        self.act(f"resolve {verdict}", lambda: resolving.resolve(
            by=self.actors[by], newer_id=newer, older_id=older, verdict=verdict, tier=tier
        ).outcome)  # fmt: skip

    @rule(by=judges, one=places, content=sentences, tier=tiers, confirmed=st.booleans(), astray=rarely)
    def edit(self, by: int, one: int, content: str, *, tier: Tier, confirmed: bool, astray: bool) -> None:
        memory = self.memory(by, one, CURRENT, astray=astray)
        self.act("edit", lambda: editing.revise(
            by=self.actors[by], memory_id=memory, content=content, tier=tier, confirmed=confirmed
        ).outcome)  # fmt: skip

    @rule(by=judges, one=places, astray=rarely)
    def respell(self, by: int, one: int, *, astray: bool) -> None:
        """An edit that says the same."""
        memory = self.memory(by, one, CURRENT, astray=astray)
        said = Memory.objects.filter(pk=memory).values_list("content", flat=True).first() or "The lamp is red."
        self.act("respell", lambda: editing.revise(
            by=self.actors[by], memory_id=memory, content=said.swapcase(), tier=Tier.POLICY
        ).outcome)  # fmt: skip

    @rule(by=judges, one=places, tier=tiers, astray=rarely)
    def retire(self, by: int, one: int, *, tier: Tier, astray: bool) -> None:
        memory = self.memory(by, one, LIVE, astray=astray)
        self.act("retire", lambda: editing.retire(by=self.actors[by], memory_id=memory, tier=tier).outcome)

    @precondition(lambda self: Memory.objects.filter(status=Status.RETIRED).exists())
    @rule(by=judges, one=places, astray=rarely)
    def restore(self, by: int, one: int, *, astray: bool) -> None:
        memory = self.memory(by, one, [Status.RETIRED], astray=astray)
        self.act("restore", lambda: editing.restore(by=self.actors[by], memory_id=memory).outcome)

    @precondition(lambda self: Memory.objects.statements_only().filter(status="unverified", owner=None).exists())
    @rule(one=places)
    def verify(self, one: int) -> None:
        memory = self.memory(CURATOR, one, [Status.UNVERIFIED], astray=False)
        self.act("verify", lambda: editing.verify(by=self.actors[CURATOR], memory_id=memory).outcome)

    @precondition(lambda self: Conflict.objects.unsettled().exists())
    @rule(by=judges, one=places, answer=answers, said=st.sampled_from(CORRECTIONS), tier=tiers, astray=rarely,
          regret=rarely)  # fmt: skip
    def settle(self, by: int, one: int, *, answer: Answer, said: str, tier: Tier, astray: bool, regret: bool) -> None:
        pair = self.pair(by, one, [State.OPEN, State.PUT_OFF], astray=astray)
        correction = said if answer == Answer.CORRECTION else None
        self.act(f"settle {answer}", lambda: services.settle(
            by=self.actors[by], pair_id=pair, answer=answer, correction=correction, tier=tier
        ).outcome)  # fmt: skip
        if regret:
            self.act("undo", lambda: undoing.undo(by=self.actors[CURATOR], pair_id=pair).outcome)

    @precondition(lambda self: Conflict.objects.filter(state=State.SETTLED).exists())
    @rule(one=places, astray=rarely)
    def undo(self, one: int, *, astray: bool) -> None:
        by = 0 if astray else CURATOR
        pair = self.pair(by, one, [State.SETTLED], astray=False)
        self.act("undo", lambda: undoing.undo(by=self.actors[by], pair_id=pair).outcome)

    @precondition(lambda self: Conflict.objects.filter(state=State.PUT_OFF).exists())
    @rule()
    def a_week_passes(self) -> None:
        with mock.patch.object(timezone, "now", return_value=timezone.now() + timedelta(days=8)):
            self.act("wake", services.wake_put_off)

    # --- how

    def act(self, name: str, do: Callable[[], Any]) -> Any:
        """A refusal by an error changes nothing at all; any other exception ends the life."""
        before, result, refusal = self.written(), None, None
        try:
            result = do()
        except NeuronzError as error:
            refusal = type(error).__name__
        assert refusal is None or self.written() == before, f"{name} was refused ({refusal}) and changed something"
        Life.tally[f"{name}: {refusal or getattr(result, 'value', 'done')}"] += 1
        return result

    def written(self) -> list[int]:
        return [model._default_manager.count() for model in (MemoryEvent, Evidence, Write, Conflict)]

    def memory(
        self, by: int, place: int, statuses: Sequence[Status], *, astray: bool, beside: UUID | None = None
    ) -> UUID:
        """A statement that the actor can see in one of these statuses, in the pool of another one; or any at all."""
        rows = Memory.objects.order_by("-pk")
        if not astray:
            rows = rows.visible_to(self.actors[by]).statements_only().filter(status__in=statuses)
        if beside and not astray:
            owner = Memory.objects.filter(pk=beside).values_list("owner", flat=True).first()
            rows = rows.filter(owner=owner).exclude(pk=beside)
        return _one_of(list(rows.values_list("pk", flat=True)), place)

    def pair(self, by: int, place: int, states: Sequence[State], *, astray: bool) -> UUID:
        rows: ConflictQuerySet = Conflict.objects.order_by("-pk")
        rows = rows if astray else rows.visible_to(self.actors[by]).filter(state__in=states)
        return _one_of(list(rows.values_list("pk", flat=True)), place)

    @invariant()
    def promises(self) -> None:
        check(self.world)


def _one_of(ids: list[UUID], place: int) -> UUID:
    return ids[place % len(ids)] if ids else uuid4()
