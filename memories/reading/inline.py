"""Markdown inside a passage: what must not be torn apart, and how its marks are taken off.

Every pattern is linear on any input: a repetition stops at the character that could start the next match.
"""

import html
import re

#: Fills the place of escapes that were longer than their character (jsonl.py): the word joiner.
PAD = "\u2060"

_TARGET = r"(?:[^()\s\[]|\([^()\s\[]{0,200}\)){0,500}"
_LINK_TAIL = rf'\(\s{{0,3}}<?{_TARGET}>?(?:\s{{1,3}}"[^"\n\[]{{0,200}}")?\s{{0,3}}\)'
_IMAGE = re.compile(rf"!\[[^\[\]]{{0,1000}}\](?:{_LINK_TAIL}|\[[^\[\]\n]{{0,200}}\])")
_LINK = re.compile(rf"(?<!!)\[([^\[\]]{{0,1000}})\](?:{_LINK_TAIL}|\[[^\[\]\n]{{0,200}}\])")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`]+)\1(?!`)")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,40}\]:?")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^\s<>]{1,2000})>")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]{0,30}(?:\s[^<>]{0,1000})?/?>")
_STRUCK = re.compile(r"~~[^~\n]{1,1000}~~[^\S\n]?")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_DELIMITER = re.compile(r"(?<!\\)(?:\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))")
_QUOTED = re.compile(r'"[^"\n]{1,300}"|„[^“”\n]{1,300}[“”]|“[^”\n]{1,300}”|«[^»\n]{1,300}»|「[^」\n]{1,300}」')

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff，。！？；：、「」"
_WRAPPED_CJK = re.compile(rf"(?<=[{_CJK}])\n[ \t]*(?:>[ \t]?)*(?=[{_CJK}])")
_LINE_START = re.compile(r"\r?\n[ \t]*(?:>[ \t]?)*|\r")
#: Also a mark inside a paragraph, where Markdown sees no list.
_ITEM_MARK = re.compile(r"^[\s>]*(?:[-*+•–]\s+)?(?:\[[ xX]\]\s+)?")


_REFERENCE = re.compile(r"\s*\[(?!\^)[^\[\]\n]{1,200}\]:\s*\S+\s*(?:[\"'(][^\n]*)?$")
_URL_ALONE = re.compile(r"[\W_]*(?:https?://|www\.)\S+\s*$")


def is_bare_link(passage: str) -> bool:
    """A link, or the definition of one, and nothing else says nothing."""
    if _URL_ALONE.match(passage) or _REFERENCE.match(passage):
        return True
    return bool(_LINK.fullmatch(_ITEM_MARK.sub("", passage.strip(), count=1)))


def marks_length(passage: str) -> int:
    """How much of the passage is marks of quotes and lists before its first word."""
    match = _ITEM_MARK.match(passage)
    return match.end() if match else 0


def protected(passage: str) -> list[tuple[int, int]]:
    """Spans that no sentence border may cut: code, links and what stands in quotation marks, in order."""
    spans = [
        match.span() for pattern in (_CODE, _IMAGE, _LINK, _AUTOLINK, _QUOTED) for match in pattern.finditer(passage)
    ]
    return sorted(spans)


def cleaned(passage: str) -> str:
    """The passage as it reads: no marks, link targets, images or struck-out words; white space collapsed."""
    text = _WRAPPED_CJK.sub("", passage.replace(PAD, ""))
    text = _LINE_START.sub(" ", text)
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    parts = _CODE.split(text)  # plain, ticks, code, plain, ticks, code, ..., plain
    parts[0::3] = [_without_marks(part) for part in parts[0::3]]
    parts[1::3] = [""] * len(parts[1::3])
    return " ".join("".join(parts).split())


def _without_marks(text: str) -> str:
    text = _FOOTNOTE.sub("", _STRUCK.sub("", text))
    text = _TAG.sub("", _AUTOLINK.sub(r"\1", text))
    text = _without_emphasis(text)
    return html.unescape(_ESCAPE.sub(r"\1", text))


def _without_emphasis(text: str) -> str:
    """Takes off paired runs only: a lone star, as in `release/*`, is part of what was said."""
    marks: list[tuple[int, int]] = []
    opened: dict[str, tuple[int, int]] = {}
    for match in _DELIMITER.finditer(text):
        run, (start, end) = match.group(), match.span()
        if run in opened and not text[start - 1].isspace():
            marks += [opened.pop(run), (start, end)]
        elif end < len(text) and not text[end].isspace():
            opened[run] = (start, end)
    return _cut(text, sorted(marks))


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    kept, position = [], 0
    for start, end in spans:
        kept.append(text[position:start])
        position = end
    return "".join([*kept, text[position:]])
