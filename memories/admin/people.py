"""People: invited by superusers alone. Managers say who belongs to a product, on the product's page."""

from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from memories.admin import labels
from memories.admin.memberships import ProductsInline
from memories.choices import Role

User = get_user_model()
# Django registers its own as soon as its module is imported, which has just happened.
admin.site.unregister([User, Group])


class SuperuserOnly:
    """Django's permissions are no gate here; a superuser is."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)


@admin.register(User)
class UserAdmin(SuperuserOnly, DjangoUserAdmin, ModelAdmin):  # type: ignore[misc,type-arg]  # unfold is not typed
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    inlines = (ProductsInline,)
    list_display = ("username", "full_name", "email", "enters", "is_superuser", "belongs_to", "last_login")
    list_filter = ()
    list_fullwidth = True
    filter_horizontal = ()
    empty_title = "Nobody yet"
    empty_text = "Invite people here, and say which products they belong to."
    ENTRY: tuple[str, Any] = (
        "Entry",
        {
            "fields": ("is_active", "is_staff", "is_superuser"),
            "description": (
                "Whoever works here needs <b>staff status</b>, which opens nothing by itself: what a person sees "
                "follows from the products they belong to. A superuser sees all products, but no private memories."
            ),
        },
    )
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        ENTRY,
    )
    add_fieldsets = ((None, {"fields": ("username", "usable_password", "password1", "password2")}), ENTRY)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("memberships__product")

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Whoever is invited comes to work here."""
        return {"is_staff": True, **super().get_changeform_initial_data(request)}

    @labels.column("Name")
    def full_name(self, person: Any) -> str:
        return str(person.get_full_name())

    @labels.column("May enter", boolean=True)
    def enters(self, person: Any) -> bool:
        return bool(person.is_active and person.is_staff)

    @labels.column("Belongs to")
    def belongs_to(self, person: Any) -> str:
        return ", ".join(f"{each.product} ({Role(each.role).label.lower()})" for each in person.memberships.all())


@admin.register(Group)
class GroupAdmin(SuperuserOnly, DjangoGroupAdmin, ModelAdmin):  # type: ignore[misc]  # unfold is not typed
    """Django's groups, for whoever connects a directory. They open nothing in Neuronz."""

    empty_title = "No groups"
    empty_text = "Groups open nothing in Neuronz; what a person sees follows from the products they belong to."
