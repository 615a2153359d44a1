"""Who belongs to which product: told on the product's page by its managers, on the person's page by superusers."""

from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from unfold.admin import TabularInline
from unfold.widgets import UnfoldAdminTextInputWidget

from memories.admin.base import products_where
from memories.choices import Role
from memories.models import Membership, Product

SIDES = ("user_id", "product_id")


class MembershipForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's class takes no argument at run time
    """Django checks a constraint between a row and its page's own row only among the rows that were sent."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        ids = {name: getattr(self.instance, name) or getattr(cleaned.get(name[:-3]), "pk", None) for name in SIDES}
        twin = Membership.objects.filter(**ids).exclude(pk=self.instance.pk)
        if all(ids.values()) and twin.exists():
            raise forms.ValidationError("This person belongs to this product already; change the role instead.")
        return cleaned


class NamedMembershipForm(MembershipForm):
    """A colleague is named, not picked from a list: who else is on this server is no manager's business."""

    user = forms.ModelChoiceField(
        queryset=get_user_model().objects.none(), to_field_name="username", label="User name",
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        error_messages={"invalid_choice": "Nobody has this user name. A superuser can invite people."},
    )  # fmt: skip

    class Meta:
        model = Membership
        fields = ("user", "role")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["user"]
        if self.instance.pk:
            field.queryset = get_user_model().objects.filter(pk=self.instance.user_id)
            self.initial["user"] = self.instance.user
            field.disabled = True
        else:
            field.queryset = get_user_model().objects.filter(is_active=True)


class MembershipInline(TabularInline):  # type: ignore[misc]  # unfold is not typed
    model = Membership
    extra = 0
    hide_title = True

    def is_open_to(self, request: HttpRequest, row: Any) -> bool:
        raise NotImplementedError

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request, obj)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request, obj)


class PeopleInline(MembershipInline):
    """The people of one product."""

    form = NamedMembershipForm
    fields = ("user", "role")
    verbose_name = "person"
    verbose_name_plural = "people"

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("user").order_by("user__username")

    def is_open_to(self, request: HttpRequest, row: Product | None) -> bool:
        """Django asks without a product too, for the inline as such."""
        managed = products_where(request, Role.MANAGER)
        return bool(managed) if row is None else row.pk in managed


class ProductsInline(MembershipInline):
    """The products of one person."""

    form = MembershipForm
    fields = ("product", "role")
    verbose_name = "product"
    verbose_name_plural = "products"

    def is_open_to(self, request: HttpRequest, row: Any) -> bool:
        return bool(request.user.is_superuser)
