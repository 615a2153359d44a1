"""What of a session is read: people's words and what was done, no machine's output and no proposals."""

from datetime import UTC, datetime

import pytest

from memories.reading import Context, PlainReader, session
from memories.reading.session import Echoes

PORT = "The Harbor gateway listens on port 8443."


def heard(text: str, role: str) -> list[str]:
    found = PlainReader().read(session.audible(text, role), Context(datetime(2026, 7, 1, tzinfo=UTC)))
    return [each.text for each in found if session.is_claim(each.text, role)]


@pytest.mark.parametrize("role", ["user", "assistant", "Mara", "customer"])
def test_what_is_said_to_be_so_is_heard_from_everybody(role: str) -> None:
    assert heard(PORT, role) == [PORT]


MACHINES = [
    f"<neuronz_memory>\n{PORT}\n</neuronz_memory>",
    f"<NEURONZ_MEMORY id='1'>{PORT}</neuronz_memory >",
    f"<neuronz_memory>\n{PORT}\nand it never ends",
    f"<system-reminder>{PORT}</system-reminder>",
    f"```\n{PORT}\n```",
    f"~~~text\n{PORT}\n~~~~",
    '{"gateway": {"port": 8443, "note": "The Harbor gateway listens on port 8443."}}',
    '{\n  "gateway": {\n    "port": 8443,\n    "note": "It listens."\n  }\n}',
    '{\n  "port": 8443,\n  "name": "gateway",\n}\n',
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    run()\nValueError: no port was given',
    "java.lang.IllegalStateException: the port is taken\n    at Main.run(Main.java:7)\n    at Main.main(Main.java:3)",
    "2026-07-01 09:30:00,123 INFO gateway: the server listens on port 8443",
    "$ ./manage.py check --deploy now",
]


@pytest.mark.parametrize("text", MACHINES)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_what_machines_say_is_not_read(text: str, role: str) -> None:
    assert heard(text, role) == []
    assert heard(f"The lamp is green.\n\n{text}", role) == ["The lamp is green."]


@pytest.mark.parametrize("text", [*MACHINES, PORT, "Options:\n- a\n- b", "\r\n\u2028x", ""])
def test_what_is_left_out_is_blanked_so_that_places_stay(text: str) -> None:
    left = session.audible(text, "assistant")
    assert len(left) == len(text)
    assert all(now in (then, " ") for now, then in zip(left, text, strict=True))


PROPOSALS = [
    "I could move the job to Redis.",
    "I'd suggest a queue of its own for mails.",
    "You might want to rename the table to orders.",
    "We could also keep the logs for a year.",
    "Let me look at the configuration of the gateway.",
    "If you like, the port goes to 9443.",
    "Another option is a second gateway in Oslo.",
    "So we can drop the old column.",
    "Perhaps the port should be 9443.",
    "Would you like the port to be 9443?",
    "It would be better to deploy on Fridays.",
]


@pytest.mark.parametrize("text", PROPOSALS)
def test_what_the_assistant_merely_proposes_is_no_claim(text: str) -> None:
    assert heard(text, "assistant") == []


@pytest.mark.parametrize(
    "text",
    [
        "I moved the nightly job to 03:00.",
        "The nightly job runs at 03:00 now.",
        "The optional field is called remark.",
        "The team decided on PostgreSQL because of the extensions.",
    ],
)
def test_what_the_assistant_did_and_found_is_heard(text: str) -> None:
    assert heard(text, "assistant") == [text]


def test_a_list_of_options_is_proposed_as_a_whole() -> None:
    text = "Here are some options:\n\n- Redis holds the queue.\n- RabbitMQ holds the queue.\n\nThe queue holds mails."
    assert heard(text, "assistant") == ["The queue holds mails."]
    assert len(heard(text, "user")) == 3


def test_an_errand_is_no_claim_and_a_standing_wish_is() -> None:
    assert heard("Please rename the table to orders.", "user") == []
    assert heard("Please always answer in German.", "user") == ["Please always answer in German."]


@pytest.mark.parametrize(
    "said", ["Please note that the pump runs at night.", "Now the pump runs at night.", "Please remember: it is Ana's."]
)
def test_what_only_opens_like_an_errand_is_heard(said: str) -> None:
    assert len(heard(said, "user")) == 1


@pytest.mark.parametrize("said", ["Please, start the pump.", "Now fix the pump.", "Could you start the pump"])
def test_errands_are_not(said: str) -> None:
    assert heard(said, "user") == []


@pytest.mark.parametrize(
    ("statement", "role", "is_echo"),
    [
        (PORT, "assistant", True),
        (PORT, "user", True),
        ("the  harbor GATEWAY listens on port 8443", "user", True),
        ("As far as I remember, the Harbor gateway listens on port 8443.", "assistant", True),
        ("As far as I remember, the Harbor gateway listens on port 8443.", "user", False),
        ("Harbor gateway listens on port 8443.", "assistant", True),
        ("The Harbor gateway listens on port 9443.", "assistant", False),
        ("port 8443", "assistant", False),
        ("The Harbor gateway does not listen on port 8443.", "assistant", False),
    ],
)
def test_what_was_recalled_is_known_again(statement: str, role: str, is_echo: bool) -> None:
    assert Echoes(["The lamp is green.", PORT, "…"]).repeats(statement, role) == is_echo


def test_no_text_takes_long() -> None:
    """Each of these a megabyte: what is tried at every place must fail at once."""
    for text in (
        "<neuronz_memory>",
        "```\n",
        "{\n",
        "  at x(",
        "Options:\n- a\n",
        "Error: ",
        "Warning" * 3,
        '"a": 1\n',
        "<neuronz_memory ",
        "<tool_a ",
        "<tool_" + "-a" * 1000,
        "you could ",
    ):
        many = text * (2**20 // len(text))
        assert len(session.audible(many, "assistant")) == len(many)


@pytest.mark.parametrize(
    "opener",
    [
        "Please note that", "Note that", "Keep in mind that", "Remember that", "Please remember:", "For the record,",
        "Don't forget that", "Just so you know,", "Reminder:",
    ],
)  # fmt: skip
def test_a_remark_is_kept_without_what_opens_it(opener: str) -> None:
    assert heard(f"{opener} the pump runs at night.", "user") == ["the pump runs at night."]
