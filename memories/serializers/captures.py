"""The receipt of a capture: a write as ever, and what became of each message."""

from typing import Any

from rest_framework import serializers

from memories.choices import WriteState
from memories.serializers.writes import MaskedSerializer, WriteSerializer


class CapturedMaskSerializer(MaskedSerializer):
    message = serializers.CharField(help_text="In whose raw text it stands.")


class KeptSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="As it was sent.")
    outcome = serializers.ChoiceField(
        choices=["kept", "known", "refused"],
        help_text="known: the session has a message with this id, which stands. refused: it holds credentials.",
    )
    write = serializers.UUIDField(allow_null=True)
    raw = serializers.UUIDField(allow_null=True)
    state = serializers.ChoiceField(choices=WriteState.choices, allow_null=True)
    reason = serializers.CharField()


class CapturedSerializer(WriteSerializer):
    """Of one message, its write. Of several, all of them as one: `id` and `raw` are those of the message that is read
    last, so the write with this id is done when all are; `statements`, `masked` and counts are everybody's."""

    masked = CapturedMaskSerializer(many=True)
    statement_count = serializers.IntegerField()  # type: ignore[assignment]  # counted over all of them
    session = serializers.CharField()
    messages = KeptSerializer(many=True)
