"""The relations that the graph knows by name, and how a verb that stands in a text is brought to one of them.

The vocabulary is controlled where alike verbs are many ("heads", "leads", "is led by") and open where not: any other
verb is its own relation. The words of the statement are kept beside it in any case. Pure.
"""

import re

from memories.choices import EntityType

#: Each relation: the verbs that say it, and those that say it the other way round.
_SAID = {
    "leads": ("lead leads led head heads headed chair chairs chaired direct directs", "is led by, is headed by"),
    "manages": ("manage manages managed supervise supervises", "is managed by, is supervised by"),
    "reports_to": ("report to, reports to, reported to, answers to", "is reported to by"),
    "works_with": ("work with, works with, worked with, pairs with, collaborates with, collaborated with", ""),
    "works_for": (
        "work for, works for, worked for, work at, works at, worked at, is employed by, is employed at",
        "employs employed",
    ),
    "works_on": ("work on, works on, worked on, is working on, contributes to", ""),
    "member_of": ("joined joins, joined as, belongs to, is member of, is in team", ""),
    "owns": ("own owns owned", "is owned by, belongs to team"),
    "maintains": ("maintain maintains maintained", "is maintained by, is kept by"),
    "wrote": ("write writes wrote, has written", "is written by, was written by"),
    "built": ("build builds built made develops developed", "is built by, was built by, is developed by"),
    "founded": ("founded founds", "was founded by, is founded by"),
    "knows": ("know knows knew met meets, has met, have met", ""),
    "married_to": ("married, is married to", ""),
    "stands_in_for": ("stands in for, covers for, fills in for, stands for", ""),
    "mentors": ("mentor mentors mentored coaches", "is mentored by"),
    "lives_in": ("live in, lives in, lived in, moved to, lives at", ""),
    "located_in": (
        "is in, is located in, is at, lies in, sits in, is based in, is hosted in, is hosted at", "hosts hosted"
    ),
    "part_of": ("is part of, is included in", "contains includes"),
    "depends_on": ("depend on, depends on, relies on, requires needs", "is needed by, is required by"),
    "uses": ("use uses used", "is used by, was used by"),
    "calls": ("call calls", "is called by"),
    "runs_on": ("run on, runs on, ran on, is hosted on, is deployed on, is deployed to, deploys to", ""),
    "stores_in": ("stores in, is stored in, writes to, logs to, keeps in", ""),
    "supplies": ("supply supplies supplied delivers", "is supplied by"),
    "replaces": ("replace replaces replaced", "is replaced by, was replaced by"),
    "approves": ("approve approves approved", "is approved by, was approved by, are decided by, is decided by"),
    "speaks": ("speak speaks, speaks in", ""),
    "released_on": ("is released on, was released on, released on, shipped on, is available from", ""),
}  # fmt: skip


def _verbs(said: str) -> list[str]:
    """Single verbs stand side by side; those of several words stand between commas."""
    parts = [part.strip() for part in said.split(",")]
    return [verb for part in parts for verb in ([part] if _has_particle(part) else part.split())]


def _has_particle(part: str) -> bool:
    return bool(re.search(r"\b(?:to|with|for|at|by|on|of|in|as|from|written|met)\b", part))


_KNOWN = {
    verb: (relation, is_reversed)
    for relation, both in _SAID.items()
    for is_reversed, said in enumerate(both)
    for verb in _verbs(said)
}
#: Whoever does this, or has this done to them, is a person.
_PERSONAL = frozenset(
    (
        "leads", "manages", "reports_to", "works_with", "works_on", "works_for", "wrote", "mentors", "married_to",
        "stands_in_for", "lives_in", "speaks",
    )
)  # fmt: skip
_PERSONAL_VERBS = re.compile(
    r"^(?:prefers?|likes?|dislikes?|hates?|loves?|enjoys?|drinks?|asked|told|thinks?|wants?|hopes?|promised|suggested"
    r"|is on call|takes? over|graduated|studie[ds]|lives?|plays?|speaks?|retired|is allergic|goes on"
    r"|chairs?|reviews?)\b"
)
_PERSONAL_OBJECTS = frozenset(["reports_to", "works_with", "mentors", "married_to", "stands_in_for"])
_SERVICES = frozenset(["depends_on", "runs_on", "calls"])
_AUXILIARY = re.compile(r"^(?:(?:has|have|had|will|would|can|could|may|must|should|does|do|did) (?:be|been )?|to )")
_BE = re.compile(r"^(?:are|was|were|been|be|gets?|got)\b")


def relation_of(verb: str) -> tuple[str, bool] | None:
    """The relation that a verb says, and whether subject and object change places. None for a denial or no verb."""
    said = " ".join(verb.lower().split())
    if re.search(r"\b(?:not|never|no)\b|n['’]t\b", said):
        return None
    said = _BE.sub("is", _AUXILIARY.sub("", said))
    if said in _KNOWN:
        relation, is_reversed = _KNOWN[said]
        return relation, bool(is_reversed)
    plain = re.sub(r"\W+", "_", said).strip("_")[:64]
    return (plain, False) if plain and plain not in {"is", "has"} else None


def subject_type(verb: str, relation: str) -> EntityType | None:
    """What the subject of this verb must be, as far as the verb tells."""
    if relation in _PERSONAL or _PERSONAL_VERBS.match(verb.lower()):
        return EntityType.PERSON
    return EntityType.SERVICE if relation in _SERVICES else None


def object_type(relation: str) -> EntityType | None:
    """What the object of this relation must be."""
    if relation in _PERSONAL_OBJECTS:
        return EntityType.PERSON
    return EntityType.PLACE if relation == "lives_in" else None
