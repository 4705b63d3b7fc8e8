"""A process that has loaded the command line and forks for each command, which spares the tests the loading.

A command is a process of its own all the same, with its own streams, folder, environment and exit code. The server has
only imported: it has no threads, and nothing is cached in it that a command would find.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TextIO

import cranfield

ROOT = Path(__file__).parent.parent.parent
LIBRARIES = (
    *("altair", "ibis.backends.duckdb", "jinja2", "narwhals", "numpy.random", "pandas"),
    *("scipy.sparse", "scipy.special", "urllib3"),
)
"""What commands load when they need it."""
NOT_LOADED = "cranfield.web."
"""What only loads when Django has been told of an installation, which is another for each command."""
READ_AT_START = ("LANG", "LC_", "PYTHON")
"""How variables begin that the interpreter reads when it starts."""
LONGEST = 1 << 17
"""What is asked for in bytes."""


class ForkServer:
    """One for all tests of a process; it ends with it."""

    def __init__(self) -> None:
        self._started_in = _read_at_start(os.environ)
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", __name__, str(theirs.fileno())]
            self._process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()])
        atexit.register(self._end)

    def suits(self, environment: Mapping[str, str]) -> bool:
        """Whether an interpreter that starts in this environment would start in the same way."""
        return _read_at_start(environment) == self._started_in

    def run(
        self,
        arguments: Sequence[str],
        folder: str | Path,
        environment: Mapping[str, str],
        streams: Sequence[int],
        *,
        timeout: float,
    ) -> int:
        """Run a command with these standard streams: its exit code, or minus the signal that ended it."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            with theirs:
                asked = json.dumps([arguments, str(folder), environment]).encode()
                socket.send_fds(self._connection, [asked], [theirs.fileno(), *streams])
            pid = int(ours.recv(LONGEST))
            ours.settimeout(timeout)
            try:
                return int(ours.recv(LONGEST))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise

    def _end(self) -> None:
        self._connection.close()
        self._process.wait()


@cache
def fork_server() -> ForkServer:
    """Started by the first command."""
    return ForkServer()


def _read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(READ_AT_START)}


def serve(connection: socket.socket) -> None:
    """Run every command that is asked for, until nobody is left to ask."""
    _load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that watch
    while True:
        asked, received, _, _ = socket.recv_fds(connection, LONGEST, 4)
        if not asked:
            return
        if os.fork() == 0:
            connection.close()
            _watch(asked, *received)
        for descriptor in received:
            os.close(descriptor)


def _watch(asked: bytes, answer: int, *streams: int) -> None:
    """Run one command, and tell how it ended: so several can run at the same time."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with socket.socket(fileno=answer) as asking:
        pid = os.fork()
        if pid == 0:
            asking.close()
            arguments, folder, environment = json.loads(asked)
            _become(arguments, folder, environment, streams)
        for stream in streams:
            os.close(stream)
        asking.send(str(pid).encode())
        asking.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
    os._exit(0)


def _load() -> None:
    importlib.import_module("cranfield.cli.main")  # first, as it says how others are to be loaded
    rooms = (module.name for module in pkgutil.walk_packages(cranfield.__path__, "cranfield."))
    loadable = (room for room in rooms if not room.endswith("__main__") and not room.startswith(NOT_LOADED))
    for name in (*LIBRARIES, *loadable):
        importlib.import_module(name)
    gc.freeze()


def _become(arguments: list[str], folder: str, environment: dict[str, str], streams: Sequence[int]) -> None:
    """Be the command, as `python -m cranfield` is it."""
    from cranfield.cli.main import main

    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[0], sys.argv = folder, ["cranfield", *arguments]
        sys.stdin, sys.stdout, sys.stderr = map(_opened, (sys.stdin, sys.stdout, sys.stderr))
        main()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(1)


def _opened(stream: TextIO) -> TextIO:
    """The stream as the interpreter opens it, now that it is connected to something else."""
    again = open(stream.fileno(), stream.mode, encoding=stream.encoding, errors=stream.errors, closefd=False)  # noqa: SIM115
    assert isinstance(again, io.TextIOWrapper)
    again.reconfigure(line_buffering=stream is sys.__stderr__ or again.isatty())
    return again


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
