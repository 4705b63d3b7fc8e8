"""The address of the description, which anybody may read: it says nothing of any project."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

from cranfield.web.api.description import describe
from cranfield.web.api.problems import ProblemError
from cranfield.web.api.routing import for_programs
from cranfield.web.api.table import OPERATIONS


@for_programs
def described(request: HttpRequest) -> HttpResponseBase:
    allowed = {"Allow": "GET, HEAD, OPTIONS"}
    if request.method == "OPTIONS":
        return HttpResponse(status=204, headers=allowed)
    if request.method not in {"GET", "HEAD"}:
        raise ProblemError(405, f"{request.method!s:.20} is not for this address", headers=allowed)
    return JsonResponse(describe(OPERATIONS))
