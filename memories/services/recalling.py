"""Recall: what a prompt needs of all that is remembered, as one block for a model. Silent where nothing is relevant.

prompt → passages to ask by → searched (recall.py) → judged (search/relevance.py) → what the session has → a block.
"""

import re
from collections.abc import Iterator, Sequence
from uuid import UUID

from memories import embeddings, limits
from memories.actors import Actor
from memories.choices import Kind
from memories.errors import TooLarge
from memories.models import Memory, Rule
from memories.reading import session as sessions
from memories.search import rarity
from memories.search.languages import is_stop_word
from memories.search.ranking import Counts
from memories.search.relevance import holds, is_relevant, shared
from memories.search.words import query_words, terms
from memories.services import giving, persona, recall, recall_block, rules
from memories.services.recall_block import Block

#: A passage of a prompt that is asked by; and as many are asked, for each costs a search.
PASSAGE_CHARACTERS, PASSAGES = 600, 3
#: A shorter number alone is a choice out of a list.
LEAST_DIGITS = 3
#: Looked at of each search, and given at most of each sort.
CANDIDATES, MOST_MEMORIES, MOST_TRAITS = 20, 30, 12
_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n")


def recall_for(
    *, by: Actor, prompt: str, max_tokens: int = limits.RECALL_TOKENS, session: str = "",
    max_characters: int | None = None,
) -> Block:  # fmt: skip
    """The block for a prompt. With a session: without what it has or just said, unless it changed; noted as given."""
    if len(prompt) > limits.PROMPT_CHARACTERS:
        sentence = f"A prompt has at most {limits.PROMPT_CHARACTERS:,} characters; send what the user asks."
        raise TooLarge(sentence, limits.PROMPT_CHARACTERS, field="prompt")
    counts = rarity.counts(by.product_id, by.agent_id)
    asked = passages(prompt, counts)
    if not asked:
        return Block()
    found = _found(by, asked)
    named = persona.traits_for(prompt, by=by, most=MOST_TRAITS, with_user=bool(found))
    rows = {each.pk: each for each in Memory.objects.filter(pk__in={*found, *named}).for_show()}
    traits = _each_once([rows[each] for each in named if each in rows])
    memories = _each_once([rows[each] for each in found if each in rows and each not in named])[:MOST_MEMORIES]
    binding = _rules(by, asked, counts, is_wanted=bool(memories or traits))
    if session and by.agent_id:
        given = giving.in_session(by.agent_id, session)
        said = giving.just_said(by.agent_id, session, [*traits, *memories])
        traits, memories = (
            [each for each in some if each.pk not in said and given.get(each.pk) != each.status]
            for some in (traits, memories)
        )
        binding = [each for each in binding if given.get(each.pk) != _state(each)]
    block = recall_block.compose(
        binding, traits, memories, count=embeddings.count_tokens, max_tokens=max_tokens, max_characters=max_characters
    )
    if session and by.agent_id:
        items = {each.pk: each.status for each in (*block.persona, *block.memories)}
        giving.remember(by.agent_id, session, items | {each.pk: _state(each) for each in block.rules})
    return block


def _state(rule: Rule) -> str:
    return bytes(rule.key).hex()


# --- what to ask


def passages(prompt: str, counts: Counts) -> list[str]:
    """What of a prompt is searched by: all of a short one; of a long one its beginning, its end and what tells most.

    What machines wrote into it (code, logs, an injected block) is not asked by, unless there is nothing else. A prompt
    without a telling word asks nothing.
    """
    heard = sessions.audible(prompt, "user")
    text = heard if heard.strip() else prompt
    cut = [each for each in _cut(text) if _tells(each)]
    if len(cut) <= PASSAGES:
        return cut
    middle = sorted(cut[1:-1], key=lambda each: -sum(_rarities(each, counts).values()))
    return [cut[-1], cut[0], *middle[: PASSAGES - 2]]


def _tells(passage: str) -> bool:
    """Whether there is anything to ask by: "Go on." and "2" answer somebody and ask nothing."""
    words = (word.ways[0].terms[0] for word in query_words(passage))
    told = (word for word in words if not is_stop_word(word, ("english",)))
    return any(len(word) >= LEAST_DIGITS or not word.isdecimal() for word in told)


def _cut(text: str) -> Iterator[str]:
    """Passages of at most so many characters, on borders of paragraphs and sentences where there are such."""
    for paragraph in _PARAGRAPH.split(text):
        passage = ""
        for sentence in _SENTENCE.split(paragraph):
            if passage and len(passage) + len(sentence) >= PASSAGE_CHARACTERS:
                yield passage
                passage = ""
            passage = f"{passage} {sentence.strip()}".strip()[:PASSAGE_CHARACTERS]
        if passage:
            yield passage


def _rarities(text: str, counts: Counts) -> dict[tuple[str, ...], float]:
    return {word.terms: counts.rarity(word.terms[0]) for word in query_words(text)}


# --- what is found


def _found(by: Actor, asked: Sequence[str]) -> list[UUID]:
    """The relevant ones, the best first. All passages are embedded before the first is searched."""
    best: dict[UUID, float] = {}
    for query in [recall.begun(passage, by=by) for passage in asked]:
        asked_words = len(query.words)
        for each, why in recall.found(query)[:CANDIDATES]:
            near = each.near
            if is_relevant(near.meaning, near.coverage, near.identifiers, words=asked_words, rows=query.counts.rows):
                best[each.id] = max(best.get(each.id, 0.0), why.score)
    return sorted(best, key=lambda each: -best[each])


def _each_once(memories: Sequence[Memory]) -> list[Memory]:
    """Without texts that read alike, and without a verbatim text whose statement is there."""
    said: set[str] = set()
    quoted = {each.raw_id for each in memories}
    kept = []
    for each in memories:
        words = sessions.words_of(each.content)
        if words in said or (each.kind == Kind.RAW and each.pk in quoted):
            continue
        said.add(words)
        kept.append(each)
    return kept


# --- who and what comes along


def _rules(by: Actor, asked: Sequence[str], counts: Counts, *, is_wanted: bool) -> list[Rule]:
    """All that bind, where anything is said at all; else those that are about the prompt themselves."""
    binding = list(rules.approved(by))
    if is_wanted or not binding:
        return binding
    wanted = [_rarities(each, counts) for each in asked]
    return [rule for rule in binding if any(holds(shared(each, set(terms(rule.text)))) for each in wanted)]
