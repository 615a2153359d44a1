"""Products: their settings, each explained, and who belongs to them. For managers; superusers make new ones."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from unfold.admin import TabularInline
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminTextInputWidget

from memories.admin import acts, labels
from memories.admin.acting import ActingForm
from memories.admin.base import WalledAdmin, products_where
from memories.choices import Role
from memories.models import Membership, Product
from memories.services import products


class NewProductForm(ActingForm, acts.DialogForm):
    slug = forms.CharField(
        max_length=64, help_text="Small letters, digits, - and _. It stays; the name can be changed.",
        widget=UnfoldAdminTextInputWidget,
    )  # fmt: skip
    name = forms.CharField(max_length=200, required=False, widget=UnfoldAdminTextInputWidget)

    def act(self) -> Product:
        return products.create_product(slug=self.cleaned_data["slug"], name=self.cleaned_data["name"])


class MembershipForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's class takes no argument at run time
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
    """The people of one product. Whoever manages it says who belongs to it."""

    model = Membership
    form = MembershipForm
    extra = 0
    hide_title = True
    verbose_name = "person"
    verbose_name_plural = "people"
    fields = ("user", "role")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("user").order_by("user__username")

    def _is_managed(self, request: HttpRequest, product: Product | None) -> bool:
        """Django asks without a product too, for the inline as such."""
        managed = products_where(request, Role.MANAGER)
        return bool(managed) if product is None else product.pk in managed

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._is_managed(request, obj)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._is_managed(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._is_managed(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._is_managed(request, obj)


@admin.register(Product)
class ProductAdmin(WalledAdmin):
    list_display: ClassVar[list[str]] = ["name", "slug", "zone", "floor", "secrets", "people", "programs"]
    search_fields = ("name", "slug")
    readonly_fields = ("slug", "created_at")
    inlines = (MembershipInline,)
    actions_list = ("create",)
    empty_title = "No product yet"
    empty_text = (
        "A product is the wall: one pool of memories, with its own people and agents. Two products never see "
        "each other."
    )
    fieldsets = (
        (None, {"fields": ("name", "slug", "created_at")}),
        (
            "How it remembers",
            {
                "fields": ("zone", "fact_neighbor_floor", "secrets"),
                "description": "These hold for what is written from now on; what is stored stays as it was written.",
            },
        ),
    )

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        counted = rows.annotate(
            people_count=Count("memberships", distinct=True), agent_count=Count("agents", distinct=True)
        )
        return counted.filter(pk__in=products_where(request, self.least_role))

    @labels.column("Similar facts from")
    def floor(self, product: Product) -> str:
        return f"{product.fact_neighbor_floor:.2f}"

    @labels.column("People")
    def people(self, product: Any) -> int:
        return int(product.people_count)

    @labels.column("Agents")
    def programs(self, product: Any) -> int:
        return int(product.agent_count)

    def is_open_to(self, request: HttpRequest) -> bool:
        """A superuser of an empty server begins here."""
        return super().is_open_to(request) or bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    def has_create_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    @acts.dialog(
        "New product", text="One pool of memories, behind its own wall.", icon="add", permission="create",
        form=NewProductForm, variant=ActionVariant.PRIMARY,
    )  # fmt: skip
    def create(self, request: HttpRequest, form: NewProductForm) -> HttpResponse:
        messages.success(request, "Created. Add its people here, then an agent.")
        return acts.go(request, reverse("admin:memories_product_change", args=[form.answer.pk]))
