"""What is shown where something is wrong. No page says more than whoever sees it may know."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Also where the host is none of ours: nothing here may ask what it is called."""
    return HttpResponse(render_to_string("400.html"), status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


@login_not_required
def form_not_ours(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form came without the token that our pages give it."""
    return render(request, "403_form.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Without the request: whatever went wrong may be in what the pages know of it."""
    return HttpResponse(render_to_string("500.html"), status=500)
