"""My desk, and a colleague's: rows of a list are put on one, found by it, and taken off. Nothing is edited by it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST
from unfold.contrib.filters.admin import DropdownFilter

from memories.admin import acts, labels
from memories.admin.base import WalledAdmin, actor_for
from memories.errors import NeuronzError
from memories.models import Assignment
from memories.models.ids import new_id
from memories.services import desks
from memories.services.desks import Things

SAMPLE = 10


@dataclass(frozen=True, slots=True)
class Naming:
    """How a list's rows are called, and by which column an assignment names them."""

    column: str
    one: str
    many: str

    def counted(self, number: int) -> str:
        return f"1 {self.one}" if number == 1 else f"{number:,} {self.many}"

    def things(self, ids: Sequence[UUID]) -> Things:
        return Things(facts=ids) if self.column == "memory" else Things(pairs=ids)


FACTS, PAIRS = Naming("memory", "fact", "facts"), Naming("pair", "conflict", "conflicts")


def lying(naming: Naming, **whose: Any) -> "QuerySet[Any]":
    """The ids of what lies on desks, for a filter."""
    rows = Assignment.objects.filter(ended_by_act=None, **{f"{naming.column}__isnull": False}, **whose)
    found: QuerySet[Any] = rows.order_by().values(naming.column)
    return found


class DeskFilter(DropdownFilter):  # type: ignore[misc]  # unfold is not typed
    title, parameter_name = "desk", "desk"
    naming: ClassVar[Naming] = FACTS
    MINE: ClassVar[str] = "mine"
    LYING: ClassVar[tuple[str, ...]] = (MINE, "any")

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(self.MINE, "On my desk"), ("any", "On somebody's desk"), ("none", "On no desk")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() == "none":
            return queryset.exclude(pk__in=lying(self.naming))
        if self.value() not in self.LYING:
            return queryset
        whose = {"person": request.user} if self.value() == self.MINE else {}
        lies = Assignment.objects.filter(ended_by_act=None, **{self.naming.column: OuterRef("pk")})
        shown = {
            "desk_of": Subquery(lies.values("person__username")[:1]),
            "desk_note": Subquery(lies.values("note")[:1]),
        }
        return queryset.filter(pk__in=lying(self.naming, **whose)).annotate(**shown)


class PairDeskFilter(DeskFilter):
    naming = PAIRS


class DeskActs(WalledAdmin):
    """The acts: put on a desk (asked for on a page of its own), take off, undo."""

    naming: ClassVar[Naming] = FACTS

    @acts.on_selected("Put on a desk …", icon="assignment_ind", permission="curate")
    def put_on_desk_selected(self, request: HttpRequest, queryset: Any) -> HttpResponse:
        """Which rows, and then on whose desk."""
        return self._ask(request, self._ticked(request, queryset))

    @acts.on_selected("Take off the desk", icon="assignment_return", permission="curate")
    def take_off_desk_selected(self, request: HttpRequest, queryset: Any) -> HttpResponse:
        rows = self.get_queryset(request).filter(pk__in=self._ticked(request, queryset))
        done = desks.take_off(things=self.naming.things(list(rows.values_list("pk", flat=True))))
        messages.success(request, f"{self.naming.counted(done.number)} taken off.")
        return HttpResponseRedirect(request.get_full_path())

    def get_urls(self) -> list[URLPattern]:
        wrap, name = self.admin_site.admin_view, self.page_name
        mine = [
            path("desk/", wrap(require_POST(self.desk_view)), name=f"{name}_desk"),
            path("desk/<uuid:act>/", wrap(require_http_methods(["GET", "POST"])(self.put_view)), name=f"{name}_put"),
        ]
        return [*mine, *super().get_urls()]

    def _ticked(self, request: HttpRequest, queryset: Any) -> list[UUID]:
        if request.POST.get("select_across") == "1":
            return list(queryset.values_list("pk", flat=True)[: desks.MOST_AT_ONCE])
        return acts.ids(request.POST.getlist(ACTION_CHECKBOX_NAME))

    # --- on whose desk

    def _ask(self, request: HttpRequest, ids: Sequence[UUID], form: forms.Form | None = None) -> HttpResponse:
        rows = list(self.get_queryset(request).filter(pk__in=ids[: desks.MOST_AT_ONCE]))
        if not rows:
            raise Http404
        form = form or DeskForm(colleagues=desks.colleagues({row.product_id for row in rows}))
        page = {
            "title": f"Put {self.naming.counted(len(rows))} on a desk", "form": form, "number": len(rows),
            "ids": ",".join(str(row.pk) for row in rows), "sample": [str(row) for row in rows[:SAMPLE]],
            "named": self.naming.counted(len(rows)), "list": self._list(),
            "send": reverse(f"admin:{self.page_name}_desk"),
        }  # fmt: skip
        return self._drawn(request, "memories/admin/desk_ask.html", page)

    def desk_view(self, request: HttpRequest) -> HttpResponse:
        self._check(request)
        ids = acts.ids(request.POST.get("ids", "").split(","))[: desks.MOST_AT_ONCE]
        by_product: dict[UUID, list[UUID]] = {}
        for pk, product_id in self.get_queryset(request).filter(pk__in=ids).values_list("pk", "product_id"):
            by_product.setdefault(product_id, []).append(pk)
        if not by_product:
            raise Http404
        form = DeskForm(request.POST, colleagues=desks.colleagues(by_product))
        if not form.is_valid():
            return self._ask(request, ids, form)
        act, to = new_id(), form.cleaned_data["to"]
        try:
            for product_id, theirs in by_product.items():
                by, note = actor_for(request.user, product_id), form.cleaned_data["note"]
                desks.put(by=by, things=self.naming.things(theirs), to=to, note=note, act=act)
        except NeuronzError as error:
            return acts.refuse(request, error, self._list())
        return HttpResponseRedirect(reverse(f"admin:{self.page_name}_put", args=[act]))

    # --- what was put there, and back again

    def put_view(self, request: HttpRequest, act: UUID) -> HttpResponse:
        """The page of an act is its person's alone."""
        self._check(request)
        put = Assignment.objects.filter(act=act, by_id=request.user.pk, **{f"{self.naming.column}__isnull": False})
        first = put.select_related("person").first()
        if first is None:
            raise Http404
        if request.method == "POST":
            number = desks.take_back(act=act, person=request.user)
            messages.success(request, f"{self.naming.counted(number)} back where they were.")
            return HttpResponseRedirect(self._list())
        named = self.naming.counted(put.count())
        page = {
            "title": f"{named} on {first.person.get_username()}'s desk", "note": first.note, "list": self._list(),
            "standing": put.filter(ended_by_act=None).exists(), "at": labels.when_label(first.created_at),
        }  # fmt: skip
        return self._drawn(request, "memories/admin/desk_put.html", page)

    def _drawn(self, request: HttpRequest, template: str, page: dict[str, Any]) -> HttpResponse:
        return TemplateResponse(request, template, {**self.admin_site.each_context(request), "opts": self.opts, **page})

    @labels.column("On the desk of")
    def desk(self, row: Any) -> SafeString | str:
        return labels.text_label(row.desk_of or "", below=row.desk_note or "")

    def get_list_display(self, request: HttpRequest) -> list[str]:
        """Whose desk, while the list is narrowed to desks: the filter fetches it with the rows."""
        is_narrowed = request.GET.get(DeskFilter.parameter_name) in DeskFilter.LYING
        return [*super().get_list_display(request), *(["desk"] if is_narrowed else [])]


class DeskForm(forms.Form):
    to: Any = forms.ModelChoiceField(queryset=None, label="Whose desk", empty_label=None)
    note = forms.CharField(
        required=False, max_length=desks.NOTE_CHARACTERS, label="Note",
        help_text="For your colleague; it stays on the desk and touches no fact.",
    )  # fmt: skip

    def __init__(self, *args: Any, colleagues: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["to"]
        field.queryset = colleagues
