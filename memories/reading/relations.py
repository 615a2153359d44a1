"""Who does what to whom: subject, verb and object as the sentence says them, with the sentence as evidence.

Plain verbs as they stand ("leads", "is owned by", "runs on"), nothing mapped: who builds a graph decides what is alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memories.reading.inline import cleaned
from memories.reading.sentences import sentences
from memories.reading.syntax import Parsed, parsed

_SUBJECT = ("nsubj", "nsubjpass")
_VERBS = frozenset(["VBD", "VBZ", "VBP", "MD", "VBN", "VB", "VBG"])
_NOBODY = frozenset(
    ["it", "this", "that", "there", "who", "which", "what", "he", "she", "they", "i", "we", "you", "these"]
)


@dataclass(frozen=True, slots=True)
class Relation:
    """`start` and `end` count the characters of the sentence in the text it was read from."""

    subject: str
    verb: str
    object: str
    evidence: str
    start: int
    end: int


def found(text: str) -> tuple[Relation, ...]:
    """In the order of the text. Sentences in other languages give none."""
    return found_all([text])[0]


def found_all(texts: Sequence[str]) -> list[tuple[Relation, ...]]:
    """The relations of each text. Many at once are read much faster than one by one."""
    spans = [[(start, end) for start, end in sentences(text)] for text in texts]
    evidence = [[cleaned(text[start:end]) for start, end in each] for text, each in zip(texts, spans, strict=True)]
    trees = parsed([said for each in evidence for said in each])
    return [
        tuple(
            dict.fromkeys(
                Relation(*triple, said, start, end)
                for (start, end), said in zip(places, sayings, strict=True)
                if (tree := next(trees)) is not None
                for triple in _triples(tree)
            )
        )
        for places, sayings in zip(spans, evidence, strict=True)
    ]


def _triples(tree: Parsed) -> Iterator[tuple[str, str, str]]:
    for place, word in enumerate(tree.words):
        if word.tag not in _VERBS:
            continue
        subject = _subject(tree, place)
        if subject is None or tree.words[subject].low in _NOBODY:
            continue
        for verb, thing in _objects(tree, place):
            for one in _each(tree, subject):
                for other in _each(tree, thing):
                    yield one, verb, other


def _subject(tree: Parsed, verb: int) -> int | None:
    """Its own, or that of the verb before: "Ann leads QA and reports to Bo"."""
    while (own := tree.child(verb, *_SUBJECT)) is None and tree.words[verb].dep == "conj":
        verb = tree.words[verb].head
    return own


def _objects(tree: Parsed, verb: int) -> Iterator[tuple[str, int]]:
    said = _verb(tree, verb)
    for child in tree.children[verb]:
        dep = tree.words[child].dep
        if dep in {"dobj", "attr", "dative", "oprd"} and tree.words[child].tag.startswith(("N", "CD")):
            yield said, child
        elif dep in {"prep", "agent"}:
            for thing in tree.children[child]:
                if tree.words[thing].dep == "pobj":
                    yield f"{said} {tree.words[child].low}", thing


def _verb(tree: Parsed, verb: int) -> str:
    parts = {"auxpass", "neg", "prt", "aux"} if tree.words[verb].tag in {"VBN", "VB", "VBG"} else {"neg", "prt"}
    kept = [child for child in tree.children[verb] if tree.words[child].dep in parts]
    return tree.passage([*kept, verb]).lower()


def _each(tree: Parsed, noun: int) -> Iterator[str]:
    """ "Ann and Bo" are two."""
    joined = [child for child in tree.children[noun] if tree.words[child].dep == "conj"]
    without = {place for child in joined for place in tree.below(child)}
    without |= {child for child in tree.children[noun] if tree.words[child].dep in {"cc", "det", "punct", "preconj"}}
    if phrase := tree.noun_phrase(noun, without):
        yield phrase
    for child in joined:
        if tree.words[child].tag.startswith("N"):
            yield from _each(tree, child)
