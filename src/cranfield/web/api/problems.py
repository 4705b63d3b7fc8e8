"""What is wrong with a request, in words and as a program can read it: problem details (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from django.http import JsonResponse

MEDIA_TYPE = "application/problem+json"
MOST_ERRORS = 20
"""A body with more mistakes than this has the others passed over."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong, and where: a JSON pointer into the body, or the name of a parameter."""

    where: str
    said: str


class ProblemError(Exception):
    """A request that is answered with a problem.

    >>> ProblemError(404, "there is no such project").response().status_code
    404
    """

    def __init__(
        self, status: int, said: str, mistakes: Sequence[Mistake] = (), headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(said)
        self.status, self.said, self.mistakes, self.headers = status, said, tuple(mistakes), dict(headers or {})

    def response(self) -> JsonResponse:
        content: dict[str, object] = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.said,
        }
        if self.mistakes:
            content["errors"] = [{"where": one.where, "detail": one.said} for one in self.mistakes[:MOST_ERRORS]]
        return JsonResponse(content, status=self.status, content_type=MEDIA_TYPE, headers=self.headers)


def not_there() -> ProblemError:
    """The same whether something is not there, or is there and not for this token."""
    return ProblemError(404, "there is nothing here for this token")
