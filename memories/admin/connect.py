"""The page that connects a program: its exact configuration, with a new key of the chosen agent in its place."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from unfold.widgets import UnfoldAdminSelectWidget

from memories import connecting
from memories.admin import acts
from memories.admin.base import WalledAdmin, products_where
from memories.choices import Role
from memories.models import Agent
from memories.services import keys


class ConnectForm(forms.Form):
    client = forms.ChoiceField(
        choices=list(connecting.LABELS.items()), label="Program", widget=UnfoldAdminSelectWidget,
        help_text="What is to remember and recall.",
    )  # fmt: skip
    agent = forms.ModelChoiceField(
        queryset=Agent.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget,
        help_text="The agent it acts as. It gets a further key; the ones it has go on working.",
    )  # fmt: skip

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        managed: Any = self.fields["agent"]
        mine = Agent.objects.filter(product__in=products_where(request, Role.MANAGER))
        self.agents = managed.queryset = mine.select_related("product").order_by("product__slug", "name")
        managed.label_from_instance = lambda agent: f"{agent.name} in {agent.product}"


class ConnectPage(WalledAdmin):
    """Adds the button and the page to the list of agents."""

    def has_connect_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.is_open_to(request)

    @acts.page("Connect a program", icon="cable", permission="connect", address="connect")
    def connect(self, request: HttpRequest) -> HttpResponse:
        """Asked for by GET; a key is made by POST alone, and its answer is kept by no cache."""
        form = ConnectForm(request.POST or None, request=request, initial=_initial(request))
        context = self.admin_site.each_context(request) | {
            "title": "Connect a program", "opts": self.opts, "form": form,
            "has_agents": form.agents.exists(),
            "agents": reverse("admin:memories_agent_changelist"),
        }  # fmt: skip
        if request.method == "POST" and form.is_valid():
            context |= _connected(request, form.cleaned_data["agent"], connecting.Client(form.cleaned_data["client"]))
        answer = render(request, "memories/admin/connect.html", context)
        answer["Cache-Control"] = "no-store"
        return answer


def _initial(request: HttpRequest) -> dict[str, str]:
    return {name: request.GET[name] for name in ("agent", "client") if name in request.GET}


def _connected(request: HttpRequest, agent: Agent, client: connecting.Client) -> dict[str, Any]:
    key, secret = keys.issue(agent=agent, created_by=request.user.get_username())
    access = connecting.Access(url=request.build_absolute_uri("/").rstrip("/"), key=secret)
    return {
        "agent": agent, "key": key, "client": connecting.LABELS[client], "steps": connecting.steps(client, access),
        "clone": access.clone,
    }  # fmt: skip
