"""Run one command as a process of its own, and take its time or its memory."""

import os
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

Command = list[str]

# As on a user's machine: these settings would make every process compile what it imports, and slow its output.
SLOWING = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in SLOWING}

# Between two looks at the memory of a process tree.
SAMPLE_SECONDS = 0.005


class CommandError(Exception):
    """A measured command ended with an error."""


@dataclass(frozen=True)
class Times:
    """Wall-clock seconds of one command, once per repetition."""

    seconds: tuple[float, ...]

    @property
    def best(self) -> float:
        """The shortest: what the command takes when nothing else runs."""
        return min(self.seconds)

    @property
    def median(self) -> float:
        """The one in the middle: what it took on this machine as it was."""
        return statistics.median(self.seconds)


def timed(command: Command) -> tuple[float, str]:
    """Seconds from the start of the process to its end, and what it printed."""
    start = time.perf_counter()
    process = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise CommandError(failure(command, process.stderr))
    return seconds, process.stdout


def interleaved(commands: dict[str, Command], repeats: int) -> dict[str, Times]:
    """Time every command in turn, then all again, so that a slow minute of the machine meets all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for repeat in range(repeats):
        # Forth, then back, so that nobody always follows the same neighbour.
        for name in list(commands)[:: -1 if repeat % 2 else 1]:
            seconds[name].append(timed(commands[name])[0])
    return {name: Times(tuple(values)) for name, values in seconds.items()}


def peak_memory(command: Command) -> int:
    """The most bytes that the process and its descendants held together.

    Counted as proportional set size, in which a page that two processes share counts once, not twice;
    where the system does not tell (only Linux does), as unique or else resident set size. Sampled: a short
    peak is missed.
    """
    peak = 0
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with psutil.Popen(command, env=ENVIRONMENT, **silent) as process:
        while process.poll() is None:
            peak = max(peak, tree_memory(process))
            time.sleep(SAMPLE_SECONDS)
    if process.returncode:
        raise CommandError(failure(command, ""))
    return peak


def tree_memory(process: psutil.Process) -> int:
    """The bytes that a process and its descendants hold together just now."""
    return sum(map(memory_of, tree(process)))


def tree(process: psutil.Process) -> list[psutil.Process]:
    """A process and its descendants; nothing, if it has ended."""
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def memory_of(process: psutil.Process) -> int:
    """The bytes that one process holds just now."""
    try:
        info = process.memory_full_info()
    except psutil.Error:
        return 0
    return getattr(info, "pss", 0) or getattr(info, "uss", 0) or int(info.rss)


def failure(command: Command, stderr: str) -> str:
    """What is said of a command that ended with an error."""
    last = stderr.strip().splitlines()[-1:] or ["no message"]
    words = " ".join(Path(word).name for word in command)
    return f"`{words[:200]}`: {last[0]}"
