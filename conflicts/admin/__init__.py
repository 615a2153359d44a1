"""Where people settle what disagrees. One file per page; each registers itself when it is imported here."""

from conflicts.admin import pairs

__all__ = ["pairs"]
