"""Agents and their keys: made, rotated and revoked here. A key is shown once, by the answer that made it."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Count, Max, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from memories.admin import acts, filters, labels
from memories.admin.acting import ActingForm
from memories.admin.base import DrawnAdmin, products_where
from memories.admin.connect import ConnectPage
from memories.choices import Permission, Role
from memories.errors import NeuronzError
from memories.models import Agent, AgentKey, Product
from memories.services import keys


class NewAgentForm(ActingForm, acts.DialogForm):
    product = forms.ModelChoiceField(
        queryset=Product.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget,
        help_text="It stays in this product.",
    )  # fmt: skip
    name = forms.CharField(
        max_length=100, help_text="How history and lists name it, for example claude-code.",
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        managed: Any = self.fields["product"]
        managed.queryset = Product.objects.filter(pk__in=products_where(self.request, Role.MANAGER))

    def act(self) -> tuple[Agent, str]:
        return keys.create_agent(
            product=self.cleaned_data["product"], name=self.cleaned_data["name"], created_by=_name(self.request)
        )


class NewKeyForm(acts.ConfirmForm):
    permissions = forms.MultipleChoiceField(
        choices=Permission.choices, initial=Permission.values, label="What it may do",
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )  # fmt: skip


@admin.register(Agent)
class AgentAdmin(ConnectPage, DrawnAdmin):
    change_form_template = "memories/admin/agent.html"
    list_filter = (filters.ProductFilter,)
    search_fields = ("name",)
    actions_list = ("create", "connect")
    actions_detail = ("new_key",)
    list_display: ClassVar[list[str]] = ["name", "product", "valid_keys", "last_used", "since"]
    empty_title = "No agent yet"
    empty_text = (
        "An agent is a program that remembers and recalls in one product. It is known by its key, which is shown once."
    )

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        valid = Q(keys__revoked_at__isnull=True) & (
            Q(keys__expires_at__isnull=True) | Q(keys__expires_at__gt=timezone.now())
        )
        counted = rows.annotate(valid=Count("keys", filter=valid), used=Max("keys__last_used_at"))
        return super().within_walls(counted, request).select_related("product")

    @labels.column("Valid keys")
    def valid_keys(self, agent: Any) -> int:
        return int(agent.valid)

    @labels.column("Last used")
    def last_used(self, agent: Any) -> SafeString | str:
        return labels.when_label(agent.used) or "never"

    @labels.column("Since")
    def since(self, agent: Agent) -> SafeString | str:
        return labels.when_label(agent.created_at)

    def has_manage_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        agent = self.row_or_404(request, object_id or "")
        context = {
            "title": "Agent", "subtitle": agent.name, "agent": agent, "since": labels.when_label(agent.created_at),
            "keys": [_row(key) for key in _keys_of(agent)],
        }  # fmt: skip
        return super().changeform_view(request, object_id, form_url, context | (extra_context or {}))  # type: ignore[no-any-return]  # unfold

    @acts.dialog(
        "New agent", text="It gets a key, which is shown once.", icon="add", permission="manage", form=NewAgentForm,
        variant=ActionVariant.PRIMARY,
    )  # fmt: skip
    def create(self, request: HttpRequest, form: NewAgentForm) -> HttpResponse:
        agent, secret = form.answer
        return show_once(request, agent, secret)

    @acts.dialog(
        "New key", text="A further key for this agent, shown once.", icon="key", permission="manage", form=NewKeyForm,
        variant=ActionVariant.PRIMARY,
    )  # fmt: skip
    def new_key(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        agent = self.row_or_404(request, object_id)
        chosen = tuple(Permission(name) for name in form.cleaned_data["permissions"])
        _, secret = keys.issue(agent=agent, permissions=chosen, created_by=_name(request))
        return show_once(request, agent, secret)


@admin.register(AgentKey)
class AgentKeyAdmin(DrawnAdmin):
    """Every key of the person's products. The digest is never fetched."""

    list_display: ClassVar[list[str]] = ["key", "state", "agent", "product", "made", "used", "ends"]
    list_display_links = None
    actions_row = ("rotate", "revoke")
    empty_title = "No key yet"
    empty_text = "Keys come with agents; make an agent first."

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        managed = products_where(request, self.least_role)
        return (
            rows.filter(agent__product__in=managed)
            .select_related("agent__product", "rotated_from")
            .defer("digest", "rotated_from__digest")
        )

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """A key's page is its agent's."""
        return HttpResponseRedirect(page_of(self.row_or_404(request, object_id or "").agent))

    @labels.column("Key")
    def key(self, key: AgentKey) -> SafeString:
        return format_html("<code>{}</code>", key)

    @labels.column("State", label={"Valid": "success", "Revoked": "danger", "Ends soon": "warning"})
    def state(self, key: AgentKey) -> str:
        return state_of(key)

    @labels.column("Product")
    def product(self, key: AgentKey) -> str:
        return str(key.agent.product)

    @labels.column("Created")
    def made(self, key: AgentKey) -> SafeString:
        how = "in place of " + str(key.rotated_from) if key.rotated_from else ""
        by = f"by {key.created_by}" if key.created_by else ""
        said = format_html('<br><span class="desk-quiet">{}</span>', how) if how else ""
        return format_html("{} {}{}", labels.when_label(key.created_at), by, said)

    @labels.column("Last used")
    def used(self, key: AgentKey) -> SafeString | str:
        return labels.when_label(key.last_used_at) or "never"

    @labels.column("Ends")
    def ends(self, key: AgentKey) -> SafeString | str:
        if key.revoked_at:
            by = f"by {key.revoked_by}" if key.revoked_by else ""
            return format_html("revoked {} {}", labels.when_label(key.revoked_at), by)
        return labels.when_label(key.expires_at) or "never"

    def has_manage_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    @acts.dialog(
        "Rotate", icon="autorenew", permission="manage", form=acts.ConfirmForm,
        text="A new key with the same permissions, shown once. The old one goes on working for 24 hours.",
    )  # fmt: skip
    def rotate(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        key = self.row_or_404(request, object_id)
        try:
            _, secret = keys.rotate(key=key, created_by=_name(request))
        except NeuronzError as error:
            return acts.refuse(request, error, page_of(key.agent))
        return show_once(request, key.agent, secret)

    @acts.dialog(
        "Revoke", text="The key ends at once, and for good.", icon="block", permission="manage",
        form=acts.ConfirmForm, variant=ActionVariant.DANGER,
    )  # fmt: skip
    def revoke(self, request: HttpRequest, form: forms.Form, object_id: str) -> HttpResponse:
        key = self.row_or_404(request, object_id)

        def act() -> str:
            keys.revoke(key=key, revoked_by=_name(request))
            return f"Revoked: {key} works no more."

        acts.attempt(request, act)
        return acts.go(request, page_of(key.agent))


def show_once(request: HttpRequest, agent: Agent, secret: str) -> HttpResponse:
    """The answer itself holds the key: it is in no session, message, cookie or address, and no cache keeps it."""
    answer = render(request, "memories/admin/key_once.html", {"agent": agent, "secret": secret})
    answer["Cache-Control"] = "no-store"
    # The dialog that asked makes room for the key.
    for name, value in (("Retarget", "#dialog"), ("Reselect", "#dialog"), ("Reswap", "outerHTML")):
        answer[f"HX-{name}"] = value
    return answer


def state_of(key: AgentKey) -> str:
    now = timezone.now()
    if key.revoked_at:
        return "Revoked"
    if key.expires_at is None:
        return "Valid"
    return "Ends soon" if key.expires_at > now else "Expired"


def page_of(agent: Agent) -> str:
    return reverse("admin:memories_agent_change", args=[agent.pk])


def _keys_of(agent: Agent) -> Any:
    return agent.keys.select_related("rotated_to").defer("digest", "rotated_to__digest")


def _row(key: AgentKey) -> dict[str, Any]:
    state = state_of(key)
    return {
        "key": key,
        "state": state,
        "colour": {"Valid": "success", "Revoked": "danger", "Ends soon": "warning"}.get(state, ""),
        "permissions": ", ".join(Permission(name).label for name in key.permissions),
        "created": labels.when_label(key.created_at),
        "used": labels.when_label(key.last_used_at) or "never",
        "ends": labels.when_label(key.expires_at) or "never",
        "is_rotated": hasattr(key, "rotated_to"),
    }


def _name(request: HttpRequest) -> str:
    return request.user.get_username()
