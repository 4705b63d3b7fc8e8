"""The Java that Spark runs on: which one would be taken, and whether Spark can run on it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cranfield.errors import UsageError

VERSIONS = (17, 21)
"""Spark 4.0 runs on these and no others."""
_SECONDS = 60


@dataclass(frozen=True)
class Java:
    """A Java that was found."""

    command: str
    version: int


def find_java() -> Java:
    """The Java that Spark would start; an error if there is none, or if Spark cannot run on it."""
    command = _command()
    try:
        said = subprocess.run([command, "-version"], capture_output=True, text=True, timeout=_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"{command}: cannot be run ({why}). Spark needs Java {_or()}: {_where()}") from None
    found = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    if found is None:
        raise UsageError(f"{command} -version: does not say which version it is. Spark needs Java {_or()}: {_where()}")
    java = Java(command, int(found[1]))
    if java.version not in VERSIONS:
        raise UsageError(f"{command}: this is Java {java.version}, and Spark needs Java {_or()}: {_where()}")
    return java


def _command() -> str:
    home = os.environ.get("JAVA_HOME")
    if home:
        return str(Path(home) / "bin" / "java")
    found = shutil.which("java")
    if found is None:
        raise UsageError(f"there is no Java here, and Spark needs Java {_or()}: install it, or {_where()}")
    return found


def _or() -> str:
    return " or ".join(map(str, VERSIONS))


def _where() -> str:
    return "set JAVA_HOME to the folder of one"
