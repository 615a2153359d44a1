"""One sentence as the statements that stand in it, by its grammar: each with its own subject and verb.
"Ann leads QA and reports to Bo" says two things. So do relative clauses, appositions and participles behind a comma.
Conditions, reasons and what is said or thought stay with their clause: torn off they would claim something else.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from memories.reading import clause_words as of
from memories.reading.syntax import Parsed

#: More pieces than this come from a list that the parser misread.
_MOST_CLAUSES = 8


@dataclass(frozen=True, slots=True)
class Clause:
    """`start` and `end` count the characters of the sentence it stands in."""

    text: str
    start: int
    end: int


def clauses(sentence: Parsed) -> list[Clause]:
    """In the order of the text. One that is the whole sentence means: there is nothing to take apart."""
    whole = Clause(sentence.text, 0, len(sentence.text))
    roots = sentence.roots
    if len(roots) != 1 or sentence.words[roots[0]].tag not in of.VERB:
        return [whole]
    found = _Splitter(sentence, roots[0]).split()
    return found if 1 < len(found) <= _MOST_CLAUSES else [whole]


@dataclass(slots=True)
class _Piece:
    head: int
    places: set[int]
    before: str = ""
    after: str = ""
    drop: int | None = None


class _Splitter:
    def __init__(self, sentence: Parsed, root: int) -> None:
        self.sentence = sentence
        self.words = sentence.words
        self.root = root
        self.is_past = self._tense_is_past(root)

    def split(self) -> list[Clause]:
        pieces = [_Piece(self.root, self.sentence.below(self.root))]
        for place in range(len(self.words)):
            piece = self._detached(place)
            if piece is None:
                continue
            owner = next((each for each in pieces if piece.head in each.places), None)
            if owner is None or not self._is_worth_it(owner, piece):
                continue
            owner.places -= piece.places
            pieces.append(piece)
        if len(pieces) == 1:
            return []
        made = [self._clause(piece) for piece in sorted(pieces, key=lambda each: min(each.places))]
        return [clause for clause in made if clause is not None]

    def _detached(self, place: int) -> _Piece | None:
        kinds = {
            "conj": self._coordinate,
            "relcl": self._relative,
            "appos": self._apposition,
            "acl": self._participle,
            "advcl": self._subordinate,
            "ccomp": self._beside,
            "parataxis": self._beside,
        }
        kind = kinds.get(self.words[place].dep)
        return kind(place) if kind else None

    def _subordinate(self, place: int) -> _Piece | None:
        return self._contrast(place) or self._adverbial(place)

    # --- kinds of clauses --------------------------------------------------------------------------------

    def _coordinate(self, place: int) -> _Piece | None:
        head = self.words[place].head
        if self.words[place].tag not in of.VERB or not self._hangs_on_root(place) or self._has_condition(head):
            return None
        places = self.sentence.below(place)
        own = self.sentence.child(place, *of.SUBJECT)
        if own is not None:
            return None if self._is_unresolved(own) else _Piece(place, places)
        subject_of = head
        while self.sentence.child(subject_of, *of.SUBJECT) is None and self.words[subject_of].dep == "conj":
            subject_of = self.words[subject_of].head
        subject = self.sentence.child(subject_of, *of.SUBJECT)
        if subject is None or self.words[subject].dep == "expl" or self.sentence.child(head, "neg") is not None:
            return None
        if place - head <= 2 and all(self.words[each].low in of.JOINTS for each in range(head + 1, place)):
            return None  # "designed and built the bridge": one object for both
        auxiliaries = self._auxiliaries(place, subject_of)
        if auxiliaries is None:
            return None
        return _Piece(place, places, before=" ".join(filter(None, [self.sentence.noun_phrase(subject), auxiliaries])))

    def _auxiliaries(self, place: int, head: int) -> str | None:
        """The auxiliary verbs that "was built and opened" says once; None if the forms do not agree."""
        tag = self.words[place].tag
        own = [child for child in self.sentence.children[place] if self.words[child].dep in {"aux", "auxpass"}]
        if own or tag in {"VBD", "VBZ", "VBP", "MD"}:
            return "" if tag != "VBP" or self.words[head].tag in {"VBP", "VBD", "VBZ"} else None
        shared = [child for child in self.sentence.children[head] if self.words[child].dep in {"aux", "auxpass"}]
        if not shared:
            is_copula = self.words[head].low in {"is", "was", "are", "were"} and tag == "VBN"
            return self.words[head].text if is_copula else None
        if tag == "VBN" and not any(
            self.words[each].dep == "auxpass" or self.words[each].low in of.HAVE for each in shared
        ):
            return None
        return " ".join(self.words[each].text for each in shared)

    def _relative(self, place: int) -> _Piece | None:
        noun = self.words[place].head
        places = self.sentence.below(place)
        first = min(places)
        pronoun = self.words[first]
        if self.words[place].tag not in of.VERB or first == 0 or noun in places:
            return None
        behind_comma = self.words[first - 1].text == ","
        subject = self._said_of(noun)
        if not behind_comma and not subject and not (pronoun.low in {"who", "which"} and self._is_name(noun)):
            return None
        phrase = subject or self.sentence.noun_phrase(noun, places)
        before, after = None, ""
        if pronoun.low in of.RELATIVE_SUBJECT and pronoun.dep in of.SUBJECT:
            before = phrase
        elif pronoun.low == "whose":
            before = phrase + ("'" if phrase.endswith("s") else "'s")
        elif pronoun.low == "where" and behind_comma:
            before, after = "", f"in {phrase}"
        elif pronoun.low in {"which", "whom"} and pronoun.dep == "dobj" and self.sentence.child(place, *of.SUBJECT):
            before, after = "", phrase
        return None if before is None else _Piece(place, places, before=before, after=after, drop=first)

    def _apposition(self, place: int) -> _Piece | None:
        noun = self.words[place].head
        places = self.sentence.below(place)
        first, last = min(places), max(places)
        if noun in places or first == 0 or self.words[first - 1].text not in {",", "–", "—"} or noun > place:
            return None
        at_end = all(not any(map(str.isalnum, word.text)) for word in self.words[last + 1 :])
        described = self.words[first].low in {"a", "an", "the"} and at_end and len(places) > of.FEWEST_WORDS
        named = self._is_name(noun) or self._is_name(place)
        ends = last + 1 >= len(self.words) or not self.words[last + 1].tag.startswith(("N", "J"))
        if not (named or described) or not ends or self.words[place].tag == "CD":
            return None
        if not at_end and self.sentence.child(place, "conj") is not None:
            return None
        if self._is_name(place) and self._is_name(noun) and not described:
            return None  # "Honolulu, Hawaii"
        return _Piece(
            place, places, before=f"{self._said_of(noun) or self.sentence.noun_phrase(noun, places)} {self._be(noun)}"
        )

    def _participle(self, place: int) -> _Piece | None:
        noun = self.words[place].head
        places = self.sentence.below(place)
        first = min(places)
        behind_comma = first > 0 and self.words[first - 1].text == ","
        if noun in places or not behind_comma or len(places) < of.FEWEST_WORDS or self.words[place].tag != "VBN":
            return None
        subject = self._said_of(noun)
        phrase = subject or self.sentence.noun_phrase(noun, places)
        return _Piece(place, places, before=f"{phrase} {self._be(self._subject() if subject else noun)}")

    def _adverbial(self, place: int) -> _Piece | None:
        """ "Born in Lyon, Ann studied law", "Ann left, taking the files along": what else is said of Ann."""
        tag, places = self.words[place].tag, self.sentence.below(place)
        subject = self.sentence.child(self.root, "nsubj", "nsubjpass")
        if (
            subject is None
            or self.words[place].head != self.root
            or place != min(places)
            or len(places) <= of.FEWEST_WORDS
        ):
            return None
        first, last = min(places), max(places)
        opens = first == 0 and tag == "VBN" and last + 1 < len(self.words) and self.words[last + 1].text == ","
        behind_comma = first > subject and self.words[first - 1].text == ","
        closes = tag == "VBG" and behind_comma and self.words[first].low not in of.OF_ALL
        if not (opens or closes):
            return None
        return _Piece(place, places, before=f"{self.sentence.noun_phrase(subject)} {self._be(subject)}")

    def _subject(self) -> int:
        return self.sentence.child(self.root, *of.SUBJECT) or self.root

    def _said_of(self, noun: int) -> str | None:
        """The subject of "Ann is a painter who …": what is said of the painter is said of Ann."""
        subject = self.sentence.child(self.root, "nsubj")
        if self.words[noun].dep != "attr" or self.words[noun].head != self.root or subject is None:
            return None
        article = self.sentence.child(noun, "det")
        indefinite = article is not None and self.words[article].low in {"a", "an"}
        return self.sentence.noun_phrase(subject) if indefinite and self.words[subject].tag != "EX" else None

    def _is_name(self, place: int) -> bool:
        return self.words[place].tag.startswith("NNP")

    def _contrast(self, place: int) -> _Piece | None:
        mark = self.sentence.child(place, "mark")
        own = self.sentence.child(place, *of.SUBJECT)
        if mark is None or self.words[mark].low not in of.CONTRAST or own is None or self._is_unresolved(own):
            return None
        return _Piece(place, self.sentence.below(place), drop=mark) if self._hangs_on_root(place) else None

    def _beside(self, place: int) -> _Piece | None:
        """ "A is down; B is up": two sentences with a semicolon or dash between."""
        places = self.sentence.below(place)
        subject = self.sentence.child(place, *of.SUBJECT)
        later = subject if place > self.root else self.sentence.child(self.root, *of.SUBJECT)
        if subject is None or self.words[place].head != self.root or self.root in places:
            return None
        if later is None or self._is_unresolved(later):
            return None
        edge = max(places) if place < self.root else min(places) - 1
        near = {self.words[each].text for each in (edge, edge + 1) if 0 <= each < len(self.words)}
        if {";", "—", "–"} & near:
            return _Piece(place, places)
        own = self.sentence.child(self.root, *of.SUBJECT)
        goes_on = own is not None and own > max(places) and self.words[own].low not in {"i", "you"}
        spliced = "," in near and place < self.root and goes_on and self.words[own or 0].low in of.TAKES_UP
        speaks = self.words[self.root].low in of.SPEECH or self.sentence.child(place, "mark") is not None
        return _Piece(place, places) if spliced and not speaks and len(places) > of.FEWEST_WORDS else None

    # --- what they share ---------------------------------------------------------------------------------

    def _is_unresolved(self, subject: int) -> bool:
        """A clause with a pronoun of which nothing is certain stays where the reader can see who is meant."""
        word = self.words[subject]
        return word.shown is None and word.low in of.TAKES_UP - {"there", "we"}

    def _hangs_on_root(self, place: int) -> bool:
        head = self.words[place].head
        while self.words[head].dep == "conj":
            head = self.words[head].head
        return head == self.root

    def _has_condition(self, head: int) -> bool:
        """ "If A fails, B waits and C stops": the condition holds for both."""
        for child in self.sentence.children[head]:
            if self.words[child].dep == "advcl":
                mark = self.sentence.child(child, "mark", "advmod")
                if mark is not None and self.words[mark].low in of.CONDITION and child < head:
                    return True
        return False

    def _be(self, noun: int) -> str:
        plural = self.words[noun].tag in {"NNS", "NNPS"} or self.sentence.child(noun, "conj") is not None
        if self.is_past:
            return "were" if plural else "was"
        return "are" if plural else "is"

    def _tense_is_past(self, place: int) -> bool:
        helpers = [
            self.words[child].low for child in self.sentence.children[place] if self.words[child].dep.startswith("aux")
        ]
        return self.words[place].tag == "VBD" or bool({"was", "were", "had", "did"} & set(helpers))

    def _is_worth_it(self, owner: _Piece, piece: _Piece) -> bool:
        rest = [each for each in owner.places - piece.places if self.words[each].text.isalnum()]
        own = [each for each in piece.places if any(map(str.isalnum, self.words[each].text))]
        return len(rest) >= of.FEWEST_WORDS and len(own) + bool(piece.before) >= of.FEWEST_WORDS - 1

    def _clause(self, piece: _Piece) -> Clause | None:
        kept = {place for place in piece.places if place != piece.drop}
        for edge in (min, max):
            while kept and self.words[edge(kept)].low in of.JOINTS:
                kept.discard(edge(kept))
        kept -= set(self._loose_commas(kept))
        if not kept:
            return None
        verb = max(
            [piece.head, *(each for each in self.sentence.children[piece.head] if self.words[each].dep == "prt")]
        )
        parts = [piece.before, self.sentence.passage(kept)]
        if piece.after:  # "which he wrote in May" → "he wrote it in May"
            early, late = ({each for each in kept if (each <= verb) is side} for side in (True, False))
            parts = [self.sentence.passage(early), piece.after, self.sentence.passage(late)]
        text = " ".join(filter(None, parts))
        text = of.DISCOURSE.sub("", text.strip(" ,;:").rstrip(" .,;:"), count=1) + "."
        if piece.head != self.root or not self.words[0].text[0].islower():
            text = text[0].upper() + text[1:]
        return Clause(text, self.words[min(kept)].start, self.words[max(kept)].end)

    def _loose_commas(self, kept: set[int]) -> Iterator[int]:
        """Commas around something that was taken out."""
        for place in kept:
            if self.words[place].text in {",", "and", "but"} and (place + 1 not in kept or place - 1 not in kept):
                yield place
