"""What of the files someone names is read, as what, and under which name. Pure: tables first."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import PurePath

from memories.choices import Tier
from sources.choices import SourceType


class Format(StrEnum):
    """How a file is read: as one text, or message by message."""

    DOCUMENT = "document"
    TRANSCRIPT = "transcript"


#: What is read of a folder. A file that is named itself is read as a document whatever its ending.
FORMATS = {
    ".md": Format.DOCUMENT,
    ".markdown": Format.DOCUMENT,
    ".txt": Format.DOCUMENT,
    ".text": Format.DOCUMENT,
    ".rst": Format.DOCUMENT,
    ".jsonl": Format.TRANSCRIPT,
    ".jsonl.gz": Format.TRANSCRIPT,
}
#: Folders full of other people's texts.
FOREIGN_FOLDERS = frozenset({"node_modules", "site-packages", "__pycache__", "venv"})
#: The tier of an upload source nobody has said anything about.
UPLOAD_TIER = Tier.TEAM
#: What a source of each type weighs while neither it nor its product says anything else.
TYPE_TIERS = {
    SourceType.UPLOAD: UPLOAD_TIER,
    SourceType.FOLDER: Tier.TEAM,
    SourceType.GITHUB: Tier.OFFICIAL,
    SourceType.GOOGLE_DRIVE: Tier.OFFICIAL,
    SourceType.CLICKUP: Tier.TEAM,
}


def format_of(name: str) -> Format | None:
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes]
    return FORMATS.get("".join(suffixes[-2:])) or FORMATS.get("".join(suffixes[-1:]))


def is_older_revision(offered: datetime | None, known: datetime | None) -> bool:
    """Whether it must not be read. Where one side doesn't know its time, the later delivery counts."""
    return offered is not None and known is not None and offered < known


def upload_source_name(tier: Tier) -> str:
    """One upload source for each tier, because a source has one: its statements weigh the same."""
    return "uploads" if tier == UPLOAD_TIER else f"uploads ({tier})"


def item_key(root: PurePath, path: PurePath) -> str:
    """A file's name as an item: the folder that was named, and the way from there.

    `remember handbook`, `remember /srv/handbook` and a colleague's own copy give the same keys, so that an
    unchanged file is known again. A file named by itself is called after the folder it lies in.
    """
    folder = root if path != root else root.parent
    return (PurePath(folder.name) / path.relative_to(folder)).as_posix()


@dataclass(frozen=True, slots=True)
class InForce:
    """The tier that an item gets when it is read now, and who says so."""

    tier: Tier
    why: str


def tier_in_force(type_: SourceType, *, own: str, of_product: str) -> InForce:
    """ "The source's own setting, else the product's default for that type, else the type's default." """
    if own:
        return InForce(Tier(own), "set on this source")
    if of_product:
        return InForce(Tier(of_product), f"the product's default for {type_.label}")
    return InForce(TYPE_TIERS[type_], f"the default for {type_.label}")
