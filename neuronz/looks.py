"""How the admin looks: django-unfold's settings. What they show per person is in neuronz/dashboard.py."""

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static


def mark(request: HttpRequest) -> str:
    return static("neuronz/mark.svg")


def picture(request: HttpRequest) -> str:
    return static("neuronz/login.svg")


def desk(request: HttpRequest) -> str:
    return static("neuronz/desk.css")


def keys(request: HttpRequest) -> str:
    return static("neuronz/keys.js")


#: Whoever logs in without having asked for a page comes to the front page.
LOGIN_REDIRECT_URL = "admin:index"

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Neuronz",
    "SITE_HEADER": "Neuronz",
    "SITE_SUBHEADER": "Memory for agents",
    "SITE_URL": None,
    "LOGIN": {"image": picture, "form": "neuronz.signing_in.SignInForm"},
    "SITE_ICON": mark,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": mark}],
    # Django's log of changes is not our history: every memory has its own, on its page.
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "STYLES": [desk],
    "SCRIPTS": [keys],
    "BORDER_RADIUS": "8px",
    "DASHBOARD_CALLBACK": "neuronz.front.front_page",
    "SIDEBAR": {"navigation": "neuronz.dashboard.navigation"},
    "TABS": "neuronz.dashboard.tabs",
    "ACCOUNT": {"navigation": "neuronz.people.account"},
    "COLORS": {
        # The colour of deep, still water; grey with a breath of it.
        "base": {
            "50": "oklch(98.4% .003 210)",
            "100": "oklch(96.4% .005 210)",
            "200": "oklch(92.2% .008 212)",
            "300": "oklch(86.5% .012 214)",
            "400": "oklch(70.8% .018 216)",
            "500": "oklch(54.6% .022 218)",
            "600": "oklch(44.2% .024 220)",
            "700": "oklch(36.6% .026 222)",
            "800": "oklch(27.4% .024 224)",
            "900": "oklch(20.6% .021 226)",
            "950": "oklch(13.6% .017 228)",
        },
        "primary": {
            "50": "oklch(97.6% .014 196)",
            "100": "oklch(94.4% .03 196)",
            "200": "oklch(88.6% .052 197)",
            "300": "oklch(80.8% .074 199)",
            "400": "oklch(71.8% .092 201)",
            "500": "oklch(61.6% .094 204)",
            "600": "oklch(50.4% .084 207)",
            "700": "oklch(43.4% .072 209)",
            "800": "oklch(37% .06 211)",
            "900": "oklch(31.6% .049 213)",
            "950": "oklch(23.4% .037 216)",
        },
    },
}
