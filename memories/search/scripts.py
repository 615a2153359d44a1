"""Characters: what a script needs before its words can be compared, and where words begin and end."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

#: First and last character of the scripts that are written without spaces between words, or (Hangul)
#: glue so much to a word that only parts of it are found. They are indexed as pairs of characters.
HAN = ((0x3005, 0x3005), (0x3007, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
KANA = ((0x3041, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x31F0, 0x31FF))
HANGUL = ((0x1100, 0x11FF), (0x3131, 0x318F), (0xAC00, 0xD7AF))
#: Thai, Lao, Myanmar, Khmer, without their digits (those are folded to ASCII beforehand).
SPACELESS = ((0x0E01, 0x0E4E), (0x0E81, 0x0ECF), (0x0EDC, 0x0EDF), (0x1000, 0x103F), (0x1050, 0x109F),
             (0x1780, 0x17DD), (0xA9E0, 0xA9EF), (0xA9FA, 0xA9FE), (0xAA60, 0xAA7F))  # fmt: skip
#: Scripts with spaces whose words are stemmed, by first character of each block; None ends a block.
BLOCKS: tuple[tuple[int, str | None], ...] = (
    (0x0041, "latin"), (0x0250, None), (0x0370, "greek"), (0x0400, "cyrillic"), (0x0530, None), (0x0600, "arabic"),
    (0x0700, None), (0x0750, "arabic"), (0x0780, None), (0x0900, "devanagari"), (0x0980, None), (0x1E00, "latin"),
    (0x1F00, "greek"), (0x2000, None),
)  # fmt: skip
_STARTS = [start for start, _ in BLOCKS]

#: One letter written in several ways, where readers do not tell them apart. Accents are not in here:
#: they fall by decomposition in Latin and Greek. Cyrillic keeps й and ї, which are letters of their own.
SAME_LETTER = {
    "ё": "е",
    "ı": "i", "ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ħ": "h",
    "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ؤ": "و", "ئ": "ي",
    "ँ": "ं",
}  # fmt: skip
#: Marks that writers leave out at will: Arabic and Hebrew vowel points, tatweel, nukta, Cyrillic stress.
#: All other marks outside Latin and Greek are letters to their readers (Hindi and Thai vowels).
OPTIONAL_MARKS = ((0x0300, 0x036F), (0x0591, 0x05C7), (0x0610, 0x061A), (0x0640, 0x0640), (0x064B, 0x065F),
                  (0x0670, 0x0670), (0x06D6, 0x06ED), (0x093C, 0x093C))  # fmt: skip
HYPHENS = "\u2010\u2011\u2012\u2013\u2212"
APOSTROPHES = "\u2018\u2019\u02bc"

#: Decomposing and ordering marks takes quadratic time in the length of a run of them; Unicode's
#: stream-safe format allows 30.
MARKS_IN_A_RUN = 30
#: Beyond it there are only Han characters, and planes without letters.
LAST_CHARACTER = 0x1FFFF


Ranges = tuple[tuple[int, int], ...]


def class_of(*ranges: Ranges) -> str:
    """The inside of a regular expression's character class."""
    return "".join(f"{chr(first)}-{chr(last)}" for each in ranges for first, last in each)


def _ranges_of(categories: str, *but_not: Ranges) -> Ranges:
    """The runs of characters whose general category begins with one of these letters."""
    left_out = {code for ranges in but_not for first, last in ranges for code in range(first, last + 1)}
    found: list[tuple[int, int]] = []
    for code in range(LAST_CHARACTER + 1):
        if unicodedata.category(chr(code))[0] not in categories or code in left_out:
            continue
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return tuple(found)


MARK = class_of(_ranges_of("M"))
#: Letters, marks and digits of the scripts that put spaces between words. The underscore joins, so it is not one.
LETTER = class_of(_ranges_of("LMN", HAN, KANA, HANGUL, SPACELESS))
_LONG_RUN_OF_MARKS = re.compile(f"([{MARK}]{{{MARKS_IN_A_RUN}}})[{MARK}]+")
_CLUSTER = re.compile(f".[{MARK}]*", re.DOTALL)


class _Plain(dict[int, int | str | None]):
    """str.translate's table, filled as characters are met."""

    def __missing__(self, code: int) -> int | str | None:
        self[code] = _plain_character(code)
        return self[code]


def _plain_character(code: int) -> int | str | None:
    character, category = chr(code), unicodedata.category(chr(code))
    if character in HYPHENS:
        return "-"
    if character in APOSTROPHES:
        return "'"
    if category == "Cf":
        return None  # soft hyphens, joiners and direction marks are invisible, so nobody searches them
    if category == "Cs" or code == 0:
        return " "
    if category == "Nd":
        return str(unicodedata.decimal(character))
    return code


_PLAIN = _Plain()


def normal(text: str) -> str:
    """Compatibility form: one width, ASCII digits, hyphens and apostrophes, nothing invisible. Case stays.

    Broken surrogates and NUL become spaces. Runs of more than 30 marks are cut.
    """
    trimmed = _LONG_RUN_OF_MARKS.sub(r"\1", text)
    return unicodedata.normalize("NFKC", trimmed).translate(_PLAIN)


class _Folded(dict[int, int | str | None]):
    """str.translate's table from a decomposed small letter to the one it is compared by."""

    def __missing__(self, code: int) -> int | str | None:
        dropped = any(first <= code <= last for first, last in OPTIONAL_MARKS)
        self[code] = None if dropped else SAME_LETTER.get(chr(code), code)
        return self[code]


_FOLDED = _Folded()


def small(word: str) -> str:
    """Case-folded and composed. The dot that folding leaves over the Turkish capital İ goes."""
    return unicodedata.normalize("NFC", word.casefold().replace("i\u0307", "i"))


def folded(word: str) -> str:
    """The form in which words are compared: small letters, without accents and optional marks."""
    lowered = small(word)
    if lowered.isascii():
        return lowered
    if script(lowered) in {"latin", "greek"}:
        lowered = unicodedata.normalize("NFD", lowered)
    return unicodedata.normalize("NFC", lowered.translate(_FOLDED))


def script(word: str) -> str | None:
    """The script of a word by its first character, when it is one whose words are stemmed."""
    block = bisect_right(_STARTS, ord(word[0])) - 1 if word else -1
    return BLOCKS[block][1] if block >= 0 else None


def clusters(run: str) -> list[str]:
    """A run as its readers' characters: each with the marks that stand on it."""
    return _CLUSTER.findall(run)


def pairs(units: list[str]) -> Iterator[str]:
    """Neighbouring units, two by two; a single one stays alone."""
    if len(units) == 1:
        yield units[0]
    for first, second in pairwise(units):
        yield first + second
