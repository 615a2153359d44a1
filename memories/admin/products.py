"""Products: their settings, each explained, and who belongs to them. For managers; superusers make new ones."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminTextInputWidget

from memories.admin import acts, labels
from memories.admin.acting import ActingForm
from memories.admin.base import WalledAdmin, products_where
from memories.admin.memberships import PeopleInline
from memories.models import Product
from memories.services import products


class NewProductForm(ActingForm, acts.DialogForm):
    slug = forms.CharField(
        max_length=64, help_text="Small letters, digits, - and _. It stays; the name can be changed.",
        widget=UnfoldAdminTextInputWidget,
    )  # fmt: skip
    name = forms.CharField(max_length=200, required=False, widget=UnfoldAdminTextInputWidget)

    def act(self) -> Product:
        return products.create_product(slug=self.cleaned_data["slug"], name=self.cleaned_data["name"])


@admin.register(Product)
class ProductAdmin(WalledAdmin):
    list_display: ClassVar[list[str]] = ["name", "slug", "zone", "floor", "secrets", "people", "programs"]
    search_fields = ("name", "slug")
    readonly_fields = ("slug", "created_at")
    inlines = (PeopleInline,)
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
