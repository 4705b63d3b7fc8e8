"""Addresses of a page with a script, and of pages on which something goes wrong."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template import RequestContext, Template
from django.urls import URLPattern, URLResolver, path

from cranfield.web import urls
from cranfield.web.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500"]


@login_not_required
def script(request: HttpRequest) -> HttpResponse:
    page = Template('<script nonce="{{ request.csp_nonce }}">1</script>')
    return HttpResponse(page.render(RequestContext(request)))


@login_not_required
def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("the soup is cold")


@login_not_required
def denied(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


urlpatterns: list[URLPattern | URLResolver] = [
    *urls.urlpatterns,
    path("script", script),
    path("broken", broken),
    path("denied", denied),
]
