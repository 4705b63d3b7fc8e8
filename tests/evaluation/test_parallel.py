from __future__ import annotations

import os
import sys
import time

import pytest

from cranfield.errors import FormatError
from cranfield.evaluation import parallel


@pytest.mark.parametrize("cores", [1, 2, 5])
def test_results_come_in_order(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr(parallel, "cores", lambda: cores)
    tasks = [lambda i=i: i * i for i in range(7)]
    assert parallel.fork_map(tasks) == [0, 1, 4, 9, 16, 25, 36]


def test_no_tasks() -> None:
    assert parallel.fork_map([]) == []


def test_the_first_error_is_raised_with_all_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "cores", lambda: 2)

    def fail(line: int) -> int:
        raise FormatError("wrong", source="x", line=line)

    with pytest.raises(FormatError, match=r"^x:1: wrong$") as caught:
        parallel.fork_map([lambda: 0, lambda: fail(1), lambda: fail(2)])
    assert caught.value.line == 1


def test_a_worker_that_dies_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "cores", lambda: 2)
    with pytest.raises(RuntimeError, match="a worker process ended before its work was done"):
        parallel.fork_map([lambda: 0, lambda: os._exit(9)])


@pytest.mark.parametrize("cores", [1, 2])
def test_a_task_beside_the_work(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr(parallel, "cores", lambda: cores)
    with parallel.beside(os.getpid) as wait:
        process = wait()
    assert (process == os.getpid()) == (cores == 1)

    def fail() -> int:
        raise FormatError("wrong", source="x", line=1)

    with pytest.raises(FormatError, match=r"^x:1: wrong$"), parallel.beside(fail) as wait:
        wait()


def test_a_task_beside_work_that_fails_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "cores", lambda: 2)
    fork, children = os.fork, []

    def noted() -> int:
        children.append(fork())
        return children[-1]

    monkeypatch.setattr(os, "fork", noted)
    with pytest.raises(ZeroDivisionError), parallel.beside(lambda: time.sleep(600)):
        _ = 1 / 0
    with pytest.raises(ChildProcessError):  # it is not there to wait for
        os.waitpid(children[0], os.WNOHANG)


def test_one_process_where_forking_is_not_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert parallel.cores() == 1
    monkeypatch.undo()
    monkeypatch.delattr(os, "fork")
    assert parallel.cores() == 1
