"""How people sign in: a password, for those who set one up a second factor, and not many guesses.

Wrong passwords are counted by name and by address, in the cache that all web processes share. Whoever has used up the
guesses waits, with the right password too, and is told so; the answer never says whether the name exists.
"""

import logging
from typing import Any

from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from unfold.forms import AuthenticationForm

from neuronz.throttling import count

logger = logging.getLogger(__name__)

#: Wrong guesses at one name, and from one address, before both have to wait.
GUESSES_AT_A_NAME, GUESSES_FROM_AN_ADDRESS = 8, 30
WINDOW_SECONDS = 15 * 60
TOO_MANY = "Too many wrong passwords. Wait a quarter of an hour, then try again."


class SignInForm(AuthenticationForm):  # type: ignore[misc]  # unfold brings no types
    """The admin's form, with the count of guesses around it."""

    def clean(self) -> dict[str, Any]:
        username = str(self.cleaned_data.get("username", ""))
        if is_locked(username, self.request):
            logger.warning("Signing in was refused: too many wrong passwords.")
            raise ValidationError(TOO_MANY, code="too_many_guesses")
        try:
            cleaned: dict[str, Any] = super().clean()
        except ValidationError:
            note_wrong(username, self.request)
            raise
        forgive(username)
        return cleaned


def is_locked(username: str, request: HttpRequest | None) -> bool:
    return any(count(name, WINDOW_SECONDS, by=0) >= most for name, most in _counters(username, request).items())


def note_wrong(username: str, request: HttpRequest | None) -> None:
    for name in _counters(username, request):
        count(name, WINDOW_SECONDS)


def forgive(username: str) -> None:
    """A right password ends the count at this name; that of the address goes on, or one account would pay for many."""
    cache.delete(next(iter(_counters(username, None))))


def _counters(username: str, request: HttpRequest | None) -> dict[str, int]:
    # Names may hold what no cache key may; and case is no second chance.
    counters = {f"guesses:name:{username.casefold().encode().hex()[:180]}": GUESSES_AT_A_NAME}
    if request is not None and (address := request.META.get("REMOTE_ADDR")):
        counters[f"guesses:from:{address}"] = GUESSES_FROM_AN_ADDRESS
    return counters
