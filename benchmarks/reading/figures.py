"""What a set is, and which there are: every module of `sets/` that has `FIGURES` and `measure` is one."""

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from benchmarks.reading import sets


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that a set gives. `key` is `set/name`; `aim` is a floor, or a ceiling where lower is better."""

    key: str
    what: str
    aim: float | None = None
    baseline: str = "–"
    lower_is_better: bool = False
    digits: int = 1

    def is_reached(self, value: float) -> bool:
        if self.aim is None:
            return True
        rounded = round(value, self.digits)
        return rounded <= self.aim if self.lower_is_better else rounded >= self.aim


class MeasuredSet(Protocol):
    """A module of `sets/`. `measure` gets the data folder, answers figures by key; FileNotFoundError: no data."""

    FIGURES: tuple[Figure, ...]

    def measure(self, folder: Path) -> Mapping[str, float]: ...


def measured_sets() -> dict[str, MeasuredSet]:
    """By the name of the module."""
    names = sorted(module.name for module in pkgutil.iter_modules(sets.__path__))
    found = {name: importlib.import_module(f"{sets.__name__}.{name}") for name in names}
    return {name: cast("MeasuredSet", module) for name, module in found.items() if hasattr(module, "measure")}
