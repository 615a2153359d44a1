"""The form of a source, built from the fields that its connector declares. Credentials go in and never come out."""

from collections.abc import Mapping
from datetime import time
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from memories.admin.acting import ActingForm
from memories.admin.base import products_where
from memories.choices import Role, Tier
from memories.models import Product
from sources import connections
from sources.choices import SourceType
from sources.connectors.base import Connector, Field, FieldKind
from sources.connectors.registry import connected_types, connector_of
from sources.models import Source

#: Before the names of the connector's own fields.
OWN = "value_"
#: What is no value of the connector.
PLANNED = ("name", "tier", "every_minutes", "times", "quiet_from", "quiet_until")
SET = "It is set, and never shown. Leave it empty to keep it."


def types_open_to(request: HttpRequest) -> list[SourceType]:
    """A folder is read with the server's own rights: a superuser's to choose, unless the folders are narrowed."""
    may_read_disk = bool(request.user.is_superuser or settings.FOLDER_ROOTS)
    return [each for each in connected_types() if each != SourceType.FOLDER or may_read_disk]


class SourceForm(ActingForm, forms.ModelForm):  # type: ignore[type-arg]  # Django's class takes no argument at run time
    name = forms.CharField(
        max_length=200, help_text="How lists and facts name it.",
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    tier = forms.ChoiceField(
        required=False, choices=[("", "Not set: what the product or the type says"), *Tier.choices],
        help_text="What its statements weigh, from the next run on. What is stored stays as it was.",
        widget=UnfoldAdminSelectWidget,
    )  # fmt: skip
    every_minutes = forms.IntegerField(
        required=False, min_value=1, max_value=7 * 24 * 60, label="Every (minutes)",
        help_text="Empty, with no times below: it is only read when somebody says so.",
        widget=UnfoldAdminIntegerFieldWidget,
    )  # fmt: skip
    times = forms.CharField(
        required=False, label="At these times",
        help_text="In the product's time zone, such as 06:00, 18:00. They go before the interval.",
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "06:00, 18:00"}),
    )  # fmt: skip
    quiet_from = forms.TimeField(
        required=False, help_text="No run begins from this time of day …",
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "22:00"}),
    )  # fmt: skip
    quiet_until = forms.TimeField(
        required=False, help_text="… until this one. It may run over midnight.",
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "05:00"}),
    )  # fmt: skip

    type_: SourceType

    class Meta:
        model = Source
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        source: Source = self.instance
        if "product" in self.fields:
            managed: Any = self.fields["product"]
            managed.queryset = Product.objects.filter(pk__in=products_where(self.request, Role.MANAGER))
        if not source._state.adding:
            self.initial = {
                **self.initial,
                "name": source.name, "tier": source.tier, "every_minutes": source.every_minutes,
                "times": ", ".join(f"{each:%H:%M}" for each in source.times),
                "quiet_from": source.quiet_from, "quiet_until": source.quiet_until,
            }  # fmt: skip
            self._fill(source)

    def _fill(self, source: Source) -> None:
        """What is stored, secrets left out."""
        is_set = connections.secrets_of(source)
        for each in connector_of(self.type_).fields:
            field = self.fields[OWN + each.name]
            if each.kind != FieldKind.SECRET:
                self.initial[OWN + each.name] = _shown(each, source.values.get(each.name))
            elif each.name in is_set:
                field.required = False
                field.help_text = f"{SET} {each.help}"

    def clean_times(self) -> list[time]:
        try:
            named = [each.strip() for each in self.cleaned_data["times"].split(",")]
            return sorted({time.fromisoformat(each) for each in named if each})
        except ValueError:
            raise forms.ValidationError("Times of day look like 06:00, with commas between them.") from None

    def act(self) -> Source:
        cleaned: dict[str, Any] = self.cleaned_data
        entered = {name.removeprefix(OWN): value for name, value in cleaned.items() if name.startswith(OWN)}
        planned = {each: cleaned[each] for each in PLANNED}
        if self.instance._state.adding:
            return connections.connect(product=cleaned["product"], type_=self.type_, entered=entered, **planned)
        return connections.change(self.instance, entered=entered, **planned)

    def _show(self, error: Any) -> None:
        """A connector's own field is named by its own name there."""
        fields: dict[str, list[str]] = getattr(error, "fields", {})
        for name in [name for name in fields if OWN + name in self.fields]:
            fields[OWN + name] = fields.pop(name)
        super()._show(error)

    def _post_clean(self) -> None:
        """The service has saved the row."""


def form_for(request: HttpRequest, type_: SourceType, *, is_new: bool) -> type[SourceForm]:
    """A form class with the fields of this connector."""
    connector = connector_of(type_)
    fields: dict[str, Any] = {OWN + each.name: _field(each) for each in connector.fields}
    if is_new:
        fields["product"] = forms.ModelChoiceField(
            queryset=Product.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget,
            help_text="What is read goes into its shared memories. It stays in this product.",
        )  # fmt: skip
    return type("ConnectedSourceForm", (SourceForm,), {**fields, "type_": type_, "request": request})


def fieldsets_for(type_: SourceType, *, is_new: bool) -> list[Any]:
    connector: type[Connector] = connector_of(type_)
    first = ("product", "name", "tier") if is_new else ("name", "tier")
    return [
        (None, {"fields": first}),
        (f"Where it reads: {connector.label}", {"fields": tuple(OWN + each.name for each in connector.fields)}),
        (
            "When",
            {"fields": ("every_minutes", "times", ("quiet_from", "quiet_until"))},
        ),
    ]


def entered_in(posted: Mapping[str, Any], type_: SourceType) -> dict[str, Any]:
    """What stands in the form now, for trying it out before it is saved."""
    entered: dict[str, Any] = {}
    for each in connector_of(type_).fields:
        name = OWN + each.name
        many = each.kind == FieldKind.CHOICES
        entered[each.name] = posted.getlist(name) if many else posted.get(name, "")  # type: ignore[attr-defined]  # a QueryDict
    return entered


def _field(declared: Field) -> forms.Field:
    """What a browser shows for one declared field."""
    common: dict[str, Any] = {"label": declared.label, "help_text": declared.help, "required": declared.required}
    initial = _shown(declared, None)
    if declared.kind == FieldKind.SECRET:
        return forms.CharField(
            widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}, render_value=False), **common
        )
    if declared.kind == FieldKind.LINES:
        return forms.CharField(widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}), initial=initial, **common)
    if declared.kind == FieldKind.CHOICE:
        return forms.ChoiceField(choices=declared.choices, widget=UnfoldAdminSelectWidget, initial=initial, **common)
    if declared.kind == FieldKind.CHOICES:
        return forms.MultipleChoiceField(
            choices=declared.choices, widget=UnfoldAdminCheckboxSelectMultipleWidget, initial=initial, **common
        )
    if declared.kind == FieldKind.SWITCH:
        return forms.BooleanField(widget=UnfoldBooleanSwitchWidget, initial=initial, **common | {"required": False})
    return forms.CharField(widget=UnfoldAdminTextInputWidget, initial=initial, **common)


def _shown(declared: Field, value: Any) -> Any:
    value = declared.default if value is None else value
    if declared.kind == FieldKind.LINES and not isinstance(value, str):
        return "\n".join(value)
    return list(value) if isinstance(value, tuple) else value
