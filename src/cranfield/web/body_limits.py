"""How much a request may bring, known from its address before any of it is read.

The server takes a request whole before the application sees who it is from. So only where files are uploaded may it be
as large as files are; elsewhere nobody makes the server keep more than a form, or some answers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser

if TYPE_CHECKING:
    from waitress.server import BaseWSGIServer

FORM = 2 * 1024 * 1024
"""Of whatever is not named below."""
_PROJECT = r"/projects/[0-9a-f-]{36}"
UPLOADS = (
    r"/projects/new/",
    rf"{_PROJECT}/pool/(?:gold/)?",
    rf"{_PROJECT}/again/compare/",
    rf"{_PROJECT}/review/what-if/",
    rf"{_PROJECT}/exchange/",
    rf"{_PROJECT}/task/(?:hand-in/|settings/|pool/|releases/new/)",
)
ANSWERS = (rf"{_PROJECT}/judge/answers", r"/api/.*")


def most_bytes(path: str) -> int:
    """How large a request to an address may be.

    >>> most_bytes("/login/") == FORM, most_bytes("/projects/new/") > FORM
    (True, True)
    """
    from django.conf import settings

    if any(re.fullmatch(address, path) for address in UPLOADS):
        return int(settings.UPLOAD_MAX_SIZE)
    if any(re.fullmatch(address, path) for address in ANSWERS):
        return int(settings.ANSWERS_MAX_SIZE)
    return FORM


def limit_bodies(server: BaseWSGIServer) -> BaseWSGIServer:
    """The server, which refuses what is too large for its address."""
    server.channel_class = _Channel
    return server


class _Settings:
    """The settings of the server, but for one."""

    def __init__(self, all_of_them: Any, most: int) -> None:
        self._all_of_them, self.max_request_body_size = all_of_them, most

    def __getattr__(self, name: str) -> Any:
        return getattr(self._all_of_them, name)


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        self.adj: Any = _Settings(self.adj, most_bytes(self.path))


class _Channel(HTTPChannel):  # type: ignore[misc]
    parser_class = _Parser
