"""Headers of every page: nobody else keeps a copy, and no search engine lists it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

HEADERS = {
    "Cache-Control": "private, no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def private_pages(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware; an answer that says something else of these, such as a style sheet, has its way."""

    def with_headers(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return with_headers
