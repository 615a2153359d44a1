"""Tables of phrases as patterns, so that a table can be read as a list of words."""

import re


def any_of(phrases: str) -> str:
    """One alternative per phrase. Phrases are separated by a comma and white space; a space in one is one space."""
    return "|".join(phrase.strip() for phrase in re.split(r",\s", phrases.strip().rstrip(",")))


def words(phrases: str, *, ignore_case: bool = True) -> re.Pattern[str]:
    """Finds one of the phrases as whole words."""
    return re.compile(rf"(?<!\w)(?:{any_of(phrases)})(?!\w)", re.IGNORECASE if ignore_case else 0)
