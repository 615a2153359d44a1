"""What sources of a type weigh in a product, unless one says otherwise itself."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString

from memories.admin import labels
from memories.admin.base import UnloggedAdmin, products_where
from memories.admin.filters import ProductFilter
from memories.models import Product
from sources.models import AuthorityDefault


@admin.register(AuthorityDefault)
class AuthorityDefaultAdmin(UnloggedAdmin):
    list_filter = (ProductFilter,)
    list_display: ClassVar[list[str]] = ["kind", "authority", "product"]
    fields = ("product", "type", "tier")
    empty_title = "No default of your own"
    empty_text = (
        "GitHub and Google Drive weigh official, ClickUp, folders and uploads team. Add a default to say otherwise for "
        "a product; a source's own tier still goes before it."
    )

    @labels.column("Sources that read")
    def kind(self, default: AuthorityDefault) -> str:
        return default.get_type_display()

    @labels.column("Weigh")
    def authority(self, default: AuthorityDefault) -> SafeString:
        return labels.tier_label(default.tier)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        kwargs["queryset"] = Product.objects.filter(pk__in=products_where(request, self.least_role))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("product", "type") if obj else ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.is_open_to(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A default is a setting, no memory: without it, the type's own default is in force again."""
        return self.is_open_to(request)
