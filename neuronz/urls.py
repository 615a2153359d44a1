"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.http import require_POST
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from neuronz import errors, front, health, metrics, openapi, people

handler400 = "neuronz.errors.bad_request"
handler404 = "neuronz.errors.not_found"
handler500 = "neuronz.errors.failed"

urlpatterns = [
    path("", RedirectView.as_view(url="/admin/")),
    # Django's "view on site" expects numbers for ids; nothing here has a public page.
    path("admin/r/<path:rest>", errors.nowhere),
    path("admin/look-at/", admin.site.admin_view(require_POST(front.choose)), name="look_at"),
    path("admin/preferences/", admin.site.admin_view(people.preferences), name="preferences"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("memories.urls")),
    path("api/v1/", include("conflicts.urls")),
    path("api/v1/", include("sources.urls")),
    path(
        "api/schema/",
        SpectacularAPIView.as_view(
            authentication_classes=[], permission_classes=[], content_negotiation_class=openapi.FormatByQuery
        ),
        name="schema",
    ),
    path(
        "api/docs/",
        SpectacularSwaggerSplitView.as_view(url_name="schema", authentication_classes=[], permission_classes=[]),
        name="docs",
    ),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics.metrics),
]
