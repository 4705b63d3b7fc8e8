"""What a worker says of itself. This runs on workers that may have nothing but Python: the standard library alone."""

from __future__ import annotations

from typing import Any

PACKAGES = ("cranfield", "numpy", "scipy", "pyarrow", "pandas")
"""What workers need."""


def look(paths: tuple[str, ...]) -> dict[str, Any]:
    """Which machine and Python this is, what is installed, and what of some paths can be read here: how many bytes a
    file has, -1 of a folder, nothing of what is not there or may not be read."""
    import importlib
    import os
    import platform
    import socket
    import sys

    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = str(importlib.import_module(name).__version__)
        except Exception:  # a package that cannot be loaded may say so in any way
            versions[name] = ""
    sizes: dict[str, int | None] = {}
    for path in paths:
        try:
            if os.path.isdir(path):
                os.listdir(path)
                sizes[path] = -1
            else:
                with open(path, "rb") as file:
                    sizes[path] = file.seek(0, os.SEEK_END)
        except OSError:
            sizes[path] = None
    return {
        "host": socket.gethostname(),
        "executor": os.getcwd(),
        "python": platform.python_version(),
        "command": sys.executable,
        "versions": versions,
        "paths": sizes,
    }
