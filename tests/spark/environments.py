"""Other Pythons for workers, and other Javas."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path


def bare_python(folder: Path) -> str:
    """A Python as this one, without any package."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return str(folder / "bin" / "python")


def another_python() -> str | None:
    """A Python of another minor version, if there is one."""
    here = sys.version_info[:2]
    names = [f"python3.{minor}" for minor in range(9, 16) if (3, minor) != here]
    versions = Path.home() / ".pyenv" / "versions"
    places = [shutil.which(name) for name in names] + sorted(map(str, versions.glob("3.*/bin/python")))
    for place in places:
        if place is None:
            continue
        said = subprocess.run([place, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True)
        if said.returncode == 0 and said.stdout.strip() not in {"", str(here)} and "(3, " in said.stdout:
            return place
    return None


def a_java(folder: Path, prints: str, exit_code: int = 0) -> Path:
    """A folder for JAVA_HOME, with a java that prints this."""
    command = folder / "bin" / "java"
    command.parent.mkdir(parents=True)
    command.write_text(f"#!/bin/sh\necho '{prints}' >&2\nexit {exit_code}\n")
    command.chmod(0o755)
    return folder
