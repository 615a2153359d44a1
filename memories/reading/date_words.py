"""Words and forms in which times are written: tables and the one pattern that finds them."""

import re

_NAMES = (
    "january januar janvier enero jan",
    "february februar février febrero feb",
    "march märz mars marzo mar",
    "april avril abril apr",
    "may mai mayo",
    "june juni juin junio jun",
    "july juli juillet julio jul",
    "august août agosto aug",
    "september septembre septiembre sept sep",
    "october oktober octobre octubre oct okt",
    "november novembre noviembre nov",
    "december dezember décembre diciembre dec dez",
)
MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
_MONTHS_LONG_FIRST = sorted(MONTHS, key=len, reverse=True)
MONTH = "|".join(_MONTHS_LONG_FIRST)
#: Written out, and nothing else in English: a month also without a number beside it.
_LONG_MONTH = "january|february|march|april|may|june|july|august|september|sept|october|november|december"

_WEEKDAY_NAMES = (
    "monday mon montag lundi lunes",
    "tuesday tues tue dienstag mardi martes",
    "wednesday wed weds mittwoch mercredi miércoles",
    "thursday thurs thur thu donnerstag jeudi jueves",
    "friday fri freitag vendredi viernes",
    "saturday sat samstag samedi sábado",
    "sunday sun sonntag dimanche domingo",
)
WEEKDAYS = {name: number for number, names in enumerate(_WEEKDAY_NAMES) for name in names.split()}
_SHORT = "mon|tues?|weds?|thurs?|thu|fri|sat|sun"
WEEKDAY = "|".join(sorted((name for name in WEEKDAYS if len(name) > 5), key=len, reverse=True))

_COUNT_WORDS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
COUNTS = {word: number for number, word in enumerate(_COUNT_WORDS.split(), start=1)} | {
    "a": 1, "an": 1, "couple": 2, "a couple": 2, "a couple of": 2, "couple of": 2, "the": 1, "half": 0,
}  # fmt: skip
_ORDINAL_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth"
)
ORDINALS = {word: number for number, word in enumerate(_ORDINAL_WORDS.split(), start=1)} | {
    f"twenty{mark}{word}": 20 + number
    for number, word in enumerate(_ORDINAL_WORDS.split()[:9], start=1) for mark in ("-", " ")
} | {"thirtieth": 30, "thirty-first": 31, "thirty first": 31, "last": -1}  # fmt: skip
_ORDINAL = "|".join(sorted((word for word in ORDINALS if word != "last"), key=len, reverse=True))

RELATIVE_DAYS = {
    "today": 0, "yesterday": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1, "y'day": -1, "yday": -1,
    "the day before yesterday": -2, "day before yesterday": -2, "the day after tomorrow": 2, "day after tomorrow": 2, "heute": 0, "gestern": -1,
    "vorgestern": -2, "übermorgen": 2, "aujourd'hui": 0, "aujourd’hui": 0, "hier": -1, "avant-hier": -2, "demain": 1,
    "après-demain": 2, "hoy": 0, "ayer": -1, "anteayer": -2, "今天": 0, "今日": 0, "昨天": -1,
    "昨日": -1, "明天": 1, "明日": 1, "前天": -2, "后天": 2, "後天": 2,
}  # fmt: skip
_RELATIVE_DAY = "|".join(sorted(RELATIVE_DAYS, key=len, reverse=True))
#: Month and day of feasts that have a fixed one.
FEASTS = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "new year's eve": (12, 31),
    "new year’s eve": (12, 31), "new year's day": (1, 1), "new year’s day": (1, 1), "new year's": (1, 1),
    "halloween": (10, 31), "valentine's day": (2, 14), "valentine’s day": (2, 14), "independence day": (7, 4),
    "boxing day": (12, 26), "silvester": (12, 31), "heiligabend": (12, 24),
}  # fmt: skip
_FEAST = "|".join(sorted(FEASTS, key=len, reverse=True))
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

UNITS = {
    "sec": "second", "second": "second", "min": "minute", "minute": "minute", "hour": "hour", "hr": "hour", "h": "hour",
    "day": "day", "week": "week", "wk": "week", "fortnight": "fortnight", "weekend": "weekend", "month": "month",
    "quarter": "quarter", "year": "year", "yr": "year", "decade": "decade", "century": "century", "centurie": "century",
}  # fmt: skip
_UNIT = (
    r"(?:sec|second|min|minute|hour|hr|h|day|week|wk|fortnight|weekend|month|quarter|year|yr|decade|century|centurie)"
)
_COUNT = rf"(?:\d{{1,4}}|(?:a )?couple(?: of)?|{'|'.join(_COUNT_WORDS.split())}|an?)"
_YEAR = r"(?:1[0-9]|20|21)\d\d(?!\d)"
_ORD = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{_ORDINAL})"
_DAYNUM = rf"(?:\d{{1,2}}(?:st|nd|rd|th|er|\.)?(?!\d)|{_ORDINAL})"
_THIS = "last|past|previous|prior|this|current|next|coming|upcoming|following"

#: No \b around numbers: it sees no border between a digit and a Chinese character. What must stand before a lone month
#: or year is looked at afterwards: a lookbehind has one width.
# One form a line, each with what must not stand around it.
# ruff: noqa: E501
_FORM_LINES: dict[str, str] = {
    "days": rf"(?<![\w./-])(?:the\s)?{_DAYNUM}\s?(?:to|until|till|through|and|[-–])\s?(?:the\s)?{_DAYNUM}\s(?:of\s)?(?:{MONTH})(?!\w)"
    rf"(?:,?\s{_YEAR})?|(?<!\w)(?:{MONTH})\.?\s(?:the\s)?{_DAYNUM}\s?(?:to|until|till|through|and|[-–])\s?(?:the\s)?{_DAYNUM}"
    rf"(?!\w|[:.]\d)(?:,?\s{_YEAR})?",
    "iso": r"(?<![\w./-])\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\d-])",
    "basic": r"(?<![\w.:/-])20\d\d[01]\d[0-3]\d(?![\w-])",
    "isomonth": rf"(?<![\w./-]){_YEAR}-(?:0[1-9]|1[0-2])(?![\d-])",
    "slashed": r"(?<![\w./-])(?:\d{4}/\d{1,2}/\d{1,2}|\d{1,2}([/-])\d{1,2}\1(?:\d{4}|\d\d)|\d{1,2}/\d{1,2})(?![\w/-])",
    "dotted": rf"(?<![\w.])\d{{1,2}}\.\s?\d{{1,2}}\.(?:\s?{_YEAR})?(?![\w.]*\d)",
    "cjk": rf"(?<!\d)(?:(?:{_YEAR}\s?年\s?)?\d{{1,2}}\s?月(?:\s?\d{{1,2}}\s?[日号號])?|{_YEAR}\s?年(?!\s?\d))",
    "daymonth": rf"(?<![\w.])(?:(?:{WEEKDAY}|{_SHORT})\.?,?\s)?(?:the\s)?{_DAYNUM}\s?(?:of\s|de\s|-)?\s?(?:{MONTH})(?!\w)\.?"
    rf"(?:(?:,?\s?|\sof\s|\sin\s|\sdel?\s|-){_YEAR}|(?:\sof)?\s['’]?\d\d(?![\d:%.]|\s\w))?",
    "monthday": rf"(?<!\w)(?:(?:{WEEKDAY}|{_SHORT})[.,]?[\s-])?(?:{MONTH})\.?[\s-]?(?:the\s)?{_DAYNUM}"
    rf"(?!\w|\.\d|:\d|\s?[%€$])(?:(?:\s?,?\s|-|\s(?:of|in)\s){_YEAR})?",
    "monthyear": rf"(?<!\w)(?:{MONTH})\.?,?(?:\s|\sof\s|\sin\s|\sde\s|-|/){_YEAR}",
    "quarter": rf"(?<!\w)(?:{_YEAR}[\s-]?[QH][1-4](?!\w)|(?:(?:{_THIS})\s)?(?:Q[1-4]|H[12])(?:[\s/-]?(?:of\s)?(?:{_YEAR}|['’]\d\d))?(?!\w)"
    rf"|(?:the\s)?(?:first|second|third|fourth|last)\s(?:quarter|half)\sof\s(?:{_YEAR}|(?:{_THIS})\syear))",
    "ordinalunit": rf"(?<!\w)(?:the\s)?(?:{_ORDINAL}|last|\d{{1,2}}(?:st|nd|rd|th))\s(?:weekend|week|day|month)\s(?:of|in)\s"
    rf"(?:(?:the\s)?(?:{_THIS})\s(?:month|year|week|quarter)|(?:{MONTH})(?:\s{_YEAR})?|{_YEAR})",
    "weeknumber": rf"(?<!\w)(?:week|KW|calendar\sweek)\s(?:no\.?\s|\#)?\d{{1,2}}(?!\d)(?:(?:\sof|,|/)?\s?{_YEAR})?",
    "nthlast": rf"(?<!\w)(?:the\s)?(?:(?:last|past|previous|next|coming|upcoming|following)\s(?:few|several|{_COUNT})"
    rf"|(?:few|{_COUNT})\s(?:last|past|next|previous|upcoming|coming)(?=\s\w+s\b))\s{_UNIT}s?(?!\w)",
    "relative": rf"(?<!\w)(?:(?:the|this)\s)?(?:{_THIS})\s(?:{_UNIT}|night|morning|afternoon|evening"
    rf"|spring|summer|autumn|fall|winter|{MONTH}|{WEEKDAY}|{_SHORT})(?![\w'’])",
    "beforelast": rf"(?<!\w)the\s(?:{_UNIT}|{WEEKDAY})\s(?:before\slast|after\snext)(?!\w)",
    "weekof": r"(?<!\w)(?:(?:the\s)?(?:week|weekend)\s(?:of|commencing|beginning|starting)|w/c)(?!\w)",
    "day": rf"(?<!\w)(?:{_RELATIVE_DAY})(?!\w)|(?:今天|今日|昨天|昨日|明天|明日|前天|后天|後天)",
    "tonight": r"(?<!\w)tonight(?!\w)",
    "feast": rf"(?<!\w)(?:{_FEAST})(?!\w)(?:\s(?:of\s)?{_YEAR})?",
    "season": rf"(?<!\w)(?:spring|summer|autumn|fall|winter)\s(?:of\s)?{_YEAR}",
    "weekday": rf"(?<!\w)(?:{WEEKDAY}|(?:{_SHORT})\.?(?=\s(?:the\s)?\d|\sat\s\d))(?!\w)"
    r"(?:,?\s(?:the\s)?\d{1,2}(?:st|nd|rd|th)?(?!\w|:|[.]\d|-|\s?[ap]\.?m|\s\w+s\b))?",
    "nth": r"(?<=\bthe\s)(?:\d{1,2}(?:st|nd|rd|th))(?!\w)",
    "decade": r"(?<!\w)(?:the\s)?(?:early\s|mid-?\s?|late\s)?(?:(?:1[0-9]|20)\d0|['’]?[2-9]0)\s?['’]?s(?!\w)",
    "yearrange": rf"(?<![\w.,/$€£:-]){_YEAR}\s?[-–~]\s?{_YEAR}(?![\w%-])",
    "ago": rf"(?<!\w)(?:{_COUNT}|(?:a\s)?few|several|half\san)\s?{_UNIT}s?"
    r"(?=\s(?:ago|back|earlier|from\snow|from|hence|later|before|after|prior\sto)(?!\w))",
    "now": r"(?<!\w)(?:right\s)?now(?!\w)|(?:the\s)?current\sdate(?!\w)",
    "for": rf"(?<!\w)for\s(?:over\s|about\s|the\s(?:last|past)\s)?{_COUNT}\s(?:day|week|month|year)s?\snow(?!\w)",
    "in": rf"(?<!\w)(?:in|within\sthe\snext)\s(?:the\snext\s)?(?:{_COUNT}|half\san)\s?{_UNIT}s?(?!\w|\sof)",
    "month": rf"(?<!\w)(?:{_LONG_MONTH})(?![\w'’]|\s\d{{3}})",
    "year": rf"(?<![\w.,/$€£:#-]){_YEAR}(?![\w%]|[.,:/-]\d|\s?[€$%])",
    "clocks": r"(?<![\w.:/-])\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m)?\s?[-–]\s?\d{1,2}(?::\d\d)?\s?[ap]\.?m(?!\w)",
    "clock": r"(?<![\w.:/-])(?:\d{1,2}\.[0-5]\d\s?[ap]\.?m\b\.?|\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap](?:\.?m)?\b\.?|noon|midnight"
    r"|\d{1,2}\so['’]clock|\d{1,2})(?![\w/%]|-\d|:\d|\.\d)",
}  # fmt: skip
FORMS = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _FORM_LINES.items()).replace(r"\1", r"[/-]"),
                   re.IGNORECASE)  # fmt: skip
#: Whether it is worth looking at all.
HINT = re.compile(
    rf"\d|(?<!\w)(?:{_RELATIVE_DAY}|to(?:night|day)|{WEEKDAY}|{MONTH}|{_FEAST}|mornings?|evenings?|nights?|afternoons?|spring"
    rf"|summer|autumn|fall|winter|{_UNIT}s?|mon|tues?|wed|thurs?|fri|sat|sun)(?!\w)|今天|昨天|明天|今日|昨日|明日|前天|后天",
    re.IGNORECASE,
)
