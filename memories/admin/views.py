"""Saved views above a list: the filters that are set now, kept under a name."""

from typing import Any
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin

from memories.admin import acts
from memories.models import SavedView
from memories.services import views

#: What stands in an address beside the filters and is no part of a view.
NOT_KEPT = frozenset({"p", "all", "e", "o", "_changelist_filters"})


class SavedViews(ModelAdmin):  # type: ignore[misc]  # unfold is not typed
    list_before_template = "memories/admin/views.html"

    @property
    def page_name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}"

    def get_urls(self) -> list[URLPattern]:
        wrap, name = self.admin_site.admin_view, self.page_name
        mine = [
            path("views/", wrap(require_POST(self.keep_view)), name=f"{name}_save_view"),
            path("views/<uuid:view>/delete/", wrap(require_POST(self.drop_view)), name=f"{name}_delete_view"),
        ]
        return [*mine, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        here = _kept(request.GET.urlencode())

        def kept() -> list[tuple[SavedView, str, bool]]:
            """Called by the template: an act upon the list looks at no views."""
            return [(each, f"?{each.query}", each.query == here) for each in views.of(request.user, self.page_name)]

        context = {
            "title": capfirst(self.opts.verbose_name_plural), "saved_views": kept, "view_query": here,
            "save_view": reverse(f"admin:{self.page_name}_save_view"), "most_name": views.NAME_CHARACTERS,
        }  # fmt: skip
        return super().changelist_view(request, context | (extra_context or {}))

    def keep_view(self, request: HttpRequest) -> HttpResponse:
        self._check(request)
        query = _kept(request.POST.get("query", ""))

        def save() -> str:
            saved = views.save(person=request.user, page=self.page_name, name=request.POST.get("name", ""), query=query)
            return f"Saved as “{saved.name}”."

        acts.attempt(request, save)
        return HttpResponseRedirect(f"{self._list()}?{query}" if query else self._list())

    def drop_view(self, request: HttpRequest, view: UUID) -> HttpResponse:
        self._check(request)
        if not views.delete(person=request.user, view_id=view):
            raise Http404
        messages.success(request, "The view is deleted. No fact was touched.")
        return HttpResponseRedirect(self._list())

    def _check(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise Http404

    def _list(self) -> str:
        return reverse(f"admin:{self.page_name}_changelist")


def _kept(query: str) -> str:
    return urlencode([(name, value) for name, value in parse_qsl(query) if name not in NOT_KEPT and value])
