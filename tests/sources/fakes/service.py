"""What the outside systems that tests play have in common: they can be disturbed, and say what they were asked."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from tests.sources.fakes.serving import Answer, Asked, Server, serving


class Refusal(Exception):
    """The service says no; raised from anywhere inside, it is the answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(str(answer.body))
        self.answer = answer


#: Looks at a request before the service does. An answer is given instead of the service's own.
Interference = Callable[[Asked], Answer | None]


class FakeService:
    """A service on a free port of the loopback, while it is entered."""

    def __init__(self) -> None:
        self._serving: AbstractContextManager[Server] = serving(self._respond)
        self._server = Server("")
        self._disturbances: list[tuple[Interference, int]] = []

    def __enter__(self) -> Self:
        self._server = self._serving.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._serving.__exit__(kind, error, trace)

    @property
    def url(self) -> str:
        return self._server.url

    @property
    def asked(self) -> list[Asked]:
        return self._server.asked

    def count(self, part: str) -> int:
        """How many requests there were whose path has this part."""
        return sum(part in each.path for each in self.asked)

    def disturb(self, interference: Interference, times: int = 1) -> None:
        """Let it stand in for the service until it has answered so many requests."""
        self._disturbances.append((interference, times))

    def serve(self, asked: Asked) -> Answer:
        raise NotImplementedError

    def _respond(self, asked: Asked) -> Answer:
        for place, (interference, times) in enumerate(self._disturbances):
            if (answer := interference(asked)) is not None:
                self._disturbances[place : place + 1] = [(interference, times - 1)] if times > 1 else []
                return answer
        try:
            return self.serve(asked)
        except Refusal as refusal:
            return refusal.answer
