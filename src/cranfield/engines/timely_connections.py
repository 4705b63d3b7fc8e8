"""Connections whose answers have to be complete by a deadline, however slowly they come.

The time limit of a socket begins anew with every byte, so that a server which sends one now and then is never late for
it. Here what is left of the time is the limit of each read: of the status, the headers and the content alike.
"""

from __future__ import annotations

import io
from functools import partial
from http.client import HTTPResponse
from socket import socket
from time import monotonic
from typing import TYPE_CHECKING, Any

from urllib3.connection import HTTPConnection, HTTPSConnection

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class TimelyConnection(HTTPConnection):
    """A request and its answer have `limit` seconds together; a `TimeoutError` says that they are over."""

    def __init__(self, *place: Any, limit: float, **settings: Any) -> None:
        super().__init__(*place, **settings)
        self._limit = limit

    def request(self, *what: Any, **options: Any) -> None:
        """Send a request, from which on time counts."""
        self.response_class = partial(_TimelyResponse, latest=monotonic() + self._limit)  # type: ignore[assignment]
        if self.sock is not None:
            self.sock.settimeout(self._limit)  # what the last read had left is no limit for this request
        super().request(*what, **options)


class TimelyTlsConnection(TimelyConnection, HTTPSConnection):
    """The same over TLS."""


class _TimelyResponse(HTTPResponse):
    def __init__(self, sock: socket, *arguments: Any, latest: float, **options: Any) -> None:
        super().__init__(sock, *arguments, **options)
        self.fp.close()
        self.fp = io.BufferedReader(_UntilTheDeadline(sock, latest))


class _UntilTheDeadline(io.RawIOBase):
    """What a socket receives, until the deadline."""

    def __init__(self, sock: socket, latest: float) -> None:
        self._sock, self._latest = sock, latest
        self._received = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, target: WriteableBuffer) -> int | None:
        left = self._latest - monotonic()
        if left <= 0:
            raise TimeoutError("the answer was not complete in time")
        self._sock.settimeout(left)
        return self._received.readinto(target)

    def close(self) -> None:
        self._received.close()
        super().close()
