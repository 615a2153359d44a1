"""The outward shape of a source: never what it is configured with, and never a credential."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework import serializers

from memories.choices import Tier, Trigger
from memories.serializers import PageSerializer
from sources.choices import RunState, SourceState, SourceType
from sources.models import Source, SyncRun

COUNTS = ("seen", "new", "changed", "unchanged", "moved", "removed", "restored", "skipped", "failed")
MEMORIES = ("added", "superseded", "retired", "brought_back")


class RunSerializer(serializers.Serializer[SyncRun]):
    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=RunState.choices)
    trigger = serializers.ChoiceField(choices=Trigger.choices)
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    items = serializers.SerializerMethodField(help_text="Counts of items.")
    memories = serializers.SerializerMethodField(help_text="Counts of memories.")
    error = serializers.CharField(help_text="Empty, or why it did not come to its end.")

    def get_items(self, run: SyncRun) -> dict[str, int]:
        return {name: getattr(run, name) for name in COUNTS}

    def get_memories(self, run: SyncRun) -> dict[str, int]:
        return {name: getattr(run, name) for name in MEMORIES}


class SourceSerializer(serializers.Serializer[Source]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    type = serializers.ChoiceField(choices=SourceType.choices)
    tier = serializers.SerializerMethodField(help_text="What its next statements weigh.")
    state = serializers.ChoiceField(choices=SourceState.choices)
    reason = serializers.CharField(help_text="Empty, or why it is paused or failed last.")
    next_due_at = serializers.DateTimeField(allow_null=True)
    last_run = serializers.SerializerMethodField()

    def get_tier(self, source: Any) -> Tier:
        return source.in_force.tier  # type: ignore[no-any-return]  # a Source with what listing.py annotates

    def get_last_run(self, source: Any) -> dict[str, Any] | None:
        runs: Mapping[UUID, SyncRun] = self.context["runs"]
        run = runs.get(source.last_run_id)
        return dict(RunSerializer(run).data) if run else None


class SourcePageSerializer(PageSerializer):
    results = SourceSerializer(many=True)
