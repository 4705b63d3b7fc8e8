"""What the figures were measured on."""

import os
import platform
from importlib.metadata import version

import psutil

CORES = 2


def use_two_cores() -> None:
    """Keep this process and all it starts to two cores, which is what the floors are stated for."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])


def describe() -> list[str]:
    """Processor, system and versions, one line each."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    packages = ("cranfield", "numpy", "pytrec-eval-terrier", "ir-measures", "ranx", "numba")
    return [
        f"Processor: {_processor()}, {cores} cores used of {os.cpu_count()}; "
        f"{psutil.virtual_memory().total / 1e9:.0f} GB of memory; {platform.system()}",
        f"Python {platform.python_version()}; {', '.join(f'{name} {version(name)}' for name in packages)}",
    ]


def load() -> str:
    """How busy the machine is: 0 when it is idle, 2 when two processes want to run."""
    return f"{psutil.getloadavg()[0]:.1f}"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
