"""Keyed hashes of erased statements: known again when they come back, and telling nothing to who reads the table."""

import hmac
from collections.abc import Collection, Iterable
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from memories.errors import Conflict
from memories.models import ErasedStatement, ErasureReceipt

KEPT_OUT = "This statement was erased from the product for good and is not stored again; leave it out."

Pool = tuple[UUID, UUID | None]


def digest(key: bytes) -> bytes:
    """Of a statement's key. The secret stays with the server, so that nobody can try texts against the table."""
    return hmac.new(settings.ERASURE_KEY.encode(), bytes(key), sha256).digest()


def remember(keys: Iterable[tuple[bytes, UUID | None]], *, receipt: ErasureReceipt) -> None:
    """Keep these statements out from now on, each of one owner's pool or, without an owner, of the whole product."""
    told = sorted({(digest(key), owner) for key, owner in keys}, key=lambda each: (each[0], str(each[1])))
    ErasedStatement.objects.bulk_create(
        [
            ErasedStatement(product_id=receipt.product_id, owner_id=owner, digest=made, receipt=receipt)
            for made, owner in told
        ],
        ignore_conflicts=True,
        batch_size=500,
    )


def among(keys: Collection[bytes], *, product_id: UUID, owner_id: UUID | None) -> set[bytes]:
    """Those of these statements that were erased from the pool."""
    made = {digest(key): bytes(key) for key in keys}
    if not made:
        return set()
    rows = ErasedStatement.objects.filter(
        Q(owner__isnull=True) | Q(owner_id=owner_id), product_id=product_id, digest__in=made
    )
    return {made[bytes(each)] for each in rows.values_list("digest", flat=True)}


def refuse_erased(key: bytes, *, product_id: UUID, owner_id: UUID | None) -> None:
    """One statement that somebody sends on purpose is refused with a sentence."""
    if among([key], product_id=product_id, owner_id=owner_id):
        raise Conflict(KEPT_OUT)
