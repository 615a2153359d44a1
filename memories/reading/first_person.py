"""What somebody says of themselves, said of them: "I prefer tea" by Ann is "Ann prefers tea".

Programs that answer keep their "I": what they say of themselves is nobody's trait, and the rules for captures know it.
"""

import re

from memories.reading.syntax import Parsed

_SUBJECT = ("nsubj", "nsubjpass")
_USERS = frozenset(["user", "human"])
#: These speak for a program: what they say of themselves is left in the first person.
_ANSWERERS = frozenset(["assistant", "ai", "model", "bot", "chatbot", "copilot", "llm", "system", "agent", "tool"])
_THIRD = {
    "am": "is", "'m": " is", "’m": " is", "have": "has", "'ve": " has", "’ve": " has", "do": "does", "'ll": " will",
    "’ll": " will", "'d": " would", "’d": " would", "go": "goes",
}  # fmt: skip


def first_person(sentence: Parsed, speaker: str | None) -> dict[int, str]:
    """What is shown in place of "I", "my" and "me", and of the verbs that go with them."""
    if not speaker or speaker.lower() in _ANSWERERS:
        return {}
    name = "the user" if speaker.lower() in _USERS else speaker
    shown: dict[int, str] = {}
    for place, word in enumerate(sentence.words):
        if word.text == "I" or (word.text == "i" and word.tag == "PRP"):
            shown[place] = cased(name, place, sentence)
            if word.dep in _SUBJECT:
                shown.update(_third_person(sentence, word.head))
        elif word.low == "my" and word.tag == "PRP$":
            shown[place] = cased(possessive(name), place, sentence)
        elif word.low == "me" and word.tag == "PRP":
            shown[place] = name
    return shown


def possessive(name: str) -> str:
    return name + ("'" if name.endswith("s") else "'s")


def cased(name: str, place: int, sentence: Parsed) -> str:
    """An article is written small inside a sentence and large at its beginning."""
    if place == 0 and sentence.words[0].text[:1].isupper():
        return name[0].upper() + name[1:]
    return name[0].lower() + name[1:] if place and re.match(r"(?:The|A|An|Our|My|This|Its|Their)\b", name) else name


def _third_person(sentence: Parsed, verb: int) -> dict[int, str]:
    """ "I have", "I don't", "I like and use" → "has", "doesn't", "likes and uses"."""
    helpers = [child for child in sentence.children[verb] if sentence.words[child].dep in {"aux", "auxpass"}]
    shown = {}
    if helpers:
        first = sentence.words[helpers[0]]
        shown = {helpers[0]: _THIRD[first.low]} if first.low in _THIRD else {}
    elif sentence.words[verb].tag == "VBP" or sentence.words[verb].low in {"am", "'m", "’m"}:
        shown[verb] = _inflected(sentence.words[verb].text)
    for child in sentence.children[verb]:
        alone = sentence.child(child, *_SUBJECT, "aux") is None
        if sentence.words[child].dep == "conj" and sentence.words[child].tag == "VBP" and alone and not helpers:
            shown[child] = _inflected(sentence.words[child].text)
    return shown


def _inflected(verb: str) -> str:
    if verb.lower() in _THIRD:
        return _THIRD[verb.lower()]
    if re.search(r"(?:s|x|z|ch|sh|o)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"
