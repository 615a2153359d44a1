"""Who "it", "she", "I" and "the service" are, where that is certain; else the words stay.

Subjects are followed from sentence to sentence: a pronoun that begins one means the subject before, if the two agree.
Nothing is invented: a name comes from the text, its heading, or the speaker.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from memories.reading.first_person import cased, first_person, possessive
from memories.reading.phrases import any_of, words
from memories.reading.syntax import Parsed, Word

_SUBJECT = ("nsubj", "nsubjpass")
_PERSON_PRONOUNS = frozenset(["he", "she", "his", "her"])
_THING_PRONOUNS = frozenset(["it", "its"])
_MANY_PRONOUNS = frozenset(["they", "their"])
_POSSESSIVE = frozenset(["his", "her", "its", "their"])
_ALL = _PERSON_PRONOUNS | _THING_PRONOUNS | _MANY_PRONOUNS
_NO_ANTECEDENT = frozenset(["EX", "PRP", "DT", "WP", "WDT", "CD", "PRP$", "VBG"])
#: Words of names that are no people's.
_NO_PERSON = words("""
the, inc, ltd, corp, gmbh, team, group, company, university, institute, institution, foundation, department,
city, river, lake, street, park, museum, album, song, book, film, series, project, service, system, server,
app, api, league, club, party, bank, states, kingdom, republic, way, center, centre, school, hospital, church,
award, war, battle, act, union, association, committee, council
""")
#: Common nouns that mean one person.
_PERSON_NOUN = words("""
man, woman, boy, girl, person, author, writer, singer, actor, actress, president, king, queen, minister, director,
manager, lead, leader, engineer, developer, designer, officer, teacher, student, doctor, artist, player, coach, user,
customer, client, founder, owner, politician, scientist, lawyer, mother, father, sister, brother, wife, husband, son,
daughter, captain, professor, poet, composer, musician
""")
_TIME = re.compile("January|February|March|April|May|June|July|August|September|October|November|December|\\w+day")
_WEATHER = re.compile("rain|snow|seem|appear|turn|possible|clear|important|likely|difficult|true|worth|time|necessary")
_GENERIC = any_of("""
(?:what['’]?s )?new, changed?s?, changelog, fixed, fixes, added, removed, notes?, overview, introduction, summary,
usage, install\\w*, setup, config\\w*, examples?, details?, background, status, todo, misc\\w*, other, features?,
requirements?, faq, known \\w+, about, index, getting started, quick ?start, contents?, license, contributing, api,
tests?, deployment, security, support, contact, reference\\w*, decisions?, actions?, action items, attendees, agenda,
participants, next steps, conclusion, results?, highlights, improvements, (?:how|what|why|when|where) .*, \\w+ing .*,
\\d.*
""")
_GENERIC_HEADINGS = re.compile(rf"(?:{_GENERIC})$", re.IGNORECASE)
_MOST_HEADING_WORDS = 6
_KEY_VALUE = re.compile(r"[^\s:=][^:=.]{0,40}(?::\s|\s=\s)\S")
_FARTHEST = 3
_LONGEST_PHRASE = 80
_LONGEST_FRAGMENT = 12
_MAKES = frozenset(
    ["cause", "causes", "caused", "make", "makes", "made", "let", "lets", "help", "helps", "helped", "have"]
)


def is_fragment(sentence: Parsed) -> bool:
    """Nobody does anything in it: "Port: 8443", "prints labels", "Assigned to Inga"."""
    subjects = ("nsubj", "nsubjpass", "expl", "csubj")
    if _KEY_VALUE.match(sentence.text):
        return True
    if not any(word.tag in {"VBD", "VBZ", "VBP", "MD"} for word in sentence.words):
        return sentence.words[0].tag not in {"VB", "DT", "PRP", "PRP$"}
    if len(sentence.words) > _LONGEST_FRAGMENT or sentence.words[0].tag in {"VB", "IN", "DT", "PRP", "WRB"}:
        return False
    return all(sentence.child(root, *subjects) is None for root in sentence.roots)


def topic_of(headings: Iterable[str]) -> str | None:
    """The nearest heading that names something: "New" and "Usage" are no subjects, and neither is a sentence."""
    for heading in reversed(list(headings)):
        plain = re.sub(r"^[\d.)\s]+|\s*\([^()]*\)\s*$", "", heading).strip(" :#*")
        if plain and len(plain.split()) <= _MOST_HEADING_WORDS and not _GENERIC_HEADINGS.match(plain):
            return plain
    return None


@dataclass(frozen=True, slots=True)
class _Subject:
    phrase: str
    many: bool
    is_name: bool
    #: Which sentence it was the subject of.
    said: int


@dataclass(slots=True)
class Discourse:
    """What a text has spoken of so far. Feed it the sentences in order."""

    topic: str | None = None
    speaker: str | None = None
    subjects: list[_Subject] = field(default_factory=list)
    full_names: dict[str, str | None] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)
    said: int = 0
    turned: int = 0

    def turn_to(self, topic: str | None, speaker: str | None) -> None:
        """Another heading or speaker: things are not carried over, people are."""
        if (topic, speaker) != (self.topic, self.speaker):
            self.subjects = [each for each in self.subjects if each.phrase in self.people]
            self.topic, self.speaker = topic, speaker
            self.turned = self.said

    def resolved(self, sentence: Parsed) -> Parsed:
        """The sentence with names where pronouns were certain."""
        self.said += 1
        self._learn_names(sentence)
        shown = {**self._pronouns(sentence), **self._short_names(sentence), **first_person(sentence, self.speaker)}
        made = _with(sentence, shown) if shown else sentence
        self._learn_subject(made)
        return made

    # --- pronouns ----------------------------------------------------------------------------------------

    def _pronouns(self, sentence: Parsed) -> dict[int, str]:
        shown: dict[int, str] = {}
        own = _main_subject(sentence)
        for place, word in enumerate(sentence.words):
            if word.low not in _ALL or word.tag not in {"PRP", "PRP$"}:
                continue
            is_subject = word.dep in _SUBJECT
            opens = place == (own if own is not None else -1) or (word.tag == "PRP$" and place <= 1)
            if not (is_subject or opens) or (word.low == "it" and _is_empty(sentence, place)):
                continue
            if opens:
                name = None if _named_before(sentence, place) else self._meant(word.low)
            else:
                name = self._of_sentence(sentence, place, own)
            if name:
                shown[place] = possessive(name) if word.tag == "PRP$" else name
        return {place: cased(name, place, sentence) for place, name in shown.items()}

    def _of_sentence(self, sentence: Parsed, place: int, own: int | None) -> str | None:
        """ "The pump failed, and it was replaced": the subject goes on, unless somebody else was named meanwhile."""
        verb = sentence.words[place].head
        if own is None or own > place or sentence.words[verb].dep not in {"conj", "ccomp", "parataxis", "advcl"}:
            return None
        subject = self._subject_at(sentence, own)
        pronoun = sentence.words[place].low
        others = any(word.tag == "NNP" for word in sentence.words[own + 1 : place]) and pronoun in _PERSON_PRONOUNS
        if subject is None or others or not self._agrees(pronoun, subject):
            return None
        return subject.phrase

    def _meant(self, pronoun: str) -> str | None:
        for subject in reversed(self.subjects):
            if self.said - subject.said > _FARTHEST:
                break
            if self._agrees(pronoun, subject):
                if pronoun in _PERSON_PRONOUNS:
                    self.people.add(subject.phrase)
                return subject.phrase
            if pronoun in _THING_PRONOUNS and not self._is_person(subject):
                break  # something else was spoken of meanwhile
        if pronoun in _THING_PRONOUNS and self.topic and self.said == self.turned + 1:
            return self.topic
        return None

    def _agrees(self, pronoun: str, subject: _Subject) -> bool:
        if pronoun in _MANY_PRONOUNS:
            return subject.many or (subject.is_name and not self._is_person(subject))
        if subject.many:
            return False
        return self._may_be_person(subject) if pronoun in _PERSON_PRONOUNS else not self._is_person(subject)

    def _is_person(self, subject: _Subject) -> bool:
        return subject.phrase in self.people or bool(not subject.is_name and _PERSON_NOUN.search(subject.phrase))

    def _may_be_person(self, subject: _Subject) -> bool:
        if subject.is_name:
            return not _NO_PERSON.search(subject.phrase)
        return bool(_PERSON_NOUN.search(subject.phrase))

    # --- names -------------------------------------------------------------------------------------------

    def _learn_names(self, sentence: Parsed) -> None:
        """Full names by their last word; None where two people share it."""
        run: list[Word] = []
        for word in [*sentence.words, Word("", "", "", 0, 0)]:
            if word.tag == "NNP" and word.text[:1].isupper() and word.text.isalpha():
                run.append(word)
                continue
            if len(run) in (2, 3):
                full = " ".join(each.text for each in run)
                if not _NO_PERSON.search(full) and len(run[-1].text) > 2:
                    known = self.full_names.get(run[-1].text, full)
                    self.full_names[run[-1].text] = full if known == full else None
            run = []

    def _short_names(self, sentence: Parsed) -> dict[int, str]:
        """ "Obama" is "Barack Obama", once a text has said so."""
        shown = {}
        for place, word in enumerate(sentence.words):
            full = self.full_names.get(word.text) if word.tag == "NNP" and word.dep in _SUBJECT else None
            parts = {"compound", "det", "amod", "conj"}
            alone = not any(sentence.words[child].dep in parts for child in sentence.children[place])
            if full and alone and not (place and sentence.words[place - 1].tag == "NNP"):
                shown[place] = full
        return shown

    def _learn_subject(self, sentence: Parsed) -> None:
        place = _main_subject(sentence)
        subject = self._subject_at(sentence, place) if place is not None else None
        if subject:
            self.subjects.append(subject)
            del self.subjects[:-8]

    def _subject_at(self, sentence: Parsed, place: int) -> _Subject | None:
        word = sentence.words[place]
        if word.shown is None and (word.tag in _NO_ANTECEDENT or word.low in _ALL):
            return None
        phrase = word.shown.strip() if word.shown else sentence.noun_phrase(place)
        if not phrase or len(phrase) > _LONGEST_PHRASE:
            return None
        many = word.tag in {"NNS", "NNPS"} or sentence.child(place, "conj") is not None
        is_name = word.tag.startswith("NNP") or (word.shown is not None and phrase[:1].isupper())
        known = next((each for each in self.subjects if each.phrase == phrase), None)
        if known:
            many, is_name = known.many, known.is_name
        return _Subject(phrase, many, is_name, self.said)


def _main_subject(sentence: Parsed) -> int | None:
    roots = sentence.roots
    return sentence.child(roots[0], *_SUBJECT) if roots else None


def _named_before(sentence: Parsed, place: int) -> bool:
    """Whether the sentence itself names somebody or something before the pronoun, who could be meant."""
    return any(
        word.tag in {"NNP", "NNPS"}
        and word.dep in {"nsubj", "nsubjpass", "pobj", "dobj", "poss"}
        and not _is_time(word.text)
        for word in sentence.words[:place]
    )


def _is_time(text: str) -> bool:
    return bool(_TIME.fullmatch(text))


def _is_empty(sentence: Parsed, place: int) -> bool:
    """ "It seems", "it is important to …": nothing is meant."""
    head = sentence.words[place].head
    if sentence.words[place].dep == "expl":
        return True
    after = " ".join(word.low for word in sentence.words[head : head + 4])
    clausal = any(sentence.words[child].dep in {"ccomp", "csubj"} for child in sentence.children[head])
    clausal = clausal and sentence.words[head].low not in _MAKES
    comment = sentence.child(head, "acomp") is not None and sentence.child(head, "xcomp", "advcl", "ccomp") is not None
    return bool(_WEATHER.search(after)) or clausal or comment


def _with(sentence: Parsed, shown: dict[int, str]) -> Parsed:
    changed = [
        replace(word, shown=shown[place]) if place in shown else word for place, word in enumerate(sentence.words)
    ]
    return Parsed(sentence.text, changed)
