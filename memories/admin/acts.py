"""Doing what a person asks for: one service per act, its sentence as the answer, never a broken page."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar, cast
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.forms import BaseDialogForm
from unfold.widgets import UnfoldAdminTextInputWidget

from memories import limits
from memories.errors import NeuronzError

Method = TypeVar("Method", bound=Callable[..., Any])
#: So many rows are acted upon at once; each is a transaction of its own.
MOST_AT_ONCE = 200


def ids(written: Iterable[str]) -> list[UUID]:
    """What is no id finds nothing."""
    found = []
    for each in written:
        try:
            found.append(UUID(each))
        except ValueError:
            continue
    return found


class DialogForm(BaseDialogForm):  # type: ignore[misc]  # unfold is not typed
    """A form in a dialog. unfold shows the errors of its fields; those of the whole form are shown here."""

    def render_before_template(self) -> str:
        errors = self.non_field_errors()
        return render_to_string("unfold/helpers/messages/error.html", {"errors": errors}) if errors else ""


class ConfirmForm(DialogForm):
    """A dialog that only asks whether: what changes something is sent by POST, never by a mere link."""


class WhyForm(ConfirmForm):
    why = forms.CharField(
        required=False, max_length=limits.WHY_CHARACTERS, label="Why (kept in the history)",
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "Optional", "autocomplete": "off"}),
    )  # fmt: skip


def dialog(
    description: str, *, text: str, icon: str, permission: str, form: type[DialogForm] = WhyForm,
    variant: ActionVariant = ActionVariant.DEFAULT,
) -> Callable[[Method], Method]:  # fmt: skip
    """A button that opens a dialog. The method gets the valid form and the row's id; a row behind a wall is a 404."""
    opens: Any = action(
        description=description, icon=icon, variant=variant, permissions=[permission],
        dialog={"title": description, "description": text, "form_class": form, "form_submit_text": description},
    )  # fmt: skip

    def decorate(method: Method) -> Method:
        opened = opens(method)

        @wraps(opened)
        def guarded(page: Any, request: HttpRequest, **kwargs: Any) -> HttpResponse:
            if "object_id" in kwargs:
                page.row_or_404(request, kwargs["object_id"])
            return cast("HttpResponse", opened(page, request, **kwargs))

        return cast("Method", guarded)

    return decorate


def page(description: str, *, icon: str, permission: str, address: str) -> Callable[[Method], Method]:
    """A button above a list that opens a page of its own, `…/ADDRESS`."""
    opens = action(description=description, icon=icon, permissions=[permission], url_path=address)
    return cast("Callable[[Method], Method]", opens)


def on_selected(description: str, *, icon: str, permission: str) -> Callable[[Method], Method]:
    """An act upon the rows ticked in a list."""
    return cast("Callable[[Method], Method]", action(description=description, icon=icon, permissions=[permission]))


def attempt(request: HttpRequest, act: Callable[[], str]) -> None:
    """Do it and show the sentence it answers with, or the one it was refused with."""
    try:
        messages.success(request, act())
    except NeuronzError as error:
        messages.error(request, error.sentence)


def refuse(request: HttpRequest, error: NeuronzError, address: str) -> HttpResponse:
    messages.error(request, error.sentence)
    return go(request, address)


def go(request: HttpRequest, address: str) -> HttpResponse:
    """Leave a dialog for a page. Dialogs are sent by HTMX, which would put a redirected page inside themselves."""
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


@dataclass(slots=True)
class Tally:
    """What became of each row of a selection."""

    done: int = 0
    left: "Counter[str]" = field(default_factory=Counter)


def tally(rows: Iterable[Any], act: Callable[[Any], str]) -> Tally:
    """Act upon each row. `act` returns why there was nothing to do, or nothing."""
    result = Tally()
    for row in rows:
        try:
            nothing_to_do = act(row)
        except NeuronzError as error:
            nothing_to_do = error.sentence
        if nothing_to_do:
            result.left[nothing_to_do] += 1
        else:
            result.done += 1
    return result


def report(request: HttpRequest, result: Tally, *, done: str) -> None:
    """How many, and why some were not."""
    if result.done:
        messages.success(request, f"{result.done} {done}.")
    if result.left:
        reasons = " ".join(f"{count} × {sentence}" for sentence, count in result.left.most_common())
        messages.warning(request, f"{result.left.total()} left as they were: {reasons}")
