"""Where a text came from: plain values, so that `sources` and captures can say it without a foreign key upward."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Provenance:
    """A source's item, or a message of a session; empty for what an agent wrote itself."""

    source_id: UUID | None = None
    source_name: str = ""
    item_key: str = ""
    item_url: str = ""
    run_id: UUID | None = None
    session: str = ""
    message: str = ""
    speaker: str = ""
    said_at: datetime | None = None


NOWHERE = Provenance()
