"""How a newer statement stands to an older one. Here are the rules that are certain; the rest is weighed (weighing.py).

A wrong certain verdict retires a true memory; a missed one asks a person. So the rules are few and narrow:
1. the same words with and without a negation;
2. the same words around one value, where that thing can have one such value only;
3. words of change that name both values, or the newer one ("from 90 days to one year", "instead of Mondays").
"""

import re
from dataclasses import dataclass

from memories.reading.base import Comparison, Verdict
from memories.reading.differences import differences
from memories.reading.normal import same_statement
from memories.reading.phrases import words
from memories.reading.tokens import COMMON, Token, tokens
from memories.reading.weighing import MOST_CHARACTERS, SURE, reason_of, weighed

#: Longer texts are no single statements; their first tokens tell enough.
_MOST_TOKENS = 400
#: Fewer words in common name no subject: "It is 5", "Port: 8443".
_FEWEST_SHARED = 2
_NEAR_SHARE = 0.25

_CHANGE = words("""
now, no longer, not any ?more, any ?more, moved, switched, changed, renamed, replaced, migrated, upgraded, raised,
lowered, increased, decreased, reduced, extended, shortened, postponed, correction, corrected, typo, instead of,
jetzt, nicht mehr, ne plus, désormais, ahora, ya no
""")
_CHANGE_SPACELESS = re.compile("改为|改到|不再|现在|変更|になりました")
_NOT_YET = words("not yet, yet, noch nicht, pas encore, todavía no")
#: Left out when wordings are held against each other: they carry the change, or nothing.
_DROPPED = frozenset("now currently meanwhile anymore already any more longer yet jetzt a an do doe did".split())  # noqa: SIM905  # a table
_LIGHT_VERBS = frozenset("run live use take cost listen keep allow stand sit work store".split())  # noqa: SIM905  # a table

#: Words right before a value of which the subject has one at a time.
_SINGLE = re.compile(
    r"(?:\b(?:is|are|equals?|costs?|weighs|takes|lasts|has|have|allows|employs|holds|contains|ist|sind|kostet|dauert"
    r"|coûte|cuesta)|[:=]|->|→|[是为：])(?: (?:about|around|exactly|roughly|up to|at most|at least|only))?\s*$"
    r"|\b(?:listens|listening|runs|running|is|are) on (?:tcp )?port\s*$"
    r"|\b(?:is at|is|runs|runs on) (?:version|firmware)\s*$"
    r"|\b(?:expires?|ends?|is due|are due) on\s*$",
    re.IGNORECASE,
)
_SINGLE_NAME = re.compile(
    r"\b(?:lives in|(?:is|are) (?:based|located|hosted) in|was born in|reports to"
    r"|(?:is|are) (?:led|owned|managed|maintained|run) by|belongs to|is (?:called|named))\s*$"
    r"|^(?:the|our|my|[A-ZÀ-Þ][\w-]*['’]s) (?:[\w-]+ ){1,5}(?:is|are)\s*$",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|von|de)\s*$|从$", re.IGNORECASE)
_TO = re.compile(r"(?:\b(?:to|auf|à|a)|[到为至])\s*$", re.IGNORECASE)
_INSTEAD = re.compile(
    r"(?:\b(?:instead of|rather than|no longer|used to be)|\((?:was|before:?|formerly)|, not)(?: in| on| at)?\s*$",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"\b(?:is|are|in|at|on|to|by|with|within|for|has|have|than|over|of)\s+(?:the\s)?$", re.IGNORECASE
)
_LOOK_BACK = 80
_MOST_OF_IT = 0.5
_VALUES = frozenset(["number", "date", "name"])


def compare(newer: str, older: str, similarity: float | None = None) -> Comparison:
    if same_statement(newer, older):
        return Comparison(Verdict.SAME, certain=True, reason="the same words", confidence=1.0)
    pair = _Pair(newer, older, tokens(newer)[:_MOST_TOKENS], tokens(older)[:_MOST_TOKENS])
    differs = differences(pair.new, pair.old)
    if pair.is_flipped() or pair.is_one_value():
        verdict = Verdict.REPLACES if pair.tells_change() else Verdict.CONTRADICTS
        return Comparison(verdict, True, differs, reason_of(differs, older), SURE)
    if pair.names_both_values() or pair.names_newer_value():
        return Comparison(Verdict.REPLACES, True, differs, reason_of(differs, older), SURE)
    if max(len(newer), len(older)) > MOST_CHARACTERS:
        return Comparison(Verdict.NEAR if pair.is_near() else Verdict.UNRELATED, certain=False, differs=differs)
    return weighed(newer, older, differs, similarity)


@dataclass(frozen=True, slots=True)
class _Pair:
    newer: str
    older: str
    new: list[Token]
    old: list[Token]

    def tells_change(self) -> bool:
        told = _CHANGE.search(self.newer) or _CHANGE_SPACELESS.search(self.newer)
        return bool(told and told.group() not in self.older) or bool(_NOT_YET.search(self.older))

    def is_flipped(self) -> bool:
        """The same words with and without a negation."""
        plain_new = [token.key for token in self.new if token.kind != "negation" and token.key not in _DROPPED]
        plain_old = [token.key for token in self.old if token.kind != "negation" and token.key not in _DROPPED]
        negated = [any(token.kind == "negation" for token in side) for side in (self.new, self.old)]
        return negated[0] != negated[1] and plain_new == plain_old and len(_content(self.old)) >= _FEWEST_SHARED

    def is_one_value(self) -> bool:
        """The same words around one value, of which there is one at a time."""
        new = [token for token in self.new if token.key not in _DROPPED]
        old = [token for token in self.old if token.key not in _DROPPED]
        places = [place for place, (this, other) in enumerate(zip(new, old, strict=False)) if this.key != other.key]
        if len(new) != len(old) or len(places) != 1 or len(_content(old)) <= _FEWEST_SHARED:
            return False
        this, other = new[places[0]], old[places[0]]
        before = self.older[: other.start]
        introduced = _SINGLE_NAME if other.kind == "name" else _SINGLE
        return _are_alternatives(this, other) and bool(introduced.search(before[-_LOOK_BACK:]))

    def names_both_values(self) -> bool:
        """ "from A to B", "B instead of A", "B (was A)", where the older text says A and not B."""
        known = {token.key for token in self.old}
        return any(
            token.kind in _VALUES
            and token.key in known
            and self._is_left_behind(token, known)
            and self._is_about_the_same(token, _MOST_OF_IT)
            for token in self.new
        )

    def _is_left_behind(self, token: Token, known: set[str]) -> bool:
        before = self.newer[max(0, token.start - _LOOK_BACK) : token.start]
        fresh = [other for other in self.new if other.kind == token.kind and other.key not in known]
        if _FROM.search(before):
            return any(_TO.search(self.newer[token.end : other.start]) for other in fresh if other.start > token.end)
        return bool(fresh) and bool(_INSTEAD.search(before))

    def names_newer_value(self) -> bool:
        """ "B now", "moved to B": everything the older text says except its one value A stands in the newer."""
        known = {token.key for token in self.new}
        left = [token for token in self.old if token.kind in _VALUES and token.key not in known]
        if len(left) != 1 or not _CHANGE.search(self.newer):
            return False
        keys = {token.key for token in self.old}
        fresh = [token for token in self.new if token.kind == left[0].kind and token.key not in keys]
        if len(fresh) != 1 or not _are_alternatives(fresh[0], left[0]):
            return False
        return bool(_PREPOSITION.search(self.older[: left[0].start])) and self._is_about_the_same(left[0], 1.0)

    def _is_about_the_same(self, value: Token, share: float) -> bool:
        """All names and the first content word of the older text, and a share of the rest, stand in the newer."""
        known = {token.key for token in self.new}
        rest = [token for token in _content(self.old) if token.key != value.key and token.key not in _LIGHT_VERBS]
        if not rest or rest[0].key not in known or len(rest) < _FEWEST_SHARED:
            return False
        if any(token.kind == "name" and token.key not in known for token in rest):
            return False
        return sum(token.key in known for token in rest) >= share * len(rest)

    def is_near(self) -> bool:
        new, old = {token.key for token in _content(self.new)}, {token.key for token in _content(self.old)}
        return len(new & old) > _NEAR_SHARE * min(len(new), len(old))


def _content(found: list[Token]) -> list[Token]:
    return [token for token in found if token.key not in COMMON and token.kind != "negation"]


def _are_alternatives(this: Token, other: Token) -> bool:
    """Of one kind, and measured alike: 60 minutes and one hour may be the same."""
    if this.kind != other.kind or this.kind not in _VALUES:
        return False
    return this.unit == other.unit or (bool(this.unit and other.unit) and this.key.split()[0] == other.key.split()[0])
