"""How a person reads the desk: times in a zone of their own, chosen on a page that the menu of their name leads to."""

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from memories import zones
from memories.models import Preference


class WithPreference(ModelBackend):
    """The person comes with how they read, in the one query that fetches them."""

    def get_user(self, user_id: Any) -> Any:
        user = get_user_model().objects.select_related("preference").filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None


class PersonsZone:
    """Middleware: in the admin, times are shown, and days of filters begin, in the person's zone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        zone = zone_of(request.user) if request.path.startswith("/admin/") else ""
        if not zone:
            return self.get_response(request)
        with timezone.override(ZoneInfo(zone)):
            return self.get_response(request)


def zone_of(user: Any) -> str:
    """Empty for whoever chose none, and where a name has meanwhile left this machine."""
    preference: Preference | None = getattr(user, "preference", None)
    return preference.zone if preference and preference.zone in zones.known() else ""


class ZoneForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's class takes no argument at run time
    class Meta:
        model = Preference
        fields = ("zone",)
        labels = {"zone": "Time zone"}


def preferences(request: HttpRequest) -> HttpResponse:
    me: Any = request.user
    preference = Preference.objects.filter(person=me).first() or Preference(person=me)
    form = ZoneForm(request.POST if request.method == "POST" else None, instance=preference)
    if form.is_bound and form.is_valid():
        form.save()
        messages.success(request, "Saved. Times are shown in your zone from now on.")
        return HttpResponseRedirect(reverse("preferences"))
    page = {
        "title": "How I read", "form": form, "zones": sorted(zones.known()),
        "servers": timezone.get_default_timezone_name(),
    }  # fmt: skip
    return TemplateResponse(request, "neuronz/preferences.html", {**admin.site.each_context(request), **page})


def account(request: HttpRequest) -> list[dict[str, Any]]:
    """What the menu of one's name holds besides the way out."""
    return [{"title": "How I read", "link": reverse("preferences")}]
