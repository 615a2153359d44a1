# ruff: noqa: E501  # each pattern is one line
"""Words and forms that tell a name, and what kind of thing it names."""

import re

#: The model's labels and our kinds; what is not here (numbers, amounts) names nothing.
LABELS = {
    "PERSON": "person", "ORG": "organisation", "GPE": "place", "LOC": "place", "FAC": "place", "NORP": "other",
    "PRODUCT": "product", "WORK_OF_ART": "document", "EVENT": "other", "LAW": "document", "LANGUAGE": "other",
    "DATE": "date",
}  # fmt: skip
CODE = re.compile(
    r"https?://[^\s<>\"')]*[\w/]|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|(?<!\w)@[a-z][\w-]*\w|(?<!\w)#\d+"
    r"|(?<![\w/.-])(?:[A-Z]{2,}-\d+|[A-Za-z]+-\d+(?:-[A-Z0-9]+)*|[a-z]+(?:[-_][a-z0-9]+)*[._/][a-z0-9]+(?:[._/-][a-z0-9]+)*"
    r"|[a-z]+_[a-z0-9_]+|[A-Z][A-Z0-9]*_[A-Z0-9_]+|v?\d+\.\d+(?:\.\d+)+|[A-Z]+\d+[A-Z0-9]*)(?![\w/-])"
    r"|`[^`\n]{1,60}`"
)
DATED = re.compile(
    r"(?<!\w)(?:\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December))(?!\w)"
)
LEADING = re.compile(r"(?:the|a|an|this|our|its|their|his|her)\s", re.IGNORECASE)
TITLE = re.compile(r"(?:^|\W)(?:Mr|Mrs|Ms|Dr|Prof|Frau|Herr|Mme|Sir|Lady)\.?\s$")
_NO_NAME = """
i, ok, okay, yes, no, monday, tuesday, wednesday, thursday, friday, saturday, sunday, january, february, march,
april, may, june, july, august, september, october, november, december, mon, tue, wed, thu, fri, sat, sun, todo,
note, hi, hello, thanks, it, the, today, tomorrow, yesterday, please, mr, mrs, ms, dr, decision, action, cause,
status, owner, new, changed, fixed, lol, lmao, lmfao, xd, wtf, omg, af, kk, dude, dad, mom, mother, wow, boo,
hype, damn, nice, video, best, super, awesome, bad
"""
NO_NAME = frozenset(word.strip() for word in _NO_NAME.replace("\n", " ").split(","))
_STARTERS = """
however although though while when since after before because if as at in on for from with without during about
by once until unless our my your his her their its this that these those there here it he she they we you i what
which who how why not no yes all any some most many each every both either neither another other such only just
also then thus so but and or decided confirmed promised adding asked using running please note see use run
updated added removed fixed changed new existing according based born founded located following including
despite via per today yesterday tomorrow now currently recently last next customer customers users people
everyone nobody someone something nothing everything
"""
COMMON_STARTERS = frozenset(_STARTERS.split())
ORGANISATION = re.compile(
    r"\b(?:Inc|Ltd|LLC|GmbH|AG|Corp|Corporation|Company|Group|Institute|University|College|School|Schools|Foundation|Trust|Bank|Labs?"
    r"|Studio|Studios|Systems|Association|Society|Council|Committee|Ministry|Agency|Press|Records|Union|Party|e\.V|Bäckerei|Verein"
    r"|Partners|Hospital|Church|Museum|Garden|Gardens|Network|Institution|Authority|Commission|Services|Freight|Collective|Club)\b"
)
PLACE = re.compile(
    r"\b(?:City|River|Lake|Mount|Mountains?|Island|Islands|Street|Road|Avenue|Bay|Valley|County|Bridge|Square|Beach|Park)\b|(?:weg|straße|strasse)\b"
)
TEAM = re.compile(
    r"(?<!\w)(?P<name>(?:Team|Squad)\s[A-Z]\w+|(?:[A-Z]\w+|(?!(?:the|a|an|my|our|her|his|their|its|this|that|each|every|by|per|any|one)\s)[a-z]+)\s(?:team|squad|crew|guild|department|group))(?!\w)"
)
DOCUMENT = re.compile(
    r"(?<!\w)(?P<name>(?:ADR|RFC|PR|INC|SEV|Ticket|Case|ticket|case|form|Form)[\s-]#?[A-Z]?-?\d+|(?:[a-z]+\s){0,1}(?:policy|runbook|handbook|spec|report|contract|invoice))(?!\w)"
)
SERVICE = re.compile(
    r"(?<!\w)(?P<name>(?:[A-Za-z][\w-]*\s)(?:service|gateway|queue|cluster|server|database|pipeline|API|portal|processor|dashboard))(?!\w)"
)
PRODUCT = re.compile(
    r"(?<!\w)(?P<name>[A-Z][\w-]*(?:\s[A-Z][\w-]*)*\s(?:plan|app|firmware|package|edition)|(?:release|firmware|version|build|bootloader)\sv?\d+(?:\.\d+)*)(?!\w)"
)
TERM = re.compile(r"[\"“„](?P<name>[A-Za-z][\w -]{1,40})[\"”“]")
USER = re.compile(
    r"(?P<name>[Tt]he user(?:['’]s (?:mother|father|brother|sister|wife|husband|son|daughter|talk|dinner))?)(?!\w)"
)
_ROLES = "CEO CTO CFO COO CIO VP President Professor Minister Director Mayor Captain Judge Bishop King Queen"
ROLES = frozenset(_ROLES.split())
ROLE = re.compile(rf"(?:{'|'.join(sorted(ROLES))})\s(?=[A-Z])")
#: General abbreviations: terms, nobody's names.
_ACRONYMS = "API PDF XML JSON HTML CSS CI CD SQL HTTP HTTPS URL CPU GPU RAM SSD CSV YAML UI UX SDK CLI DNS TLS SSH VPN"
ACRONYMS = frozenset(_ACRONYMS.split())
