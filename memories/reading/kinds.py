"""Kind and category of a statement, by rule: tables of cues, the first row that fits decides. English first.

Never Raw, Summary, Schema or Intention: those are not read from a sentence. Knowledge is called only where
the wording is plainly general, because Fact is the usual case and the smaller mistake. What a statement is given in
the end weighs these answers among others (labels.py).
"""

import re

from memories.choices import Category, Kind
from memories.reading.phrases import any_of, words
from memories.reading.tokens import COMMON, stem

_ROLES = any_of("""
head, lead, leader, manager, director, officer, chair\\w*, owner, co-owner, maintainer, engineers?, developer,
designer, lawyer, analyst, agent, assistant, doctor, dentist, nurse, teacher, student, captain, treasurer, secretary,
members?, landlord, tenant, customer, supplier, vendor, partner, subsidiary, replica, substitute, deputy, sponsor,
founder, firefighter, driver, wife, husband, brother, sister, mother, father, son, daughter, siblings, accountant,
boss, cluster, volunteer, ceo, cto, cfo
""")
_ROLE = re.compile(
    rf"(?:\b(?:is|are|was|am)|['’]m) (?:(?!in |on |at |not )[\w.'’-]+ ){{0,5}}?(?:{_ROLES})(?!\w)", re.IGNORECASE
)
#: "The interim lead of QA is Abdi."
_NAMED_ROLE = re.compile(rf"\b(?:{_ROLES}) (?:\w+ ){{0,4}}(?:is|are) (?:now )?(?:(?:Dr|Mr|Ms|Mrs)\.? )?[A-ZÀ-Þ]")
_IDENTITY = words("""
leitet, gehört zu, gehört dem, ist verheiratet mit, arbeitet bei, heißt, vertritt,
ist (?:der|die|unser[ae]?) (?:leiter|chef)(?:in)?,

dirige, appartient à, est mari[ée]+ avec, travaille (?:chez|pour), s['’]appelle, est l[ea] responsable, pertenece a,
está casad[oa] con, trabaja (?:en|para), se llama, es l[ea] (?:responsable|jef[ea]),
manages, heads, leads, chairs, owns, belongs to, reports to, works (?:at|for) [A-Z]\\w+, serves as, works as, acts as,
maintains, owned by, led by, consists of, married to, is part of, is named, is called, nickname, internal name,
short name, used to be called, (?:was|formerly) known as, stands for, is short for, everybody calls, formerly known as
""")
#: What only people have.
_PERSONAL = words("""
lives? (?:in|at), comes? from, was born, left-handed, right-handed, vegetarian, vegan, allergic, birthday, birthplace,
favou?rite, pronouns, blood type, likes, (?:i|users?|really) like, loves?, hates?, prefers?, dislikes?, would rather,
speaks?,
wohnt in, kommt aus, geboren, vegetarier(?:in)?, allergisch, lieblings[a-zäöüß]+, bevorzugt, mag, spricht,
isst keinen?, hasst,
habite (?:à|au|en), vient de, végétarien(?:ne)?, préfère, préférée?, aime, déteste, parle, vive en, es de, prefiere,
favorit[oa], le gusta, odia, habla, vegetarian[oa], alérgic[oa], allergique,
understands, wears?, (?:doesn['’]t|don['’]t|can['’]t|does not|do not|cannot) (?:eat|drink|like|stand), morning person
""")
_ATTRIBUTE = words("""
(?:hat|haben) (?:ihren|seinen) sitz, hauptsitz, lauscht auf, telefonnummer, adresse, anschrift, farbe, zeitzone,
sprache,
siège, écoute sur, numéro, adresse, couleur, fuseau, langue, sede, escucha en, número, dirección, color, idioma,
(?:is|are) based in, has its seat, is located, can be reached, preferred, phone, fax, e-?mail address, extension,
address is, number is, colou?r, font, time ?zone, language, licen[sc]e, channel is, listens on port,
is (?:white|black|red|blue|green|brown|orange|grey|yellow), (?:is|comes|are) in (?:english|german|french|spanish|dutch)
""")
#: What ties a sentence to one house, person or moment.
_HOUSE = words("""
our, we, us, the user, the user['’]s, this, these, i, my, me, today, yesterday, now, currently, last, since, next
""")
_NAME_INSIDE = re.compile(r"(?<=[\w,;:] )[A-ZÀ-Þ][a-zß-ÿ]+|\d{3,}")
_CLASS_NOUN = any_of("""
share, way, time, number, set, process, technique, rate, measure, series, kind, type, form, method, practice, bug,
statement, stand-in, condition, release, protocol, standard, language, format, tool, unit, concept, program, part
""")
_DEFINITION = re.compile(
    rf"(?:An? )?[\w/-]+(?: [\w/-]+){{0,4}} (?:is|are) (?:an? |the )(?:[\w-]+ ){{0,2}}(?:{_CLASS_NOUN})s?\b"
    r"|An? [\w-]+(?: [\w-]+){0,3} (?:is|lets|means|goes|makes|blocks)\b|[A-Z][\w-]+ means that\b|[A-Z]{3,5} lets\b"
)
#: "Garbage collectors free memory": a bare plural and one of the verbs that generalities are made of.
_BARE_PLURAL = re.compile(
    r"[A-Z][a-z]*(?:-\w+)?(?: [a-z]+){0,2}(?<=s)"
    r" (?:make|lose|free|become|stay|cause)\b"
    r"(?! (?:to|[a-z]+ed)\b)"
)

_OTHER = words("""
noch zu erledigen:, zu erledigen:, glaubt, hofft, befürchtet, vermutet, bezweifelt, hält .{1,40} für, à faire :, croit,
espère, craint, doute, pendiente:, cree que, espera que, teme,
to do:, todo:, still to be done, action item, thinks, believes, reckons, considers, guess is, hopes, fears, wishes,
suspects, doubts, said, quoted, saying goes, (?:can|is to) be found on, would love
""")
_TERM = words("""
means, stands for, is short for, short name, internal name, nickname, refers to, used to be called,
(?:was|formerly) known as, everybody calls, describes, abbreviation, is defined as, marks an?
""")
_INITIALS = re.compile(r"[A-Z]{2,6} (?:=|is (?:the|an?)) ")
_INSTRUCTION = words("""
bitte, niemals, nie, immer, veuillez, ne jamais, toujours, il faut, por favor, nunca, siempre, hay que,
please, never, always, don['’]t, do not, remember to, make sure, ask, use, run, answer, send, keep, avoid, wash,
quote, escape, lift, turn, remind, post, check, set, when [a-z]+ing, before (?:an?|you), to [a-z]+ .{1,60}?, run
""")
_DUTY = words("""
muss, müssen, darf (?:nicht|nur), dürfen (?:nicht|nur), ist zu, sind zu, doit, doivent, ne peut pas, il faut,
debe, deben,
hay que, no se puede, deve, devono, devem, moeten,
must, have to, has to, may not, should, shall, need to, needs?(?: the)? approval, need an?, is mandatory,
(?:is|are) required, (?:is|are) not allowed, (?:is|are) forbidden, (?:is|are) (?:sent|returned|handed|answered|reviewed)
""")
_HABIT = words("always, never, usually, tends? to, every (?:day|week|month|morning|evening|sunday), mentors")
_USER = (
    "[Tt]he user|I|My|De[rn] Nutzer|Die Nutzerin|Ich|L['’]utilisat(?:eur|rice)|Je|El usuario|La usuaria|Yo"
    "|L['’]utente|De gebruiker"
)
_PERSON = re.compile(rf"(?:(?P<user>{_USER})|(?P<name>[A-ZÀ-Þ][a-zß-ÿ]+(?:-[A-ZÀ-Þ]?[a-zß-ÿ]+)*)(?:['’]s)?)(?=['’]| )")
_USER_SPACELESS = re.compile("用户|用戶|ユーザー")
#: Capitalised at the beginning of a sentence, and nobody's name.
_NO_PERSONS = frozenset(
    ["Customer", "Customers", "No", "Since", "Until", "Users", "Nobody", "Everyone", "People", "Please"]
)
#: Verbs as they follow a plural, which is no person's name.
_OF_MANY = frozenset(["live in", "live at", "come from", "love", "hate", "prefer", "speak"])
#: "Ines Varga almost never …"
MOST_WORDS_BETWEEN = 2
_ANSWERERS = frozenset(["assistant", "ai", "bot", "system", "agent"])
_USERS = frozenset(["user", "human"])


def kind(text: str) -> Kind:
    if _ROLE.search(text) or _NAMED_ROLE.search(text) or _IDENTITY.search(text):
        return Kind.IDENTITY
    if _PERSONAL.search(text) or _ATTRIBUTE.search(text):
        return Kind.BASIC
    return Kind.KNOWLEDGE if _is_general(text) else Kind.FACT


def _is_general(text: str) -> bool:
    if _HOUSE.search(text) or _NAME_INSIDE.search(text):
        return False
    return bool(_DEFINITION.match(text) or _BARE_PLURAL.match(text))


def category(text: str) -> Category:
    if _OTHER.search(text):
        return Category.OTHER
    if _INSTRUCTION.match(text) or _DUTY.search(text):
        return Category.INSTRUCTION
    if _TERM.search(text) or _INITIALS.match(text) or (_is_general(text) and _DEFINITION.match(text)):
        return Category.TERM
    if person(text):
        return Category.PERSONA
    return Category.ENTITY if kind(text) in {Kind.IDENTITY, Kind.BASIC} else Category.FACT


def person(text: str, speaker: str | None = None) -> str | None:
    """Whose trait, habit or preference this is: the user's, the speaker's ("I"), or a named person's.

    The user's role and kin are traits as well; of other people they describe an entity.
    """
    match = _PERSON.match(text)
    if not match or (match["name"] and (stem(match["name"]) in COMMON or match["name"] in _NO_PERSONS)):
        return None
    if match["name"]:
        return _as_spelt(match["name"], speaker) if _tells_of_one(text[match.end("name") :]) else None
    is_kin_or_thing = text[match.end() :].startswith(("'", "’")) and not _PERSONAL.search(text)
    is_trait = kind(text) in {Kind.BASIC, Kind.IDENTITY} or _HABIT.search(text)
    return _first_person(match["user"], speaker) if is_trait and not is_kin_or_thing else None


def subject_of_trait(text: str, speaker: str | None = None) -> str | None:
    """Whom a statement is about that is known to tell a trait, by how it begins."""
    match = _PERSON.match(text)
    if not match:
        return "user" if _USER_SPACELESS.match(text) else None
    if match["user"]:
        return _first_person(match["user"], speaker)
    name = match["name"]
    if stem(name) in COMMON or name in _NO_PERSONS:
        return None
    spelt = _as_spelt(name, speaker)
    return None if spelt == name and re.search(r"-[a-zß-ÿ]", name) else spelt  # "Self-hosted …"


def cues(text: str) -> set[str]:
    """What the rules say, as features of the model that decides."""
    of_kind, of_category = kind(text), category(text)
    told = {f"kind={of_kind}", f"category={of_category}", f"both={of_kind} {of_category}"}
    for name, is_there in (
        ("#person", person(text)),
        ("#house", _HOUSE.search(text)),
        ("#name inside", _NAME_INSIDE.search(text)),
        ("#definition", _DEFINITION.match(text)),
    ):
        if is_there:
            told.add(name)
    return told


def _tells_of_one(rest: str) -> bool:
    """Whether a trait or habit follows the name at once, and is one person's: not so in "Agents prefer …"."""
    told = _PERSONAL.search(rest) or _HABIT.search(rest)
    if not told or told[0].lower() in _OF_MANY:
        return False
    between = rest[: told.start()]
    if between.split()[:1] in (["are"], ["were"], ["have"]):
        return False
    return len(between.split()) <= MOST_WORDS_BETWEEN and not any(mark in between for mark in ",;:.")


def _as_spelt(name: str, speaker: str | None) -> str:
    """A speaker whose name begins the sentence is one person with the speaker: "Bo-li prefers …", by "bo-li"."""
    return speaker if speaker and speaker.casefold() == name.casefold() else name


def _first_person(subject: str, speaker: str | None) -> str | None:
    """ "I" is who speaks. What a program says of itself is nobody's trait."""
    if not speaker or subject.lower() == "the user" or speaker.lower() in _USERS:
        return "user"
    return None if speaker.lower() in _ANSWERERS else speaker
