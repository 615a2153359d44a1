"""Who acts. Every service takes `by: Actor`; `acting` puts the actor's name into history."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

import pghistory

from memories.choices import Origin, Verb


@dataclass(frozen=True, slots=True)
class Actor:
    """An agent, a person, a source or cognition, inside one product.

    `agent_id` is set for agents alone, `user_id` for people alone, `source_id` for sources alone.
    """

    type: Origin
    name: str
    product_id: UUID
    agent_id: UUID | None = None
    user_id: int | None = None
    source_id: UUID | None = None

    @property
    def is_person(self) -> bool:
        return self.type == Origin.PERSON


@contextmanager
def acting(by: Actor, verb: Verb, why: str = "", *, pair_id: UUID | None = None) -> Iterator[None]:
    """Name the actor, the verb, the reason and the pair being settled on every history row written inside.

    It must surround the write. It may be nested: the innermost names win, then the outer ones
    return (pghistory itself would keep the inner ones).
    """
    with pghistory.context() as tracked:
        before = dict(tracked.metadata)
        tracked.metadata.update(
            type=by.type.value, name=by.name, agent=_text(by.agent_id), user=by.user_id,
            source=_text(by.source_id), verb=verb.value, why=why, pair=_text(pair_id),
        )  # fmt: skip
        try:
            yield
        finally:
            tracked.metadata.clear()
            tracked.metadata.update(before)


@contextmanager
def one_act(act_id: UUID) -> Iterator[None]:
    """Mark every history row written inside as part of one act upon many rows; `acting` names the rest.

    It must surround `acting`, whose inner contexts keep what stands outside them.
    """
    with pghistory.context() as tracked:
        before = dict(tracked.metadata)
        tracked.metadata.update(act=str(act_id))
        try:
            yield
        finally:
            tracked.metadata.clear()
            tracked.metadata.update(before)


def _text(value: UUID | None) -> str | None:
    return str(value) if value else None
