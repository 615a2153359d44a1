"""The account at the end of an upload, in words for the person who started it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from memories.choices import Outcome
from sources.services import Result, Step

#: The results that are named one by one with their reasons.
EXPLAINED = (Result.SKIPPED, Result.FAILED)
NAMED = (Outcome.ADDED, Outcome.KNOWN, Outcome.SUPERSEDED, Outcome.REFUSED, Outcome.UNSURE)
#: So many names are listed for one reason; the rest is counted.
EXAMPLES = 3


@dataclass(slots=True)
class Tally:
    """Counts the steps as they happen, so that it is true at whatever point the upload is stopped."""

    files: Counter[Result] = field(default_factory=Counter)
    messages: Counter[Result] = field(default_factory=Counter)
    write_ids: list[UUID] = field(default_factory=list)
    _names: dict[tuple[Result, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, step: Step) -> None:
        (self.messages if step.is_message else self.files)[step.result] += 1
        if step.write_id:
            self.write_ids.append(step.write_id)
        if step.result in EXPLAINED:
            self._names[step.result, step.reason].append(step.name)

    @property
    def failures(self) -> int:
        return self.files[Result.FAILED] + self.messages[Result.FAILED]

    @property
    def queued(self) -> int:
        return self.files[Result.QUEUED] + self.messages[Result.QUEUED]

    @property
    def is_in_vain(self) -> bool:
        """Nothing of it is remembered, by this run or an earlier one."""
        useful = (Result.READ, Result.QUEUED, Result.KNOWN)
        return not any(counted[result] for counted in (self.files, self.messages) for result in useful)

    def lines(self, outcomes: Mapping[Outcome, int], *, seconds: float) -> Iterator[str]:
        yield _row("files", _counts(self.files))
        if self.messages:
            yield _row("messages", _counts(self.messages))
        yield _row("statements", ", ".join(f"{outcomes.get(each, 0):,} {each}" for each in NAMED))
        for result in EXPLAINED:
            for (other, reason), names in sorted(self._names.items()):
                if other == result:
                    yield _row(result, f"{_examples(names)}: {reason}")
        yield _row("seconds", f"{seconds:,.1f}")


def _row(title: str, content: str) -> str:
    return f"  {title:<11} {content}"


def _counts(counted: Counter[Result]) -> str:
    return ", ".join(f"{counted[result]:,} {result}" for result in Result if counted[result]) or "none"


def _examples(names: list[str]) -> str:
    more = len(names) - EXAMPLES
    return ", ".join(names[:EXAMPLES]) + (f" and {more:,} more" if more > 0 else "")
