"""The graph as a picture: the names of a product, how they relate, and the facts that prove it.

The page draws what its three JSON addresses answer. Each goes through the same gate: shared current facts of a product
that the person belongs to, and nothing else.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from memories import graph, picture
from memories.admin.base import DrawnAdmin, products_where
from memories.choices import EntityType, Role
from memories.errors import NotFound
from memories.models import Entity, Memory, Product
from memories.picture import Picture
from memories.querysets import MemoryQuerySet

#: Facts that one click shows.
MOST_FACTS = 20
#: A date joins what happens to fall on it: drawn when asked for.
FIRST_SHOWN = tuple(each for each in EntityType if each != EntityType.DATE)


@admin.register(Entity)
class EntityAdmin(DrawnAdmin):
    """One page, and no list of rows: an entity is what memories make of it, and is never edited."""

    least_role: ClassVar[Role] = Role.CURATOR

    def get_urls(self) -> list[URLPattern]:
        def asked(view: Callable[..., HttpResponse]) -> Any:
            return self.admin_site.admin_view(require_GET(view))

        return [
            path("", asked(self.changelist_view), name="memories_entity_changelist"),
            path("picture/", asked(self.picture_view), name="memories_entity_picture"),
            path("around/<uuid:object_id>/", asked(self.around_view), name="memories_entity_around"),
            path("facts/", asked(self.facts_view), name="memories_entity_facts"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        products = list(Product.objects.filter(pk__in=products_where(request, self.least_role)).order_by("name"))
        chosen = _chosen(request, products)
        shown = _types(request)
        is_social = set(shown) == {EntityType.PERSON}
        page = {
            "title": "Social map" if is_social else "Graph", "products": products,
            "chosen": chosen, "is_social": is_social, "q": request.GET.get("q", ""),
            "types": [(each, each.label, each in shown) for each in EntityType], "most": picture.MOST_DRAWN,
            "whole": f"?{urlencode({'product': chosen.pk})}" if chosen else "",
            "people": f"?{urlencode({'product': chosen.pk, 'type': EntityType.PERSON.value})}" if chosen else "",
        }  # fmt: skip
        return TemplateResponse(request, "memories/admin/graph.html", {**self.admin_site.each_context(request), **page})

    # --- what the page asks for

    def picture_view(self, request: HttpRequest) -> JsonResponse:
        rows, q = self._rows(request), request.GET.get("q", "").replace("\0", " ").strip()
        types = _types(request)
        return _drawn(picture.found(rows, q, types) if q else picture.whole(rows, types))

    def around_view(self, request: HttpRequest, object_id: UUID) -> JsonResponse:
        try:
            return _drawn(picture.around(self._rows(request), str(object_id), _types(request)))
        except NotFound:
            raise Http404 from None

    def facts_view(self, request: HttpRequest) -> JsonResponse:
        """The facts of these ids, or those that name an entity; the newest first."""
        rows = self._rows(request).current().statements_only()
        try:
            ids = [UUID(each) for each in request.GET.getlist("id")[:MOST_FACTS]]
            named = [UUID(each) for each in request.GET.getlist("entity")[:1]]
        except ValueError:
            raise Http404 from None
        wanted = rows.filter(pk__in=graph.mentions(rows).filter(entity__in=named).values("memory")) if named else None
        found = rows.filter(pk__in=ids) if wanted is None else wanted
        newest = found.order_by("-pk").defer("words", "weights", "metadata")[: MOST_FACTS + 1]
        facts = [_fact(each) for each in newest]
        return JsonResponse({"facts": facts[:MOST_FACTS], "is_cut": len(facts) > MOST_FACTS})

    def _rows(self, request: HttpRequest) -> MemoryQuerySet:
        """ "Visibility first": shared memories of one product that the person may open."""
        mine = products_where(request, self.least_role)
        if not mine:
            raise PermissionDenied
        product = next((each for each in mine if str(each) == request.GET.get("product")), None)
        if product is None:
            raise Http404
        return Memory.objects.shown_to(request.user).filter(product=product)


def _chosen(request: HttpRequest, products: Sequence[Product]) -> Product | None:
    asked = request.GET.get("product")
    if asked is None:
        return next(iter(products), None)
    found = next((each for each in products if str(each.pk) == asked), None)
    if found is None:
        raise Http404
    return found


def _types(request: HttpRequest) -> tuple[EntityType, ...]:
    asked = request.GET.getlist("type")
    return tuple(each for each in EntityType if each in asked) if asked else FIRST_SHOWN


def _drawn(found: Picture) -> JsonResponse:
    entities = [
        {"id": each.id, "name": each.name, "type": each.type, "aliases": each.aliases, "memories": each.memories}
        for each in found.entities
    ]
    relations = [
        {
            "id": each.id, "subject": each.subject, "relation": each.relation, "object": each.object,
            "words": each.words, "memories": len(each.evidence), "evidence": each.evidence[: picture.MOST_EVIDENCE],
        }
        for each in found.relations
    ]  # fmt: skip
    return JsonResponse({"entities": entities, "relations": relations, "is_cut": found.is_cut})


def _fact(memory: Memory) -> dict[str, str]:
    return {
        "id": str(memory.pk),
        "content": memory.content,
        "status": memory.get_status_display(),
        "tier": memory.get_tier_display(),
        "recorded": timezone.localtime(memory.recorded_at).strftime("%-d %b %Y"),
        "address": reverse("admin:memories_memory_change", args=[memory.pk]),
    }
