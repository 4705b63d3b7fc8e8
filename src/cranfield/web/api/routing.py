"""From the table of operations to addresses: each path is a view that asks who it is, what they want, and answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from itertools import groupby
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db import IntegrityError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt

from cranfield.errors import CranfieldError
from cranfield.web.api.authorization import project_of, token_of
from cranfield.web.api.bodies import read_json, read_parameters
from cranfield.web.api.fitting import mistakes_in
from cranfield.web.api.operations import Asked, Operation
from cranfield.web.api.problems import ProblemError, not_there


def urls_of(operations: Iterable[Operation]) -> list[URLPattern]:
    """The addresses of a table of operations, in its order."""
    paths = groupby(operations, lambda operation: operation.path)
    return [path(django_route(route), _view(list(several))) for route, several in paths]


def django_route(route: str) -> str:
    """A path as Django writes it.

    >>> django_route("projects/{project}/exports/{export}")
    'projects/<uuid:project>/exports/<str:export>'
    """
    return re.sub(r"\{(\w+)\}", lambda part: f"<{'uuid' if part[1] == 'project' else 'str'}:{part[1]}>", route)


def for_programs(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view that looks at tokens, not at cookies: a forged form has nothing to use. Its problems are told as such."""

    @csrf_exempt
    @login_not_required
    @wraps(view)
    def answered(request: HttpRequest, **parts: Any) -> HttpResponseBase:
        try:
            return view(request, **parts)
        except ProblemError as problem:
            return problem.response()
        except CranfieldError as error:
            return ProblemError(409, str(error)).response()
        except IntegrityError:
            said = "an identifier that was sent belongs to something else already, or somebody was faster; try again"
            return ProblemError(409, said).response()
        except OperationalError:
            return ProblemError(503, "the database is busy; try again", headers={"Retry-After": "1"}).response()

    return answered


@for_programs
def nothing_here(request: HttpRequest, rest: str) -> HttpResponseBase:
    """Every other address below `/api/`."""
    token_of(request)
    raise not_there()


def _view(operations: list[Operation]) -> Callable[..., HttpResponseBase]:
    by_method = {operation.method: operation for operation in operations}

    @for_programs
    def resource(request: HttpRequest, **parts: Any) -> HttpResponseBase:
        token = token_of(request)
        project = project_of(token, parts.pop("project", token.project.pk))
        operation = _wanted(request, by_method)
        if isinstance(operation, HttpResponse):
            return operation
        if operation.writes and not token.may_write:
            raise ProblemError(403, "this token is for reading alone; a manager makes one that may write")
        if any(any(mistakes_in(value, operation.parts[name])) for name, value in parts.items()):
            raise not_there()
        parameters = read_parameters(request.GET, dict(operation.parameters))
        body = None if operation.body is None else read_json(request, operation.body)
        unless = request.headers.get("If-None-Match", "")
        answer = operation.answer(Asked(token, project, parts, parameters, body, unless))
        return answer if isinstance(answer, HttpResponseBase) else JsonResponse(answer)

    return resource


def _wanted(request: HttpRequest, by_method: Mapping[str, Operation]) -> Operation | HttpResponse:
    """The operation of a request's method. HEAD is GET without its body, which the server leaves out."""
    allowed = ", ".join(sorted({*by_method, "OPTIONS", *(["HEAD"] if "GET" in by_method else [])}))
    if request.method == "OPTIONS":
        return HttpResponse(status=204, headers={"Allow": allowed})
    method = "GET" if request.method == "HEAD" else request.method or ""
    if method not in by_method:
        raise ProblemError(
            405, f"{request.method!s:.20} is not for this address, but {allowed}", headers={"Allow": allowed}
        )
    return by_method[method]
