"""One reading's requests to the model. Whatever the server does becomes an answer that says so in a few words."""

import asyncio
import logging
from types import TracebackType
from typing import Any, Self

from openai import AsyncOpenAI
from pydantic_ai import Agent, NativeOutput, PromptedOutput, ToolOutput
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelHTTPError,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RunUsage, UsageLimits

from memories.reading.calling import (
    AT_ONCE,
    CORRECTIONS,
    INSTRUCTIONS,
    MOST_ANSWERED,
    RETRIES,
    Answered,
    Door,
    Mode,
    prompt,
)
from memories.reading.llm import Answer, Said
from memories.reading.passages import Part

logger = logging.getLogger(__name__)

_FORMS: dict[Mode, Any] = {Mode.NATIVE: NativeOutput, Mode.TOOL: ToolOutput, Mode.PROMPTED: PromptedOutput}


class Conversation:
    """Open for one reading. After a failure that the next request would meet as well, no more is sent."""

    def __init__(self, door: Door) -> None:
        # A key is asked for by the library, also where the server wants none.
        self.client = AsyncOpenAI(
            base_url=door.url, api_key=door.key or "none", timeout=door.timeout, max_retries=RETRIES
        )
        model = OpenAIChatModel(door.name, provider=OpenAIProvider(openai_client=self.client))
        settings = ModelSettings(temperature=0, seed=0, max_tokens=MOST_ANSWERED)
        self.agent = Agent(
            model, output_type=_FORMS[door.mode](Answered), instructions=INSTRUCTIONS, model_settings=settings,
            retries=CORRECTIONS,
        )  # fmt: skip
        self.free = asyncio.Semaphore(AT_ONCE)
        self.over = ""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.client.close()

    async def answer(self, part: Part) -> Answer:
        async with self.free:
            if self.over:
                return Answer(failure=self.over, used=0)
            usage = RunUsage()
            limits = UsageLimits(request_limit=CORRECTIONS + 1)
            try:
                result = await self.agent.run(prompt(part), usage=usage, usage_limits=limits)
            except Exception as error:  # noqa: BLE001 - a library between may raise anything; the text is read by rules
                return self._failed(error, usage)
        said = tuple(Said(each.passage, each.statement) for each in result.output.statements)
        return Answer(said, used=usage.total_tokens or None)

    def _failed(self, error: Exception, usage: RunUsage) -> Answer:
        """What is kept of an error is its class and a number: its words may quote the text or the key."""
        logger.warning("The model gave no answer: %s", type(error).__name__)
        if isinstance(error, ModelHTTPError):
            self.over = f"HTTP {error.status_code}"
            return Answer(failure=self.over, used=usage.total_tokens)
        if isinstance(error, ModelAPIError):
            self.over = "no connection, or no answer in time"
            return Answer(failure=self.over, used=usage.total_tokens)
        if isinstance(error, UnexpectedModelBehavior | UsageLimitExceeded):
            return Answer(failure="an answer in another form", used=usage.total_tokens or None)
        if isinstance(error, AgentRunError):
            return Answer(failure="no answer", used=usage.total_tokens or None)
        self.over = type(error).__name__
        return Answer(failure=self.over, used=usage.total_tokens)
