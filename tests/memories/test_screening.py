import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.screening import Masked, find, mask, storable

# Put together here so that no scanner of repositories takes them for real ones.
GITHUB = "ghp_" + "a1B2" * 9
NEURONZ = "nz_" + "0123456789ab" + "_" + "Ab-_" * 10 + "xyz"
JWT = "eyJ" + "hbGciOi1" * 3 + ".eyJ" + "zdWIiOjE" * 3 + "." + "c2ln-_x1" * 3
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIE" + "A1b2" * 20 + "\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("kind", "secret"),
    [
        ("AWS key", "AKIA" + "ABCDEFGH23456789"),
        ("GitHub token", GITHUB),
        ("GitHub token", "github_pat_" + "1aB" * 20),
        ("GitLab token", "glpat-" + "x1Y_" * 5),
        ("Slack token", "xoxb-" + "1234567890-abcdef"),
        ("Stripe key", "sk_live_" + "a1B2" * 6),
        ("OpenAI key", "sk-proj-" + "a1B2_" * 8),
        ("Anthropic key", "sk-ant-" + "api03-" + "a1B2" * 8),
        ("Google key", "AIza" + "Sy1-_" * 7),
        ("JWT", JWT),
        ("neuronz key", NEURONZ),
        ("private key", PEM),
    ],
)
@pytest.mark.parametrize(
    "around", ["{}", "Use {} for the deploy.", "密钥{}在这里", "key={}\n", '"{}",', "ключ «{}»", "กุญแจ{}ครับ"]
)
def test_a_key_is_masked_in_any_surroundings(kind: str, secret: str, around: str) -> None:
    assert mask(around.format(secret)).text == around.format(f"[masked: {kind}]")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("password = Tr0ub4dor&3", "password = [masked: password]"),
        ('{"dbPassword": "correct horse"}', '{"dbPassword": "[masked: password]"}'),
        ("**API key**: 9f8e7d6c5b4a", "**API key**: [masked: secret]"),
        ("export SERVICE_TOKEN=abc123def456", "export SERVICE_TOKEN=[masked: secret]"),
        ("密码：abc12345。请勿外传", "密码：[masked: password]。请勿外传"),
        ("Passwort: geheim99, Benutzer: ops", "Passwort: [masked: password], Benutzer: ops"),
        ("Authorization: Bearer a1b2c3d4e5f6g7h8i9", "Authorization: Bearer [masked: bearer token]"),
        ("postgres://app:s3cr@t@db.example:5432/x", "postgres://app:[masked: password in a URL]@db.example:5432/x"),
        ("redis://:hunter2@cache/0", "redis://:[masked: password in a URL]@cache/0"),
    ],
)
def test_only_the_value_of_an_assignment_is_masked(text: str, masked: str) -> None:
    assert mask(text).text == masked


@pytest.mark.parametrize(
    "text",
    [
        "The password policy requires 12 characters.",
        "Password: rotate it quarterly.",
        "The token bucket: requests above the limit wait.",
        "password: <your password>, token: ***, secret: $DB_SECRET, api_key: {{ key }}",
        "password=changeme  password: your-password  token: string",
        "password = settings.DB_PASSWORD; token=os.environ['TOKEN']; secret = get_secret()",
        "max_token: 128000",
        "密码：请联系管理员获取",
        "Commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad fixes it.",
        "Request 123e4567-e89b-12d3-a456-426614174000 failed.",
        "sha256 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "The wiki is at https://kb.example:8080/a@b and git@github.com:acme/site.git",
        "The vault word is marigold-77.",
        "Bearer authentication is described in the handbook of operations.",
        "A task-list of sk-learn-something-very-long-and-harmless.",
        "Card 4111 1111 1111 1111 belongs to the test suite.",
    ],
)
def test_ordinary_text_is_left_as_it_is(text: str) -> None:
    assert mask(text) == Masked(text, ())


def test_masks_point_into_the_original() -> None:
    text = f"a {GITHUB} b\npassword: hunter22 c"
    assert [text[start:end] for _, start, end in mask(text).masks] == [GITHUB, "hunter22"]
    assert [(one.kind, one.start, one.end) for one in find(text)] == list(mask(text).masks)


def test_a_key_that_was_cut_off_is_masked_as_far_as_it_goes() -> None:
    assert mask("-----BEGIN PRIVATE KEY-----\nMIIEabc\n").text == "[masked: private key]"


@given(st.text(alphabet="password:= ghp_sk-eyJ.@/密码\n1aA'\"", max_size=200))
def test_masking_twice_masks_nothing_more(text: str) -> None:
    once = mask(text)
    starts = [start for _, start, _ in once.masks]
    assert starts == sorted(starts)
    assert not any(kind not in {"password", "secret"} for kind, _, _ in mask(once.text).masks)


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "eyJ",
        "sk-",
        "a.",
        "a+",
        "http://a:",
        "bearer ",
        "password:",
        "-----BEGIN PRIVATE KEY-----\n",
        "1-",
        "密码",
        '"',
        "gh",
    ],
)
def test_a_megabyte_of_anything_is_screened_in_bounded_time(unit: str) -> None:
    text = (unit * (1_000_000 // len(unit) + 1))[:1_000_000]
    started = time.process_time()
    find(text)
    assert time.process_time() - started < 6


def test_what_cannot_be_stored_is_replaced_and_counted() -> None:
    assert storable("a\x00b\ud800c\udfffd 🙂") == ("a\ufffdb\ufffdc\ufffdd 🙂", 3)
    assert storable("plain") == ("plain", 0)
