"""The form by which a person answers a pair. What may be answered is the table's to say; the service judges it."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from conflicts import decisions, services
from conflicts.choices import Answer, State
from conflicts.decisions import Sides
from conflicts.models import Conflict
from conflicts.services import Settled
from memories import limits
from memories.actors import Actor
from memories.choices import Reason, Status
from memories.errors import NeuronzError

MISPLACED = (
    "You wrote down what is true, but chose another answer. Choose “Neither is true, here is what is”, or empty it."
)


class AnswerForm(forms.Form):
    """One answer, with its reason; a correction and a date where the answer takes one."""

    answer = forms.ChoiceField(choices=Answer.choices)
    why = forms.CharField(
        required=False, max_length=limits.WHY_CHARACTERS, label="Why",
        widget=UnfoldAdminTextInputWidget(
            attrs={"placeholder": "Optional; kept in the history with your name", "autocomplete": "off", "dir": "auto"}
        ),
    )  # fmt: skip
    correction = forms.CharField(
        required=False, strip=False, label="What is true",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2, "dir": "auto", "placeholder": "One clear statement"}),
    )  # fmt: skip
    until = forms.DateField(
        required=False, label="Back on",
        widget=UnfoldAdminTextInputWidget(attrs={"type": "date"}),
        error_messages={"invalid": "Write the date as 2026-12-31."},
    )  # fmt: skip

    def __init__(self, sent: QueryDict | None, *, pair: Conflict, by: Actor) -> None:
        super().__init__(sent, initial={"until": _in_days(decisions.PUT_OFF_DAYS).isoformat()})
        self.pair, self.by = pair, by
        self.fields["until"].widget.attrs["min"] = _in_days(1).isoformat()
        #: What the service answered.
        self.settled: Settled | None = None

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        typed = cleaned.get("correction", "").strip()
        if typed and cleaned.get("answer") not in (None, Answer.CORRECTION):
            self.add_error("correction", MISPLACED)
        if not self.errors:
            self._settle(cleaned)
        return cleaned

    def _settle(self, cleaned: dict[str, Any]) -> None:
        """The service alone judges: what it refuses is an error of the form, and what was typed stays there."""
        answer = Answer(cleaned["answer"])
        correction = cleaned["correction"].replace("\r\n", "\n") if answer == Answer.CORRECTION else None
        until = _morning(cleaned["until"]) if answer == Answer.NOT_NOW else None
        try:
            self.settled = services.settle(
                by=self.by, pair_id=self.pair.pk, answer=answer, correction=correction, until=until, why=cleaned["why"]
            )
        except NeuronzError as error:
            fields: dict[str, list[str]] = getattr(error, "fields", {})
            for name, sentences in fields.items():
                self.add_error(name if name in self.fields else None, sentences)
            if not fields:
                self.add_error(None, error.sentence)


def offered(pair: Conflict) -> list[Answer]:
    """The answers that the pair can take as it stands."""
    if pair.state == State.SETTLED:
        return []
    sides = Sides(Status(pair.older.status), Status(pair.newer.status))
    return [each for each in Answer if decisions.objection(each, Reason(pair.reason), sides) is None]


def _in_days(days: int) -> date:
    return timezone.localdate() + timedelta(days=days)


def _morning(day: date | None) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time.min)) if day else None
