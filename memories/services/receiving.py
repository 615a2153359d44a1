"""Receiving texts: checked and screened, then kept with their receipts in one short transaction.

The word index and the vector of a raw text take a while: the reader makes them, outside the receipt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from memories import decisions, limits, screening
from memories.actors import Actor
from memories.choices import Category, Kind
from memories.errors import TooLarge
from memories.models import Evidence, Memory, Product, Write
from memories.provenance import NOWHERE, Provenance
from memories.services import drafts, lifecycle, recording
from memories.services.drafts import Draft, Label
from memories.services.recording import Passage


@dataclass(frozen=True, slots=True)
class Received:
    """A text that is about to be kept: nothing of it is stored yet."""

    raw: Memory
    write: Write
    evidence: Evidence


def receive(
    text: str, *, by: Actor, product: Product, label: Label, confirmed: bool = False, provenance: Provenance = NOWHERE,
    follows: Memory | None = None, field_name: str = "text",
) -> Received:  # fmt: skip
    """Check and screen one text. Credentials are masked, or the text refused, before anything is stored."""
    drafts.check_label(by, label)
    if len(text.encode("utf-8", "surrogatepass")) > limits.TEXT_BYTES:
        raise TooLarge(
            "A text has at most 1 MiB; send it in parts, one write each.", limits.TEXT_BYTES, field=field_name
        )
    storable, replaced = screening.storable(text)
    screened = drafts.screen(storable, product=product, field_name=field_name)
    raw = lifecycle.born(
        Draft(screened.text, raw_key(screened.text), Kind.RAW, Category.OTHER, None, label, words="", weights=None),
        by=by, status=decisions.birth_status(by.type, confirmed=confirmed),
    )  # fmt: skip
    write = Write(
        product=product, agent_id=by.agent_id, raw=raw, follows=follows, confirmed=confirmed,
        masked=list(screened.masked), replaced_characters=replaced,
    )  # fmt: skip
    passage = Passage("", raw=raw, write=write, start=0, end=len(screened.text), provenance=provenance)
    return Received(raw, write, recording.evidence(raw, passage, by=by))


def keep(received: Sequence[Received], *, by: Actor) -> None:
    """Store texts and receipts. Must run inside the caller's transaction."""
    lifecycle.record([each.raw for each in received], by=by)
    Write.objects.bulk_create([each.write for each in received], batch_size=lifecycle.ROWS)
    Evidence.objects.bulk_create([each.evidence for each in received], batch_size=lifecycle.ROWS)


def raw_key(stored: str) -> bytes:
    """The key of a raw record, by the text as it is stored."""
    return sha256(stored.encode()).digest()
