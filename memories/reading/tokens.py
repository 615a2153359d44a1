"""A sentence as dates, numbers with their units, names and words, each in a form that can be compared."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memories.reading import dates
from memories.reading.phrases import any_of

TokenKind = Literal["date", "number", "name", "word", "negation"]

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_UNITS = {
    "ms": "ms millisecond milliseconds",
    "s": "s sec secs second seconds 秒",
    "min": "min mins minute minutes minuten 分钟",
    "h": "h hr hrs hour hours stunde stunden heures horas 小时 時間",
    "day": "day days tag tage tagen jours días 天",
    "week": "week weeks woche wochen semaines semanas 周",
    "month": "month months monat monate mois meses",
    "year": "year years y jahr jahre jahren ans años",
    "kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "kib": "kib", "mib": "mib", "gib": "gib",
    "m": "m metre metres meter meters", "km": "km kilometre kilometres kilometer kilometers", "cm": "cm", "mm": "mm",
    "g": "g gram grams", "kg": "kg kilo kilos", "%": "% percent prozent",
    "eur": "€ eur euro euros", "usd": "$ usd dollar dollars", "gbp": "£ gbp pound pounds",
    "am": "am a.m", "pm": "pm p.m", "k": "k", "million": "million millions mio", "billion": "billion bn",
}  # fmt: skip
_UNIT_OF = {spelling: unit for unit, spellings in _UNITS.items() for spelling in spellings.split()}
_UNIT = "|".join(re.escape(spelling) for spelling in sorted(_UNIT_OF, key=len, reverse=True))
_COUNTS = "two three four five six seven eight nine ten eleven twelve"
_COUNT_OF = {word: str(number) for number, word in enumerate(_COUNTS.split(), start=2)}

_NEGATORS = any_of("""
not, no, never, none, nobody, nothing, neither, nor, without, nicht, keine?[nmrs]?, nie, niemals, ohne, pas, jamais,
sans, aucune?, nunca, jamás, sin
""")
_TOKEN = re.compile(
    rf"""
    (?P<number>(?<![A-Za-z0-9_])(?P<sign>[$€£])?(?P<value>\d+(?:st|nd|rd|th)(?!\w)|v?\d+(?:[.,:]\d+)*|(?:{"|".join(_COUNT_OF)})(?=\s))
        (?:\s?(?P<unit>{_UNIT})(?![A-Za-zÀ-ÿ0-9_-])|(?![A-Za-z0-9_-]|/\w)))
    | (?P<identifier>https?://[^\s<>"]*[\w/] | [A-Za-z0-9][\w.+-]{{0,64}}@[\w-]+(?:\.[\w-]+)+ | [/\#@][A-Za-z][\w./-]*\w
        | (?=[A-Za-z0-9_./:-]{{0,80}}(?:[\d_]|\.[A-Za-z]))[A-Za-z0-9]+(?:[-_./:][A-Za-z0-9]+)+
        | [A-Za-z]+\d\w* | \d+[A-Za-z]\w*)
    | (?P<negation>(?:{_NEGATORS})(?!\w) | n['’]t(?!\w) | (?<=can)not(?!\w) | [不没未无非] | ません | ない)
    | (?P<can>can)(?=not(?!\w))
    | (?P<character>[{_CJK}])
    | (?P<word>(?:(?!n['’]t(?!\w)|[{_CJK}])[^\W\d_])+(?:[-&](?:(?![{_CJK}])[^\W\d_])+)*)
    | (?P<lone>\d+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: What an apostrophe leaves behind: Kofi's, they're, we'll, can't, won't.
_CONTRACTIONS = frozenset(["s", "re", "ll", "ve", "d", "m"])
_CONTRACTED = {"ca": "can", "wo": "will"}
_CALENDAR = any_of("""
mondays?, tuesdays?, wednesdays?, thursdays?, fridays?, saturdays?, sundays?, weekdays, weekends?, montags?, dienstags?,
mittwochs?, donnerstags?, freitags?, samstags?, sonntags?, january, february, june, july, august, september,
october, november, december, mon, tue, tues, wed, thu, thur, thurs, fri
""")
_CALENDAR_WORD = re.compile(rf"(?:{_CALENDAR})", re.IGNORECASE)
_LONGEST_NAME = 60
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Token:
    """`key` is equal where the meaning is; `text` is what stands there."""

    kind: TokenKind
    text: str
    key: str
    start: int
    end: int
    unit: str = ""


def tokens(text: str) -> list[Token]:
    return list(_joined(_single(text), text))


def _single(text: str) -> Iterator[Token]:
    position = 0
    for found in [*dates.mentions(text), None]:
        for match in _TOKEN.finditer(text, position, found.start if found else len(text)):
            if not _is_contraction(match):
                yield _token(match)
        if found:
            yield Token("date", text[found.start : found.end], found.key, found.start, found.end)
            position = found.end


def _token(match: re.Match[str]) -> Token:
    text, kind = match.group(), match.lastgroup
    start, end = match.span()
    if match["number"] or match["lone"]:
        value = (match["value"] or text).lower()
        unit = _UNIT_OF.get((match["unit"] or match["sign"] or "").lower(), "")
        return Token("number", text, f"{_number(value)} {unit}".strip(), start, end, unit)
    if match["negation"]:
        return Token("negation", text, "not", start, end)
    if match["identifier"]:
        return Token("name", text, text.casefold(), start, end)
    if _CALENDAR_WORD.fullmatch(text):
        return Token("date", text, stem(text), start, end)
    is_name = kind == "word" and text[0].isupper() and not _starts_a_sentence(match) and text != "I"
    key = _CONTRACTED.get(text, stem(text))
    return Token("name" if is_name or _is_coined(text) else "word", text, key, start, end)


def _is_contraction(match: re.Match[str]) -> bool:
    return match.string[max(0, match.start() - 1) : match.start()] in {"'", "’"} and match.group() in _CONTRACTIONS


def _number(value: str) -> str:
    value = _COUNT_OF.get(value, value)
    return value.replace(",", "") if _THOUSANDS.fullmatch(value) else value


def _starts_a_sentence(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 4) : match.start()].rstrip("\"'“„«(*_ \n")
    return not before or before[-1] in ".!?:;…|"


def _is_coined(word: str) -> bool:
    """PostgreSQL, VAT: capitals inside tell a name even at the beginning of a sentence."""
    return any(map(str.isupper, word[1:])) and not any(map(str.isdigit, word))


def _joined(singles: Iterator[Token], text: str) -> Iterator[Token]:
    """ "Petra Novak" is one name. So is "Okapi Freight" at the beginning of a sentence."""
    held: Token | None = None
    for token in singles:
        if held and token.kind == "name" and _may_join(held, token, text):
            held = Token("name", text[held.start : token.end], f"{held.key} {token.key}", held.start, token.end)
            continue
        if held:
            yield held
        held = token
    if held:
        yield held


def _may_join(held: Token, token: Token, text: str) -> bool:
    if text[held.end : token.start] != " " or len(held.text) > _LONGEST_NAME:
        return False
    if any(map(str.isdigit, held.text + token.text)):
        return False
    if not held.text[0].isupper() or not token.text[0].isupper():
        return False
    return held.kind == "name" or (held.kind == "word" and held.key not in COMMON)


def stem(word: str) -> str:
    """Enough to see `service` in `services` and `deploy` in `deploys`. A key, never shown."""
    word = word.casefold()
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


_COMMON = """
a an the this that these those it its he she they we you i his her their our my your of in on at to for from by with
as and or but if so than then is are was were be been being am has have had do does did will would can could may
might shall should must there here when while where who which what how into out up down over under after before
about per each both all any some also just very more most too still only yes el la los las un una der die das den dem
ein eine einen und oder mit für von zu im am le les des du et est une en y que se auf ist sind
"""
#: Words that say nothing by themselves, as keys.
COMMON = frozenset(map(stem, _COMMON.split()))
