"""Headers that tell browsers what a page of ours may do. No page runs a script that stands in it.

Django 5.2 has no setting for a content security policy yet; this is all of it that is needed here.
"""

from collections.abc import Callable, Mapping

from django.http import HttpRequest
from django.http.response import HttpResponseBase

#: JSON: nothing in it may do anything.
NOTHING = {"default-src": "'none'", "frame-ancestors": "'none'", "base-uri": "'none'", "form-action": "'none'"}
PAGES = {
    "default-src": "'self'", "script-src": "'self'", "img-src": "'self' data:", "object-src": "'none'",
    "frame-ancestors": "'none'", "base-uri": "'self'", "form-action": "'self'",
    # Attributes `style=` of the admin's own widgets.
    "style-src": "'self' 'unsafe-inline'",
}  # fmt: skip
#: The admin's menus (Alpine) read expressions from attributes of our own templates, which counts as eval.
ADMIN = PAGES | {"script-src": "'self' 'unsafe-eval'"}
#: By the beginning of the path; the first that fits.
POLICIES: Mapping[str, Mapping[str, str]] = {"/admin/": ADMIN, "/api/docs/": PAGES, "/static/": PAGES, "/": NOTHING}


class ContentPolicyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.headers = {
            start: "; ".join(f"{name} {value}" for name, value in policy.items()) for start, policy in POLICIES.items()
        }

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        start = next(start for start in self.headers if request.path_info.startswith(start) or start == "/")
        response.headers.setdefault("Content-Security-Policy", self.headers[start])
        return response
