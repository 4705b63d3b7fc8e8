"""Serving the application: everything that has to be there is there, or an error says what is not."""

from __future__ import annotations

import errno
import os
import signal
import socket
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from cranfield.errors import DataError, UsageError
from cranfield.web.addresses import (
    EVERYWHERE,
    HOST,
    PORT,
    behind_tls,
    in_address,
    names,
    public_address,
    remember,
    speaks_plainly,
)
from cranfield.web.loading import database_errors, load

if TYPE_CHECKING:
    from waitress.server import BaseWSGIServer

THREADS = 8


@dataclass(frozen=True)
class Serving:
    """The application, about to answer."""

    address: str
    first_administrator: str | None
    """A link that makes the first administrator, once; None if there is one."""
    folder: Path
    unnamed: bool
    """Whether it listens to the network, and has not been told by which names it goes there."""
    plain: bool
    """Whether it listens to the network without TLS."""
    server: BaseWSGIServer

    def run(self) -> None:
        """Answer until Ctrl-C or SIGTERM: requests that are being answered are finished."""

        def stop(number: int, frame: FrameType | None) -> NoReturn:
            raise SystemExit(0)

        before = signal.signal(signal.SIGTERM, stop)
        try:
            self.server.run()
        finally:
            signal.signal(signal.SIGTERM, before)
            self.server.close()


def start(
    *,
    host: str = HOST,
    port: int = PORT,
    threads: int = THREADS,
    data: str | Path | None = None,
    workspace: str | Path | None = None,
) -> Serving:
    """Make everything ready and take the port; `run` answers.

    SQLite's tables are brought to this version; those of PostgreSQL, which others may be using, by command.
    """
    load(data, workspace)
    from django.conf import settings
    from django.urls import reverse
    from waitress.server import create_server

    from cranfield.web import instance
    from cranfield.web.accounts.invitations import invite_administrator
    from cranfield.web.body_limits import limit_bodies
    from cranfield.web.wsgi import application

    listening = _listen(host, port)
    if host not in EVERYWHERE:
        settings.ALLOWED_HOSTS.append(in_address(host))
    with database_errors():
        _make_tables()
        secret = invite_administrator()
    address = public_address(host, listening.getsockname()[1])
    remember(address)
    return Serving(
        address=address,
        first_administrator=None if secret is None else address.rstrip("/") + reverse("join", args=(secret,)),
        folder=instance.folder(),
        unnamed=host in EVERYWHERE and not names(),
        plain=speaks_plainly(host),
        server=limit_bodies(create_server(application, sockets=[listening], threads=threads, **_server_settings())),
    )


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OverflowError:
        raise UsageError(f"--port {port}: expected 0 to 65535") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UsageError(
                f"{host}:{port} is taken: another program listens there, perhaps this application already. "
                f"Give another with --port, such as --port {port + 1 if port < 65535 else 8000}"
            ) from None
        raise UsageError(f"{host}:{port}: cannot be listened to: {error.strerror or error}") from None


def _make_tables() -> None:
    from django.db import connection

    from cranfield.web.schema import migrate, pending

    if connection.vendor == "sqlite":
        migrate()
    elif todo := pending():
        raise DataError(
            f"the database is not that of this version ({len(todo)} migrations to go): run `cranfield web migrate`"
        )


def _server_settings() -> dict[str, object]:
    """What a client says of who it is counts only if it is the proxy that we were told of."""
    from django.conf import settings

    always = {"ident": "", "max_request_body_size": settings.UPLOAD_MAX_SIZE, "clear_untrusted_proxy_headers": True}
    if not behind_tls():
        return always
    return {
        **always,
        "trusted_proxy": os.environ.get("CRANFIELD_PROXY", HOST),
        "trusted_proxy_count": 1,
        "trusted_proxy_headers": "x-forwarded-for x-forwarded-proto",
    }
