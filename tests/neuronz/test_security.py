"""What browsers may do with our pages, how people sign in, and what Django says of production settings."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import Client

from memories.actors import Actor
from neuronz import signing_in, throttling
from tests.api.door import Door

ROOT = Path(__file__).resolve().parent.parent.parent
INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>|\son[a-z]+\s*=|javascript:", re.IGNORECASE)


@pytest.fixture(autouse=True)
def nobody_guessed_yet() -> None:
    cache.clear()


@pytest.fixture
def admin(db: None) -> Client:
    get_user_model().objects.create_superuser("root", password="correct horse")
    client = Client()
    client.login(username="root", password="correct horse")
    return client


# --- production settings


def test_check_deploy_is_clean_under_production_settings(tmp_path: Path) -> None:
    environment = {
        **os.environ, "NEURONZ_PUBLIC_URL": "https://neuronz.example.org", "NEURONZ_DATA_DIR": str(tmp_path),
        "NEURONZ_ALLOWED_HOSTS": "neuronz.example.org", "NEURONZ_TRUSTED_ORIGINS": "https://neuronz.example.org",
        "NEURONZ_SECRET_KEYS": "k" * 43,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "check", "--deploy", "--fail-level", "WARNING"],
        check=False, capture_output=True, text=True, env=environment,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


# --- content security policy


def test_answers_for_programs_may_do_nothing_in_a_browser(a1_key: str) -> None:
    for path in ("/api/v1/facts/", "/healthz", "/api/schema/"):
        policy = Client().get(path).headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")


def test_no_page_runs_a_script_that_stands_in_it(admin: Client, a1: Actor) -> None:
    pages = ("/admin/", "/admin/login/", "/api/docs/", "/admin/memories/memory/", "/admin/conflicts/conflict/",
             "/admin/memories/product/", "/admin/memories/write/", "/admin/auth/user/add/")  # fmt: skip
    for path in pages:
        response = admin.get(path, follow=True)
        policy = response.headers["Content-Security-Policy"]
        script = next(part for part in policy.split("; ") if part.startswith("script-src"))
        assert (path, response.status_code, "unsafe-inline" in script) == (path, 200, False)
        assert (path, INLINE.findall(response.content.decode())) == (path, [])


def test_pages_are_in_no_frame_and_are_not_guessed_at(admin: Client) -> None:
    headers = admin.get("/admin/").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


# --- signing in


def sign_in(name: str, password: str, address: str = "203.0.113.1") -> str:
    """The page after it; empty where it led on."""
    client = Client(REMOTE_ADDR=address)
    response = client.post("/admin/login/", {"username": name, "password": password, "next": "/admin/"})
    return "" if response.status_code == 302 else response.content.decode()


def test_who_guesses_too_often_waits_even_with_the_right_password(admin: Client) -> None:
    for number in range(signing_in.GUESSES_AT_A_NAME):
        assert signing_in.TOO_MANY not in sign_in("root", f"guess {number}", address=f"203.0.113.{number}")
    assert signing_in.TOO_MANY in sign_in("ROOT", "correct horse", address="198.51.100.9")


def test_a_right_password_ends_the_count(admin: Client) -> None:
    for _ in range(3):
        for number in range(signing_in.GUESSES_AT_A_NAME - 1):
            sign_in("root", f"guess {number}", address=f"203.0.113.{number}")
        assert sign_in("root", "correct horse") == ""


def test_one_address_guesses_at_many_names_no_longer_than_at_one(db: None) -> None:
    for number in range(signing_in.GUESSES_FROM_AN_ADDRESS):
        sign_in(f"name{number}", "guess")
    assert signing_in.TOO_MANY in sign_in("another", "guess")
    assert signing_in.TOO_MANY not in sign_in("another", "guess", address="198.51.100.9")


def test_the_answer_does_not_tell_whether_a_name_exists(admin: Client) -> None:
    known, unknown = (sign_in(name, "guess") for name in ("root", "nobody"))
    errors = [re.findall(r"Please enter the correct[^<]*", page) for page in (known, unknown)]
    assert errors[0] == errors[1]
    assert errors[0]


@pytest.mark.parametrize("name", ["", "x" * 10_000, "a b\tc", "é☃", "\ud800"])
def test_odd_names_break_nothing(db: None, name: str) -> None:
    data = {"username": name.encode("utf-8", "replace").decode(), "password": "guess"}
    assert Client().post("/admin/login/", data).status_code == 200


# --- wrong keys


def test_an_address_that_sends_wrong_keys_is_slowed_down_and_good_keys_pass(
    a1_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttling, "WRONG_KEYS_PER_MINUTE", 3)
    guesser = Door("nz_0123456789ab_" + "x" * 43)
    assert [guesser.get("facts/").code for _ in range(5)] == [401, 401, 401, 429, 429]
    assert Door(a1_key).get("facts/").code == 200
    assert Door(None).get("facts/").code == 401
