"""Ids: UUIDs of version 7, so that ids sort by time of creation."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    return uuid7()
