"""Forms whose submission is one act of a service."""

from typing import Any

from django import forms
from django.http import HttpRequest

from memories.errors import NeuronzError


class ActingForm(forms.BaseForm):
    """The service alone judges the form: what it refuses is an error of the form, and what was typed stays there."""

    request: HttpRequest
    #: What the service answered.
    answer: Any = None

    def act(self) -> Any:
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.answer = self.act()
            except NeuronzError as error:
                self._show(error)
        return cleaned

    def _show(self, error: NeuronzError) -> None:
        fields: dict[str, list[str]] = getattr(error, "fields", {})
        for name, sentences in fields.items():
            self.add_error(name if name in self.fields else None, sentences)
        if not fields:
            self.add_error(None, error.sentence)
