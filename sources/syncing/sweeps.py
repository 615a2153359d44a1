"""Listings of all items: what is not met between their begin and their end has vanished. They may last several runs."""

from collections.abc import Iterator

from sources.models import SourceItem
from sources.syncing.claims import Pass
from sources.syncing.items import KEPT

CHUNK = 200


def begin(held: Pass, prefix: str) -> None:
    """A new number; whatever is met from now on bears it or a later one."""
    held.source.sweep += 1
    held.source.sweeps = {**held.source.sweeps, prefix: held.source.sweep}


def end(held: Pass, prefix: str) -> Iterator[SourceItem]:
    """The items that were not met. A sweep whose begin nobody saw ends without a word."""
    number = held.source.sweeps.get(prefix)
    if number is None:
        return
    held.source.sweeps = {name: each for name, each in held.source.sweeps.items() if name != prefix}
    missed = SourceItem.objects.filter(source=held.source, key__startswith=prefix, state__in=KEPT, seen__lt=number)
    yield from missed.select_related("raw").iterator(chunk_size=CHUNK)


def met(held: Pass, keys: list[str]) -> None:
    if keys:
        SourceItem.objects.filter(source=held.source, key__in=keys).update(seen=held.source.sweep)
