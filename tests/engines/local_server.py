"""Servers for tests: on loopback, on any free port, in threads of their own, stopped by what started them."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Request:
    """What a server was asked."""

    method: str
    path: str
    parameters: dict[str, str]
    headers: dict[str, str]
    body: bytes
    client: tuple[str, int] = ("", 0)
    """The address it was asked from."""

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    """What a server says: JSON unless it is bytes already."""

    content: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0
    """So many bytes less are sent than announced."""

    def bytes(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else json.dumps(self.content).encode()


@contextlib.contextmanager
def serving(answer: Callable[[Request], Answer], tls: Any = None) -> Iterator[str]:
    """The URL of a server that answers like this."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _answer(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
            headers = {name.lower(): value for name, value in self.headers.items()}
            said = answer(Request(self.command, parts.path, parameters, headers, body, self.client_address))
            content = said.bytes()
            self.send_response(said.status)
            for name, value in {"Content-Type": "application/json", **said.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) - said.cut])
            self.close_connection = self.close_connection or bool(said.cut)

        do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that hung up is what some tests are about."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"{'http' if tls is None else 'https'}://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
