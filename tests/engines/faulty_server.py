"""A server that goes wrong in every way that servers do."""

from __future__ import annotations

import contextlib
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from tests.engines.local_server import Answer, Request, serving

HITS = [{"id": f"d{number}", "score": 10.0 - number} for number in range(1, 6)]
PAGE = b"<!DOCTYPE html><html><head><title>Sign in &amp; go on</title></head><body>Please</body></html>"

ANSWERS: dict[str, Answer] = {
    "fine": Answer({"hits": HITS}),
    "500": Answer({"error": {"root_cause": [{"reason": "out of memory"}], "reason": "all shards failed"}}, 500),
    "503": Answer(b"try later", 503),
    "401": Answer({"error": "who are you?"}, 401),
    "404": Answer({"error": {"reason": "no such index [papers]"}}, 404),
    "moved": Answer(b"", 301, {"Location": "https://user:pass@elsewhere.example/search?token=abc"}),
    "garbage": Answer(b"\x00\xff\xfe<<<>>> not JSON at all"),
    "html": Answer(PAGE, headers={"Content-Type": "text/html"}),
    "html error": Answer(PAGE, 502, {"Content-Type": "text/html"}),
    "empty": Answer(b""),
    "cut short": Answer({"hits": HITS}, cut=20),
    "JSON cut short": Answer(b'{"hits": [{"id": "d1", "score": 2.0}, {"id": "d'),
    "other shape": Answer({"took": 3, "data": {"hits": HITS}}),
    "an object of hits": Answer({"hits": {"d1": 1.0}}),
    "null hits": Answer({"hits": None}),
    "no id": Answer({"hits": [{"name": "d1", "score": 1.0}]}),
    "null id": Answer({"hits": [{"id": None, "score": 1.0}]}),
    "null score": Answer({"hits": [{"id": "d1", "score": None}]}),
    "twice": Answer({"hits": [HITS[0], HITS[1], HITS[0]]}),
    "NaN": Answer({"hits": [{"id": "d1", "score": math.nan}]}),
    "numbers": Answer({"hits": [{"id": 17, "score": "2.5"}]}),
    "fewer": Answer({"hits": HITS[:2]}),
    "none": Answer({"hits": []}),
}


class FaultyServer:
    """Answers as the first part of the path says; `/429` and the like ask for patience `busy` times and are then fine."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.busy = 2
        self.retry_after: str | None = None
        self._lock = threading.Lock()
        self.stopped = threading.Event()

    def __call__(self, request: Request) -> Answer:
        with self._lock:
            self.asked.append(request)
            attempt = len(self.asked)
        kind = request.path.strip("/").replace("%20", " ")
        if kind == "slow":
            self.stopped.wait(30)
            return ANSWERS["fine"]
        if kind == "echo":
            return Answer({"error": f"not for {request.headers['authorization']}"}, 403)
        if kind.startswith("busy"):
            headers = {} if self.retry_after is None else {"Retry-After": self.retry_after}
            return ANSWERS["fine"] if attempt > self.busy else Answer(b"busy", int(kind.removeprefix("busy")), headers)
        return ANSWERS[kind]


@contextlib.contextmanager
def faulty_server() -> Iterator[tuple[str, FaultyServer]]:
    """The URL of a faulty server, and the server."""
    server = FaultyServer()
    with serving(server) as url:
        try:
            yield url, server
        finally:
            server.stopped.set()


@contextlib.contextmanager
def dripping(pieces: Sequence[bytes], pause: float) -> Iterator[str]:
    """A server that writes these bytes to every connection, with a pause after each piece."""
    stopped = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while not stopped.is_set():
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection, contextlib.suppress(OSError):  # the client has hung up
                    connection.recv(65536)
                    for piece in pieces:
                        connection.sendall(piece)
                        stopped.wait(pause)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        stopped.set()
        listening.shutdown(socket.SHUT_RDWR)
    thread.join()


@contextlib.contextmanager
def hanging_up(then: Callable[[int], bytes]) -> Iterator[str]:
    """A server that writes these bytes to the connection of each number, and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            number = 0
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                number += 1
                with connection:
                    connection.recv(65536)
                    connection.sendall(then(number))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        # Closing alone does not wake a thread that waits in accept.
        listening.shutdown(socket.SHUT_RDWR)
    thread.join()


def closed_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Clock:
    """Notes pauses in the place of `time.sleep`."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    time = staticmethod(time.time)
