"""Credentials in content, found before anything is stored, and characters that cannot be stored.

Pure: the caller decides by the product's setting whether to mask or to refuse. Card numbers and other
personal data are left alone: a memory may rightly hold them, and erasing them is a person's act.

Borders are written as ASCII look-arounds and never as \\b, which sees no border between `key` and 密钥.
Every repetition is bounded or stops at a character that cannot start a match, so time stays linear.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NOT_AFTER = r"(?<![A-Za-z0-9_-])"
_NOT_BEFORE = r"(?![A-Za-z0-9_-])"
_WITH_A_DIGIT = r"(?=[A-Za-z0-9._~+/-]{0,255}\d)"


@dataclass(frozen=True, slots=True)
class Secret:
    """What was found and where: characters of the text as it came."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Masked:
    """The text with each secret replaced; `masks` point into the original."""

    text: str
    masks: tuple[tuple[str, int, int], ...]


def _token(pattern: str) -> re.Pattern[str]:
    return re.compile(f"{_NOT_AFTER}(?P<secret>{pattern}){_NOT_BEFORE}")


#: Shapes that cannot be mistaken. The first that fits a place names the kind.
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("neuronz key", _token(r"nz_[0-9a-f]{12}_[A-Za-z0-9_-]{43}")),
    ("AWS key", _token(r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}")),
    ("GitHub token", _token(r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}")),
    ("GitLab token", _token(r"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20,255}")),
    ("Slack token", _token(r"xox[abeoprs]-[A-Za-z0-9-]{10,255}|xapp-\d-[A-Za-z0-9-]{10,255}")),
    ("Slack webhook", re.compile(r"https://hooks\.slack\.com/(?P<secret>services/[A-Za-z0-9/_-]{20,200})")),
    ("Stripe key", _token(r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9]{20,255}")),
    ("Anthropic key", _token(r"sk-ant-[A-Za-z0-9_-]{20,255}")),
    ("OpenAI key", _token(rf"sk-{_WITH_A_DIGIT}(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{{20,255}}")),
    ("Google key", _token(r"AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{20,1000}")),
    ("npm or PyPI token", _token(r"npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,255}")),
    ("JWT", _token(r"eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}")),
    (
        "bearer token",
        re.compile(
            rf"(?<![A-Za-z])bearer[ \t]{{1,4}}(?P<secret>{_WITH_A_DIGIT}[A-Za-z0-9._~+/-]{{16,4000}}={{0,2}})",
            re.IGNORECASE,
        ),
    ),
)
_PEM_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"[A-Za-z0-9+/=\s\\]*")
_LONGEST_PEM = 10_000
_URL = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@<>\"']{0,200}:(?P<secret>[^\s/<>\"']{1,200})@",
    re.IGNORECASE,
)
#: `password: hunter22`, `"api_key": "…"`, `dbPassword=…`, `密码：…`. The value decides whether it is one.
_ASSIGNMENT = re.compile(
    r"(?:(?P<pass>password|passwd|pwd|passphrase|passwort|kennwort|contraseña|密码|密碼|口令|パスワード|비밀번호|пароль)"
    r"|secret|api[_ -]?key|token|credentials?|access[_ -]?key(?:[_ -]?id)?"
    r"|(?:secret|private|auth|account)[_ -]?key|密钥)"
    r"[\"'`*]{0,3}[ \t]{0,4}(?:=>|:=|[:=：＝])[ \t]{0,4}"
    r"(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{6,500})(?P=quote)"
    r"|[\"'`*]{0,3}(?P<bare>[^\s\"'`,;，；。、]{6,500})(?P<after>[ \t]{1,4}[A-Za-z]{2})?)",
    re.IGNORECASE,
)
#: Places for a value, types and well-known defaults (`changeme` opens nothing that matters).
_PLACEHOLDER = re.compile(
    r"[<\[({$%*•#].*|[xX.*•_-]+|(?:change|replace|edit)[_-]?(?:me|this|it)\W*|(?:your|my|some|the|an?)[_-].*|todo.*"
    r"|.*(?:example|placeholder|redacted|masked|dummy).*|pass|passwo?rd|passwd|secret|token|string|bytes|optional\b.*"
    r"|required|undefined|hidden|removed|nothing|unknown|https?://.*",
    re.IGNORECASE | re.DOTALL,
)
#: `settings.DB_PASSWORD`, `os.environ[...]`, `getpass()`: where the value comes from.
_REFERENCE = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+)+\W*|[A-Za-z_.]+[(\[].*", re.DOTALL)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
#: Control characters that no text uses, and the sign for what could not be decoded.
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]")
#: A slip of the encoding leaves fewer, compressed or compiled bytes leave more.
_FEWEST_IN_A_BLOB, _SHARE_IN_A_BLOB = 16, 0.15


def find(text: str) -> list[Secret]:
    """All secrets in the order of the text, none inside another."""
    found: list[Secret] = []
    for secret in sorted(_all(text), key=lambda one: (one.start, -one.end)):
        if not found or secret.start >= found[-1].end:
            found.append(secret)
    return found


def mask(text: str) -> Masked:
    found = find(text)
    parts, position = [], 0
    for secret in found:
        parts += [text[position : secret.start], f"[masked: {secret.kind}]"]
        position = secret.end
    masks = tuple((secret.kind, secret.start, secret.end) for secret in found)
    return Masked("".join([*parts, text[position:]]), masks)


def storable(text: str) -> tuple[str, int]:
    """The text with what PostgreSQL cannot store (NUL, lone surrogates) as U+FFFD, and how many there were."""
    return _UNSTORABLE.subn("\ufffd", text)


def is_binary(text: str) -> bool:
    """ "A binary blob that came through as text": there is nothing to read in it."""
    odd = len(_NO_TEXT.findall(text))
    return odd >= _FEWEST_IN_A_BLOB and odd > _SHARE_IN_A_BLOB * len(text)


def _all(text: str) -> Iterator[Secret]:
    yield from _private_keys(text)
    for kind, pattern in _SHAPES:
        for match in pattern.finditer(text):
            yield Secret(kind, *match.span("secret"))
    for match in _URL.finditer(text):
        if not _PLACEHOLDER.fullmatch(match["secret"]):
            yield Secret("password in a URL", *match.span("secret"))
    for match in _ASSIGNMENT.finditer(text):
        if _is_a_value(match):
            span = match.span("quoted" if match["quoted"] else "bare")
            yield Secret("password" if match["pass"] else "secret", *span)


def _private_keys(text: str) -> Iterator[Secret]:
    """Whole blocks. One that was cut off is a secret as far as it goes."""
    position = 0
    while begin := _PEM_BEGIN.search(text, position):
        closing = _PEM_END.search(text, begin.end(), begin.end() + _LONGEST_PEM) or _PEM_BODY.match(text, begin.end())
        position = closing.end() if closing else begin.end()
        yield Secret("private key", begin.start(), position)


def _is_a_value(match: re.Match[str]) -> bool:
    """Whether an assigned value is a secret and not a placeholder, a reference or the next word of a sentence."""
    value = match["quoted"] or match["bare"]
    if _PLACEHOLDER.fullmatch(value) or _REFERENCE.fullmatch(value):
        return False
    if not any(letter.isascii() and letter.isalnum() for letter in value):
        return False  # 密码：请联系管理员
    if value.isalpha() and match["after"]:
        return False  # "password: rotate quarterly"
    return bool(match["pass"]) or not value.isdigit()  # "max token: 128000"
