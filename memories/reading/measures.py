"""Quantities brought to one measure: 30 minutes and half an hour, 1.5 km and 1,500 metres, 25 % and a quarter.

Only texts are rewritten, for comparing; what is shown is always what stood there.
"""

import re

_TENS_IN_ORDER = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES_IN_ORDER = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_ORDINALS_IN_ORDER = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth seventeenth eighteenth nineteenth twentieth
"""
_TENS = {word: 10 * place for place, word in enumerate(_TENS_IN_ORDER.split(), start=2)}
_ONES = {word: place for place, word in enumerate(_ONES_IN_ORDER.split(), start=1)}
_ORDINALS = _ORDINALS_IN_ORDER.split()
_PHRASES = (
    (r"\bthree[- ]quarters of an hour\b", "45 minutes"), (r"\bhalf an hour\b", "30 minutes"),
    (r"\b(?:an|one) hour and a half\b", "90 minutes"), (r"\b(?:a|one) quarter of an hour\b", "15 minutes"),
    (r"\b(?:a|one) quarter of\b", "25% of"), (r"\b(?:a|one) third of\b", "33% of"), (r"\bhalf of\b", "50% of"),
    (r"\b(\w+) dozen\b", r"\1 12-fold"), (r"\b(?:a|an) (?=hour|minute|second|day|week|month|year|dozen)", "1 "),
    (r"\bdozen\b", "12"), (r"\bthrice\b", "3 times"), (r"\btwice\b", "2 times"), (r"\bonce\b", "1 times"),
    (r"\bnoon\b", "12:00"), (r"\bmidnight\b", "00:00"), (r"\bGMT\b", "UTC"), (r"\bEuropean Union\b", "EU"),
    (r"\bsingle\b(?= [a-z]+ [a-z'’]+)", "1"),
)  # fmt: skip
_COMPILED = [(re.compile(pattern, re.IGNORECASE), put) for pattern, put in _PHRASES]
_COMPOUND = re.compile(rf"\b({'|'.join(_TENS)})(?:[- ]({'|'.join(list(_ONES)[:9])}))?\b", re.IGNORECASE)
_SMALL = re.compile(rf"\b({'|'.join(sorted(_ONES, key=len, reverse=True))})\b", re.IGNORECASE)
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)})\b(?! (?:of|hand))", re.IGNORECASE)
_TIME = re.compile(r"\b(\d{1,2})(?::(\d\d))?\s?([ap])\.?m\b\.?", re.IGNORECASE)
_THOUSAND = re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3})+)(?![\w,])")
_SHORT = re.compile(r"\b(\d+(?:\.\d+)?)k\b")
_UNITS: dict[str, tuple[float, str]] = {
    **dict.fromkeys(("second", "seconds", "sec", "s"), (1.0, "seconds")),
    **dict.fromkeys(("minute", "minutes", "min", "mins"), (60.0, "seconds")),
    **dict.fromkeys(("hour", "hours", "h", "hrs"), (3600.0, "seconds")),
    **dict.fromkeys(("day", "days"), (86_400.0, "seconds")),
    **dict.fromkeys(("week", "weeks"), (604_800.0, "seconds")),
    **dict.fromkeys(("month", "months"), (1.0, "months")),
    **dict.fromkeys(("year", "years", "y"), (12.0, "months")),
    **dict.fromkeys(("metre", "metres", "meter", "meters", "m"), (1.0, "metres")),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer", "kilometers"), (1000.0, "metres")),
    **dict.fromkeys(("kg", "kilo", "kilos"), (1.0, "kg")),
    **dict.fromkeys(("tonne", "tonnes"), (1000.0, "kg")),
    **dict.fromkeys(("kb",), (1e3, "bytes")), **dict.fromkeys(("mb",), (1e6, "bytes")),
    **dict.fromkeys(("gb",), (1e9, "bytes")), **dict.fromkeys(("tb",), (1e12, "bytes")),
    **dict.fromkeys(("percent", "%"), (1.0, "percent")), **dict.fromkeys(("euro", "euros", "eur", "€"), (1.0, "eur")),
}  # fmt: skip
_QUANTITY = re.compile(
    rf"(?<![\w.,])(\d+(?:\.\d+)?)[ -]?({'|'.join(sorted(map(re.escape, _UNITS), key=len, reverse=True))})(?!\w)",
    re.IGNORECASE,
)


def in_one_measure(text: str) -> str:
    """The text with its quantities spelt one way."""
    for pattern, put in _COMPILED:
        text = pattern.sub(put, text)
    text = _COMPOUND.sub(lambda found: str(_TENS[found[1].lower()] + _ONES.get((found[2] or "").lower(), 0)), text)
    text = _SMALL.sub(lambda found: str(_ONES[found[1].lower()]), text)
    text = _ORDINAL.sub(lambda found: _ordinal(_ORDINALS.index(found[1].lower()) + 1), text)
    text = re.sub(r"(\d+) 12-fold", lambda found: str(12 * int(found[1])), text)
    text = _TIME.sub(_clock, text)
    text = _THOUSAND.sub(lambda found: found[1].replace(",", ""), text)
    text = _SHORT.sub(lambda found: _plain(float(found[1]) * 1000), text)
    text = re.sub(r"(?:€|\bEUR) ?(\d+(?:\.\d+)?)", r"\1 euros", text)
    return _QUANTITY.sub(_converted, text)


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def _clock(found: re.Match[str]) -> str:
    hour = int(found[1]) % 12 + (12 if found[3].lower() == "p" else 0)
    return f"{hour}:{found[2] or '00'}"


def _converted(found: re.Match[str]) -> str:
    factor, unit = _UNITS[found[2].lower()]
    return f"{_plain(float(found[1]) * factor)} {unit}"


def _plain(value: float) -> str:
    return f"{value:.6g}" if value < 1e6 else str(int(value))
