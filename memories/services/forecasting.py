"""What saving would do, without doing it: the same decisions as recording.py, over the rows as they are now.

Nothing is locked and nothing written, so by the time it is really done somebody may have been faster.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memories import decisions, embeddings, screening
from memories.actors import Actor
from memories.choices import Category, Outcome, Scope, Tier
from memories.decisions import Repeat
from memories.embeddings import Vector
from memories.models import Memory, Product
from memories.reader import reader
from memories.reading import Context, Statement
from memories.services import drafts, intake, recording, similar
from memories.services.drafts import Draft, Label
from memories.services.recording import Rival
from memories.services.similar import Neighbourhood, Similar

OUTCOMES = {
    Repeat.ADD: Outcome.ADDED,
    Repeat.KNOWN: Outcome.KNOWN,
    Repeat.VERIFY: Outcome.KNOWN,
    Repeat.SUPERSEDE: Outcome.SUPERSEDED,
    Repeat.CONFLICT: Outcome.REFUSED,
}


@dataclass(frozen=True, slots=True)
class Forecast:
    """What would become of one statement. `against` is None where the other one is foretold too, not stored yet."""

    content: str
    outcome: Outcome
    against: Memory | None = None
    similar: Sequence[Similar] = ()
    #: Its first character in the text it was read from.
    start: int = 0


@dataclass(slots=True)
class Forecaster:
    """One import that is only tried: what an earlier line would add is known to a later one."""

    by: Actor
    confirmed: bool = False
    _said: set[tuple[Scope, bytes, datetime | None, datetime | None]] = field(default_factory=set)

    def fact(self, *, content: str, label: Label, category: Category | None, person: str | None) -> Forecast:
        """Raises what `add_fact` would raise."""
        draft = intake.prepare_fact(by=self.by, content=content, label=label, category=category, person=person)
        product = Product.objects.get(pk=self.by.product_id)
        around = self._around([draft.content], [draft.vector], draft.label, product)[0]
        return self._of(draft, rivals=(), near=around.similar)

    def text(self, *, text: str, label: Label, title: str = "", said_at: datetime | None = None) -> list[Forecast]:
        """The statements that would be read from it, in its order."""
        drafts.check_label(self.by, label)
        product = Product.objects.get(pk=self.by.product_id)
        screened = drafts.screen(screening.storable(text)[0], product=product, field_name="text").text
        context = Context(said_at or timezone.now(), product.zone, None, title or None)
        found = [] if screening.is_binary(screened) else list(reader().read(screened, context))
        vectors = embeddings.embed_or_none([each.text for each in found]) if found else []
        around = self._around([each.text for each in found], vectors or [None] * len(found), label, product)
        return [self._of_statement(each, label, near) for each, near in zip(found, around, strict=True)]

    def _of_statement(self, statement: Statement, label: Label, near: Neighbourhood) -> Forecast:
        draft = drafts.of_statement(statement, label=label, vector=None)
        return self._of(draft, rivals=near.rivals, near=near.similar, start=statement.start)

    def _around(
        self, contents: Sequence[str], vectors: Sequence[Vector | None], label: Label, product: Product
    ) -> list[Neighbourhood]:
        asked = [(content, vector) for content, vector in zip(contents, vectors, strict=True) if vector is not None]
        if len(asked) < len(contents) or not asked:
            return [Neighbourhood()] * len(contents)
        return similar.neighbourhoods(
            asked, product_id=product.pk, owner_id=self._owner(label), floor=product.fact_neighbor_floor
        )

    def _owner(self, label: Label) -> UUID | None:
        return self.by.agent_id if label.scope == Scope.PRIVATE else None

    def _of(self, draft: Draft, *, rivals: Sequence[Rival], near: Sequence[Similar], start: int = 0) -> Forecast:
        label = draft.label
        said = (label.scope, draft.key, label.about.start, label.about.until)
        others = [each for each in near if bytes(each.memory.key) != draft.key]
        if said in self._said:
            return Forecast(draft.content, Outcome.KNOWN, None, others, start)
        self._said.add(said)
        twin = recording.said_before(draft, product_id=self.by.product_id, owner_id=self._owner(label))
        repeat = recording.repeat_of(twin, label.tier, confirmed=self.confirmed)
        if repeat != Repeat.ADD:
            return Forecast(draft.content, OUTCOMES[repeat], twin, others, start)
        outcome, against = self._beside(rivals, label.tier)
        return Forecast(draft.content, outcome, against, others, start)

    def _beside(self, rivals: Sequence[Rival], tier: Tier) -> tuple[Outcome, Memory | None]:
        """The gravest of what the rivals call for, and the first that calls for it."""
        rows = Memory.objects.defer("words").in_bulk([rival.id for rival in rivals])
        calls: dict[Outcome, Memory] = {}
        for rival in rivals:
            other = rows[rival.id]
            outcome = decisions.on_neighbour(
                displaces=True, certain=rival.certain, origin=self.by.type, tier=tier, other=Tier(other.tier)
            )
            calls.setdefault(outcome, other)
        for outcome in (Outcome.REFUSED, Outcome.SUPERSEDED, Outcome.UNSURE):
            if outcome in calls:
                return outcome, calls[outcome]
        return Outcome.ADDED, None
