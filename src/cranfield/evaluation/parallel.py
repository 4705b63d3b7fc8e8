"""The second core: run functions side by side in forked processes, where that is safe."""

from __future__ import annotations

import contextlib
import os
import pickle
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from cranfield.formats.files import telling_progress

T = TypeVar("T")


def cores() -> int:
    """How many processes are worth having: the cores this process may use, 1 where forking is not safe."""
    if not hasattr(os, "fork") or sys.platform == "darwin" or threading.active_count() > 1:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fork_map(tasks: Sequence[Callable[[], T]]) -> list[T]:
    """The results of the tasks, in order, computed in as many processes as there are cores.

    A task that raises makes this raise the same; the first in order wins.
    """
    processes = max(1, min(cores(), len(tasks)))
    shares = [range(first, len(tasks), processes) for first in range(processes)]
    children = [_start(tasks, share) for share in shares[1:]]
    outcomes: dict[int, tuple[bool, Any]] = {}
    try:
        outcomes.update(_run(tasks, shares[0]))
        for child in children:
            outcomes.update(child.collect())
    finally:
        for child in children:
            child.close()
    results = []
    for number in range(len(tasks)):
        done, value = outcomes[number]
        if not done:
            raise value
        results.append(value)
    return results


@contextlib.contextmanager
def beside(task: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """A task that a process of its own works on meanwhile, where that is safe; gives what waits for the result."""
    if cores() < 2:
        yield task
        return
    child = _start([task], range(1))

    def wait() -> T:
        done, value = child.collect()[0]
        if not done:
            raise value
        result: T = value
        return result

    try:
        yield wait
    finally:
        child.close()


def _run(tasks: Sequence[Callable[[], T]], share: range) -> dict[int, tuple[bool, Any]]:
    outcomes: dict[int, tuple[bool, Any]] = {}
    for number in share:
        try:
            outcomes[number] = (True, tasks[number]())
        except Exception as error:
            outcomes[number] = (False, error)
    return outcomes


class _Child:
    def __init__(self, process: int, pipe: int) -> None:
        self._process = process
        self._pipe = os.fdopen(pipe, "rb")
        self._collected = False

    def collect(self) -> dict[int, tuple[bool, Any]]:
        header = self._pipe.read(8)
        body = self._pipe.read(struct.unpack("<q", header)[0]) if len(header) == 8 else b""
        self._collected = True
        if not body:
            raise RuntimeError("a worker process ended before its work was done (out of memory?)")
        outcomes: dict[int, tuple[bool, Any]] = pickle.loads(body)
        return outcomes

    def close(self) -> None:
        self._pipe.close()
        if not self._collected:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process, 15)
        os.waitpid(self._process, 0)


def _start(tasks: Sequence[Callable[[], T]], share: range) -> _Child:
    read_end, write_end = os.pipe()
    process = os.fork()
    if process:
        os.close(write_end)
        return _Child(process, read_end)
    status = 1
    try:
        os.close(read_end)
        with telling_progress(None):
            outcomes = _run(tasks, share)
        body = pickle.dumps(outcomes, protocol=pickle.HIGHEST_PROTOCOL)
        with os.fdopen(write_end, "wb") as pipe:
            pipe.write(struct.pack("<q", len(body)))
            pipe.write(body)
        status = 0
    finally:
        os._exit(status)
