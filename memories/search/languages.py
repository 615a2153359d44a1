"""Which language a text is in, as far as stems need it, and the stems themselves.

A guess is only ever an addition: the plain word is indexed and looked up as well, so a wrong guess
loses an inflection and never a word.
"""

import threading
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import Stemmer

from memories.search.scripts import folded, script, small
from memories.search.stop_words import STOP_WORDS

#: The languages of each script. The first is the one to fall back on.
OF_SCRIPT: dict[str, tuple[str, ...]] = {
    "latin": ("english", "german", "french", "spanish", "italian", "portuguese", "dutch", "turkish"),
    "greek": ("greek",),
    "cyrillic": ("russian",),
    "arabic": ("arabic",),
    "devanagari": ("hindi",),
}
#: Letters that few languages use, each as telling as a stop word.
TELLING_LETTERS: dict[str, str] = {
    "ß": "german", "ä": "german", "ñ": "spanish", "¿": "spanish", "è": "french", "ê": "french", "œ": "french",
    "ã": "portuguese", "õ": "portuguese", "ğ": "turkish", "ı": "turkish", "ş": "turkish",
    "ì": "italian", "ò": "italian",
}  # fmt: skip
#: Endings that the stemmers leave on: Turkish "without", "with" and "-er", the Arabic feminine plural,
#: and the Hindi ones of short words, which the stemmer would cut down to one letter.
MORE_ENDINGS: dict[str, tuple[str, ...]] = {
    "turkish": ("siz", "sız", "suz", "süz", "li", "lı", "lu", "lü", "lik", "lık", "luk", "lük", "ci", "cı", "cu", "cü"),
    "arabic": ("ات",),
    "hindi": ("ा", "े", "ी", "ो", "ें", "ों"),
}
#: Arabic plurals change the vowels inside a word (مكتب, مكاتب): the stem without its long vowels is
#: the same for both. It must keep three consonants.
LONG_VOWELS: dict[str, str] = {"arabic": "اوي"}
LEAST_CONSONANTS = 3
#: So many words are looked at.
WORDS_FOR_A_GUESS = 300
#: One stop word may be chance ("die" is English, too); two are a guess worth having.
EVIDENCE = 2
#: A text without evidence is stemmed in every language while it is short, which costs about one
#: term a word. A long one without stop words is a log or code: English is enough.
SHORT = 50
#: A word with fewer letters has no ending to lose, and a shorter stem says nothing.
LEAST_LETTERS, LEAST_STEM = 3, 2

_stemmers = {language: Stemmer.Stemmer(language) for each in OF_SCRIPT.values() for language in each}
_stemming = threading.Lock()  # a stemmer keeps the word it works on in itself


def guessed(words: Sequence[str]) -> tuple[str, ...]:
    """The languages to stem the Latin words of a text in, likeliest first: one, those that tie, or all."""
    evidence: Counter[str] = Counter()
    for word in words[:WORDS_FOR_A_GUESS]:
        evidence.update(_told_by(small(word)))
    best = max(evidence.values(), default=0)
    if best >= EVIDENCE:
        return tuple(language for language in OF_SCRIPT["latin"] if evidence[language] == best)
    return OF_SCRIPT["latin"] if len(words) <= SHORT else OF_SCRIPT["latin"][:1]


@lru_cache(maxsize=20_000)
def _told_by(word: str) -> tuple[str, ...]:
    """The languages that this word is evidence for, one entry for each piece of evidence."""
    plain = folded(word)
    by_word = [language for language in OF_SCRIPT["latin"] if plain in STOP_WORDS[language]]
    return (*by_word, *(TELLING_LETTERS[letter] for letter in word if letter in TELLING_LETTERS))


def languages_of(word: str, latin: tuple[str, ...]) -> tuple[str, ...]:
    """The languages a word may be in: told by its script, and for Latin by the guess over its text."""
    written = script(word)
    return latin if written == "latin" else OF_SCRIPT.get(written or "", ())


@lru_cache(maxsize=50_000)
def stems(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The folded stems of a small word, likeliest first, without the folded word itself.

    The word is stemmed as it stands and without its accents, for those who type none.
    """
    plain = folded(word)
    if len(plain) < LEAST_LETTERS:
        return ()
    forms = tuple(dict.fromkeys((word, plain)))
    found = [folded(stem) for language in languages for form in forms for stem in _stems(form, language)]
    return tuple(stem for stem in dict.fromkeys(found) if len(stem) >= LEAST_STEM and stem != plain)


def _stems(word: str, language: str) -> list[str]:
    with _stemming:
        stem: str = _stemmers[language].stemWord(word)
    endings = [ending for ending in MORE_ENDINGS.get(language, ()) if word.endswith(ending)]
    shorter = [word.removesuffix(ending) for ending in endings]
    return [stem, *(rest for rest in shorter if len(rest) >= LEAST_LETTERS), *_skeleton(stem, language)]


def _skeleton(stem: str, language: str) -> list[str]:
    vowels = LONG_VOWELS.get(language, "")
    consonants = "".join(letter for letter in folded(stem).removesuffix("ه") if letter not in vowels)
    return [consonants] if vowels and len(consonants) >= LEAST_CONSONANTS else []


def is_stop_word(word: str, latin: tuple[str, ...]) -> bool:
    """Whether a folded word says nothing in its language; without a guess, in English."""
    languages = languages_of(word, latin if len(latin) < len(OF_SCRIPT["latin"]) else latin[:1])
    return any(word in STOP_WORDS[language] for language in languages)
