"""What every page of the admin shares: who may open it, and that absent and another's answer alike.

Django's model permissions are not the gate, memberships are: a curator of a product opens its facts, raw texts and
writes, a manager its settings too, a superuser all products. `is_staff` alone opens nothing.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn
from uuid import UUID
from weakref import WeakKeyDictionary

from django.contrib import messages
from django.contrib.admin import ShowFacets
from django.contrib.admin.models import LogEntry
from django.contrib.admin.options import ModelAdmin as DjangoModelAdmin
from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.paginator import InfinitePaginator

from memories.actors import Actor
from memories.admin.views import SavedViews
from memories.choices import Origin, Role
from memories.models import Membership, Product

#: What a membership must be, to open a page that asks for a role.
ENOUGH = {Role.CURATOR: (Role.CURATOR, Role.MANAGER), Role.MANAGER: (Role.MANAGER,)}

if TYPE_CHECKING:
    _Last = object  # its attributes would clash with those of unfold's class, which mypy does not know
else:
    _Last = DjangoModelAdmin

Roles = Mapping[UUID, Role]
_ROLES: WeakKeyDictionary[HttpRequest, Roles] = WeakKeyDictionary()
_ROWS: WeakKeyDictionary[HttpRequest, dict[tuple[type[Model], str], Any]] = WeakKeyDictionary()


def roles_of(request: HttpRequest) -> Roles:
    """The person's role in each of their products. Looked up once per request."""
    if request not in _ROLES:
        _ROLES[request] = _roles(request.user)
    return _ROLES[request]


def _roles(user: Any) -> Roles:
    if user.is_superuser:
        return dict.fromkeys(Product.objects.values_list("pk", flat=True), Role.MANAGER)
    if not user.is_authenticated:
        return {}
    rows = Membership.objects.filter(user=user).values_list("product_id", "role")
    return {product_id: Role(role) for product_id, role in rows}


def products_where(request: HttpRequest, role: Role) -> list[UUID]:
    """The products in which the person has at least this role."""
    return [product_id for product_id, held in roles_of(request).items() if held in ENOUGH[role]]


def actor_for(user: AbstractUser | AnonymousUser, product_id: UUID) -> Actor:
    """The person as history names them."""
    return Actor(type=Origin.PERSON, name=user.get_username(), product_id=product_id, user_id=user.pk)


class WalledAdmin(SavedViews):
    """Rows of the person's products, to be read. Adding, changing and deleting are closed unless a page opens them.

    Every row comes out of `get_queryset`; whatever is not in it is a 404, in lists, pages, actions and autocompletes.
    """

    least_role: ClassVar[Role] = Role.MANAGER
    #: Nothing here counts a large table.
    paginator = InfinitePaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    list_disable_select_all = True
    list_per_page = 50
    list_fullwidth = True
    list_filter_submit = True
    sortable_by: ClassVar[tuple[str, ...]] = ()
    #: What an empty list says: what this page is, and how it fills.
    empty_title: ClassVar[str] = "Nothing here yet"
    empty_text: ClassVar[str] = ""

    def get_queryset(self, request: HttpRequest) -> Any:
        return self.within_walls(super().get_queryset(request), request)

    def within_walls(self, rows: Any, request: HttpRequest) -> Any:
        return rows.filter(product__in=products_where(request, self.least_role))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        try:
            return super().changelist_view(request, extra_context)
        except ValidationError:  # ids that no list of ours ever offered
            self.message_user(request, "Choose rows from the list.", messages.ERROR)
            return redirect(request.path)

    # --- who may what. unfold hands over ids where Django hands over rows: the queryset judges either.

    def is_open_to(self, request: HttpRequest) -> bool:
        return bool(products_where(request, self.least_role))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_open_to(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.is_open_to(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """ "Retired, never deleted.\""""
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Our own filters alone. Django would let any column of a related row be asked for, a password hash too."""
        return lookup in {name for each in self.get_list_filter(request) for name in _parameters(each)}

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Fetched once per request: Django, unfold and our own page each ask for it."""
        rows = _ROWS.setdefault(request, {})
        asked = (self.model, str(object_id))
        if asked not in rows:
            rows[asked] = super().get_object(request, object_id, from_field)
        return rows[asked]

    def row_or_404(self, request: HttpRequest, object_id: str) -> Any:
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        return row

    def _get_obj_does_not_exist_redirect(self, *_: object) -> NoReturn:
        """Django would redirect to the front page, and say which id it did not find."""
        raise Http404

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Django's own log is not our history (services/history.py)."""
        raise Http404


class UnloggedAdmin(WalledAdmin):
    """Django's log would keep the text of a memory where no erasure finds it; our history keeps who did what."""

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry | None:
        return None

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry | None:
        return None


class DrawnAdmin(UnloggedAdmin):
    """Pages that are only read, each drawn by its own template."""

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return []


class UntransactedAdmin(_Last):
    """ "Think outside, write inside": a service opens its own short transaction, Django's would be open all the while.

    It stands behind unfold's ModelAdmin among the bases, so it replaces Django's `changeform_view` and nothing else.
    """

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        return self._changeform_view(request, object_id, form_url, extra_context)  # type: ignore[attr-defined,no-any-return]  # not in Django's stubs


class ServiceAdmin(UnloggedAdmin, UntransactedAdmin):
    """Pages whose form asks a service (acting.py). `response_change` gets the service's answer."""

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002  # Django's signature
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.request = request
        return form

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:  # noqa: FBT001  # Django's signature
        return form.answer

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """The service has saved it."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        """The service has saved it."""


def _parameters(list_filter: Any) -> list[str]:
    """The names by which one filter is asked for in an address."""
    if isinstance(list_filter, tuple):
        return [f"{list_filter[0]}_from", f"{list_filter[0]}_to"]
    return [list_filter.parameter_name]
