"""What of a session is worth reading: what people say and what the assistant did; no machine's output, no proposals.

Pure, and of the same length: what is not read is blanked, so a statement's place is its place in the raw text.
"""

import json
import re
from collections.abc import Iterator, Sequence
from unicodedata import normalize

from memories.reading.phrases import any_of

#: Who only carries what machines say, or what a program tells another.
_SILENT_ROLES = frozenset(
    [
        "tool",
        "tool_result",
        "tool_use",
        "tool_call",
        "function",
        "function_call",
        "system",
        "developer",
        "environment",
        "debug",
        "hook",
    ]
)
#: Who proposes: a program that answers.
_ANSWERING_ROLES = frozenset(["assistant", "ai", "model", "bot", "chatbot", "copilot", "llm"])

#: The name of the fence around what recall gives.
FENCE = "neuronz_memory"
_MACHINE_TAGS = (
    r"system-reminder|local-command-[\w-]++|command-[\w-]++|tool_[\w-]++|function_[\w-]++|task-notification"
    r"|environment_[\w-]++|ide_[\w-]++|bash-[\w-]++|user-prompt-submit-hook"
)
#: A mark holds no other mark, and what was taken is not given back: else a row of unclosed ones takes hours.
#: Blocks that run to their end mark, or to the end of the message where none comes.
_BLOCKS = (
    re.compile(rf"<(?P<tag>{FENCE})\b[^<>]*+>.*?(?:</(?P=tag)\s*>|\Z)", re.DOTALL | re.IGNORECASE),
    re.compile(rf"<(?P<tag>{_MACHINE_TAGS})\b[^<>]*+>.*?(?:</(?P=tag)\s*>|\Z)", re.DOTALL),
    re.compile(r"^[ \t]*(?P<fence>```+|~~~+).*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)", re.DOTALL | re.MULTILINE),
)
#: Lines of a stack trace, a log, a diff, a shell.
_MACHINE_LINE = re.compile(
    r"[ \t]+at [\w$.<>/\[\] ]+[(:].*"
    r'|[ \t]+File "[^"]*", line \d+.*'
    r"|(?:Exception in thread|Caused by:|goroutine \d+|thread '[^']*' panicked at|Segmentation fault).*"
    r"|(?:[\w$]+[.:])*\w*(?:Error|Exception|Warning)(?::.*)?"
    r"|[\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b.*"
    r"|(?:@@ |\+\+\+ |--- [ab]/|diff --git |index [0-9a-f]{7}).*"
    r"|[ \t]*(?:\$|[\w.-]+@[\w.-]+:[^$#\s]*[$#]) .*"
)
_TRACEBACK = re.compile(r"Traceback \(most recent call last\):")
_JSON_LINE = re.compile(r"""[ \t]*(?:[{}\[\]()]+,?|"[^"]*"(?:\s*:.*|,?)|[{\[].*[}\]],?)[ \t]*""")
_FEWEST_JSON_LINES = 3

_PROPOSALS = any_of(r"""
i (?:could|can|would|might|will|suggest|recommend|propose|am going to|['’]d), i['’](?:d|ll|m going to),
we (?:could|can|might|should), you (?:could|can|might|may), would you, do you want, shall (?:i|we), should (?:i|we),
want me to, let me, let['’]s, how about, what about, why not, maybe, perhaps, consider, alternatively,
(?:one|another|an?|the (?:best|other|simplest|safest)) (?:option|alternative|idea|approach|possibility|way),
option \w+, if you (?:want|like|prefer|wish|['’]d like), feel free, it (?:might|could|would|may) be,
it['’]s worth, happy to, my (?:suggestion|recommendation|proposal|idea), next i, ich (?:könnte|würde|schlage),
wir könnten, soll ich, sollen wir, möchten sie, möchtest du, vielleicht, je pourrais, on pourrait, voulez-vous,
veux-tu, podría, podríamos, quieres que
""")
_PROPOSED = re.compile(rf"(?:(?:so|then|also|first|next|or|and|now|ok|okay),? )*(?:{_PROPOSALS})(?!\w)", re.IGNORECASE)
_PROPOSED_ANYWHERE = re.compile(
    r"\b(?:you|we|i) (?:could|might|may) (?:also |instead |then )?(?:want|use|try|switch|move|add|consider|start)\b"
    r"|\bif you(?:['’]d| would)? (?:like|want|prefer)\b|\bworth (?:considering|trying|a try)\b"
    r"|\bi(?:['’]d| would)? (?:suggest|recommend|propose)\b|\bwould be (?:an? )?(?:better|good|nice|safer|option)\b",
    re.IGNORECASE,
)
#: What a line names, before a colon, that leads a list of things not done yet.
_LEADS_PROPOSALS = re.compile(
    r"\b(?:options?|suggest\w*|ideas?|alternatives?|possib\w+|could|might|recommend\w*|propos\w+|consider|next steps?"
    r"|plan|would|choices)\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*(?:[-*•–]|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)])\s+\S")
#: What a user wants done now; said of always, it is an instruction.
_ERRAND = re.compile(
    r"(?:please|pls|can you|could you|would you|go ahead)"
    r"(?! (?:note|remember|keep in mind|bear in mind|be aware|know|don['’]t forget)\b)[ ,]"
    r"|now,? (?:please|you|let|do|go|try|fix|run|add|make|write|show|check|change|update|remove|create|test)\b",
    re.IGNORECASE,
)
_STANDING = re.compile(r"\b(?:always|never|every|whenever|from now on|in future|by default|each time)\b", re.IGNORECASE)

_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_SPACELESS}]|(?:(?![{_SPACELESS}_])\w)+")
#: So many words in a row are no chance: fewer are said by anybody.
FEWEST_WORDS_OF_AN_ECHO = 4


def is_heard(role: str) -> bool:
    """Whether a role says anything by itself. Unknown ones do: a chat names its roles as it likes."""
    return role.strip().lower() not in _SILENT_ROLES


def audible(text: str, role: str) -> str:
    """The text with what is not read blanked, of the same length."""
    if not is_heard(role) or _is_json(text):
        return _blank(text)
    for block in _BLOCKS:
        text = block.sub(lambda match: _blank(match.group()), text)
    lines = text.splitlines(keepends=True)
    unread = set(_machine_lines(lines))
    if _answers(role):
        unread |= set(_proposed_items(lines))
    return "".join(_blank(line) if place in unread else line for place, line in enumerate(lines))


def is_claim(statement: str, role: str) -> bool:
    """Whether it is said to be so: no assistant's proposal, no errand of a user."""
    if _answers(role):
        return not (_PROPOSED.match(statement) or _PROPOSED_ANYWHERE.search(statement))
    return not _ERRAND.match(statement) or bool(_STANDING.search(statement))


class Echoes:
    """What was recalled in a session, to know it again when it is said once more."""

    def __init__(self, recalled: Sequence[str]) -> None:
        self._said = [words for words in map(words_of, recalled) if words]

    def repeats(self, statement: str, role: str) -> bool:
        """Whether a statement only says what was recalled: word for word, whatever its case, spaces and marks.

        An assistant also repeats in part or with a word before: "As far as I remember, …".
        """
        words = words_of(statement)
        if not _answers(role):
            return words in self._said
        return any(words == said or _holds(words, said) or _holds(said, words) for said in self._said)


def _holds(longer: str, shorter: str) -> bool:
    return shorter.count(" ") + 1 >= FEWEST_WORDS_OF_AN_ECHO and f" {shorter} " in f" {longer} "


def words_of(text: str) -> str:
    """The words alone, in their order: equal for texts that read alike whatever their case, spaces and marks."""
    return " ".join(_WORD.findall(normalize("NFC", text).casefold()))


def _answers(role: str) -> bool:
    return role.strip().lower() in _ANSWERING_ROLES


def _blank(text: str) -> str:
    return re.sub(r"[^\n\r]", " ", text)


def _is_json(text: str) -> bool:
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return False
    try:
        return isinstance(json.loads(stripped), dict | list)
    except (ValueError, RecursionError):
        return False


def _machine_lines(lines: list[str]) -> Iterator[int]:
    in_traceback = False
    run = 0
    for place, line in enumerate(lines):
        bare = line.rstrip()
        if in_traceback and bare and not line[0].isspace():
            in_traceback = False
            yield place  # the error it ends with
        elif _TRACEBACK.match(bare.lstrip()):
            in_traceback = True
        if in_traceback or _MACHINE_LINE.fullmatch(bare) or _is_json(bare):
            yield place
        run = run + 1 if bare and _JSON_LINE.fullmatch(bare) else 0
        if run >= _FEWEST_JSON_LINES:
            yield from range(place - _FEWEST_JSON_LINES + 1, place + 1)


def _proposed_items(lines: list[str]) -> Iterator[int]:
    leads = False
    for place, line in enumerate(lines):
        if _ITEM.match(line):
            if leads:
                yield place
        elif line.strip():
            is_heading = line.rstrip().endswith((":", "："))
            leads = is_heading and bool(_LEADS_PROPOSALS.search(line) or _PROPOSED.match(line))
