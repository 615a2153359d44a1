"""Inward shapes: what a caller may send. The outward ones are in serializers.py."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from memories import limits
from memories.choices import Category, Kind, Scope, Status, Tier, VerdictGiven
from memories.errors import TooLarge
from memories.fields import (
    AboutField,
    FlagField,
    ManyField,
    MetadataField,
    MomentField,
    OneOf,
    StrictSerializer,
    TagsField,
    TextField,
    VerbatimField,
)
from memories.filters import Filters
from memories.services.captures import Message
from memories.services.drafts import NO_TIME, Label


class LabelShape(StrictSerializer):
    """What any write may say besides its words."""

    confirmed = FlagField(default=False, help_text="Stored verified instead of unverified.")
    tier = OneOf(choices=Tier.choices, default=Tier.OFFICIAL)
    scope = OneOf(choices=Scope.choices, default=Scope.SHARED)
    tags = TagsField(default=list)
    metadata = MetadataField(default=dict)
    about = AboutField(required=False, allow_null=True)

    def as_label(self) -> Label:
        sent = self.validated_data
        about = sent.get("about") or NO_TIME
        return Label(Tier(sent["tier"]), Scope(sent["scope"]), tuple(sent["tags"]), sent["metadata"], about)


class TextShape(LabelShape):
    text = VerbatimField()
    wait = FlagField(
        required=False, help_text="Read before answering. Without it: yes, for texts of up to 2,000 characters."
    )

    @property
    def waits(self) -> bool:
        return bool(self.validated_data.get("wait", len(self.validated_data["text"]) <= limits.READ_NOW_CHARACTERS))


class BatchShape(StrictSerializer):
    items = serializers.ListField(
        child=serializers.JSONField(allow_null=True), allow_empty=False, help_text="Each as for POST memories/."
    )


class MessageShape(StrictSerializer):
    id = TextField(max_length=limits.NAME_CHARACTERS, help_text="Of the message, within its session.")
    role = TextField(
        max_length=limits.ROLE_CHARACTERS, help_text="user, assistant, … Those of tools and systems are kept, not read."
    )
    speaker = TextField(
        max_length=limits.NAME_CHARACTERS, default="", allow_blank=True, allow_null=True, trim_whitespace=True,
        help_text="Who spoke, by name.",
    )  # fmt: skip
    content = VerbatimField()
    at = MomentField(required=False, allow_null=True)


class CaptureShape(StrictSerializer):
    session = TextField(max_length=limits.NAME_CHARACTERS)
    messages = serializers.ListField(child=MessageShape(), allow_empty=False)
    tier = OneOf(choices=Tier.choices, default=Tier.INFORMAL)
    scope = OneOf(choices=Scope.choices, default=Scope.SHARED)
    wait = FlagField(default=False, help_text="Read before answering.")

    def to_internal_value(self, data: Any) -> Any:
        sent = data.get("messages") if isinstance(data, Mapping) else None
        if isinstance(sent, list) and len(sent) > limits.CAPTURE_MESSAGES:
            sentence = f"A capture has at most {limits.CAPTURE_MESSAGES:,} messages; send several."
            raise TooLarge(sentence, limits.CAPTURE_MESSAGES, field="messages")
        return super().to_internal_value(data)

    def as_messages(self) -> list[Message]:
        return [
            Message(each["id"], each["role"], each["content"], each["speaker"] or "", each.get("at"))
            for each in self.validated_data["messages"]
        ]


class FactShape(LabelShape):
    content = VerbatimField()
    category = OneOf(choices=Category.choices, required=False)
    person = TextField(max_length=limits.PERSON_CHARACTERS, required=False, allow_null=True, trim_whitespace=True)


class EditShape(StrictSerializer):
    content = VerbatimField(required=False)
    confirmed = FlagField(default=False)
    tier = OneOf(choices=Tier.choices, default=Tier.OFFICIAL, help_text="The weight of this act.")
    why = TextField(max_length=limits.WHY_CHARACTERS, default="", allow_blank=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "content" not in attrs and not attrs["confirmed"]:
            raise serializers.ValidationError({"content": ["Send content to edit, or confirmed: true to confirm."]})
        return attrs


class RetireShape(StrictSerializer):
    tier = OneOf(choices=Tier.choices, default=Tier.OFFICIAL, help_text="The weight of this act.")
    why = TextField(max_length=limits.WHY_CHARACTERS, default="", allow_blank=True)


class ResolveShape(StrictSerializer):
    other = TextField(help_text="Id of the older fact.")
    verdict = OneOf(choices=VerdictGiven.choices)
    tier = OneOf(choices=Tier.choices, required=False, help_text="The weight of this act.")
    why = TextField(max_length=limits.WHY_CHARACTERS, default="", allow_blank=True)


class RestoreShape(StrictSerializer):
    why = TextField(max_length=limits.WHY_CHARACTERS, default="", allow_blank=True)


def _choices(choices: type[Any]) -> ManyField:
    return ManyField(child=OneOf(choices=choices.choices), default=list)


class FilterShape(StrictSerializer):
    """The filters of search; times are inclusive, a plain date is a whole day in the product's zone."""

    scope = OneOf(choices=["all", *Scope.values], default="all")
    kind = _choices(Kind)
    category = _choices(Category)
    tier = _choices(Tier)
    tag = ManyField(default=list)
    tag_mode = OneOf(choices=["any", "all"], default="any")
    source = TextField(required=False, help_text="Id or name.")  # type: ignore[assignment]  # the contract calls it source
    agent = TextField(required=False, help_text="Id or name.")
    person = TextField(required=False)
    recorded_after = MomentField(required=False)
    recorded_before = MomentField(required=False, is_end=True)
    about_after = MomentField(required=False)
    about_before = MomentField(required=False, is_end=True)
    as_of = MomentField(required=False, is_end=True, help_text="What was current then.")

    def filters(self) -> Filters:
        known = Filters.__dataclass_fields__
        return Filters(**{name: value for name, value in self.validated_data.items() if name in known})


class PageShape(StrictSerializer):
    """Which part of a list."""

    limit = serializers.IntegerField(min_value=1, max_value=limits.MOST_PAGE, default=limits.PAGE)
    cursor = TextField(default="", allow_blank=True, help_text="Out of `next` or `previous`.")

    def page(self) -> dict[str, Any]:
        return {"limit": self.validated_data["limit"], "cursor": self.validated_data["cursor"]}


class ListShape(FilterShape, PageShape):
    """The filters of lists."""

    status = _choices(Status)
    history = FlagField(default=False, help_text="Everything, not only what is current.")


class RecallShape(StrictSerializer):
    prompt = VerbatimField(help_text="What the user asks, or the task at hand.")
    max_tokens = serializers.IntegerField(
        min_value=1, max_value=limits.MOST_RECALL_TOKENS, default=limits.RECALL_TOKENS
    )
    session = TextField(
        max_length=limits.NAME_CHARACTERS, default="", allow_blank=True,
        help_text="What it was given already is left out, unless it changed.",
    )  # fmt: skip


class RuleShape(StrictSerializer):
    text = VerbatimField(help_text="The rule, as it shall be read: one thing to do or not to do.")
    why = TextField(max_length=limits.WHY_CHARACTERS, default="", allow_blank=True)


class SearchShape(FilterShape):
    q = VerbatimField()
    limit = serializers.IntegerField(min_value=1, max_value=limits.MOST_HITS, default=limits.HITS)
    raw = OneOf(choices=["include", "only", "none"], default="include")
    explain = FlagField(default=False)
    rerank = FlagField(default=False, help_text="Order the best again by the cross-encoder, where one is configured.")


class ExportShape(StrictSerializer):
    """Nothing may be chosen: an export is everything."""
