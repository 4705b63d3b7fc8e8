"""The Dockerfile, read: an image is built only where there is a network and a daemon."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "Dockerfile").read_text()
INSTRUCTIONS = [
    (line.split()[0], line.split(maxsplit=1)[1])
    for line in TEXT.replace("\\\n", " ").splitlines()
    if line and not line.startswith("#")
]
KNOWN = {"CMD", "COPY", "ENTRYPOINT", "ENV", "FROM", "RUN", "USER", "WORKDIR"}


def values(name: str) -> list[str]:
    return [value for instruction, value in INSTRUCTIONS if instruction == name]


def copied() -> list[str]:
    """What is copied from the folder the image is built from."""
    return [source for value in values("COPY") if "--from=" not in value for source in shlex.split(value)[:-1]]


def test_it_begins_with_a_slim_python_that_the_package_supports() -> None:
    assert INSTRUCTIONS[0][0] == "FROM"
    assert {name for name, _ in INSTRUCTIONS} <= KNOWN
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bases = [re.fullmatch(r"python:(\d+\.\d+)-slim(?: AS \w+)?", value) for value in values("FROM")]
    (version,) = {base[1] for base in bases if base is not None}
    assert None not in bases
    assert f"Programming Language :: Python :: {version}" in project["classifiers"]


@pytest.mark.parametrize("source", copied())
def test_what_it_copies_is_there_and_is_sent_to_the_builder(source: str) -> None:
    assert (ROOT / source).exists()
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in ignored
    assert f"!{source.rstrip('/')}" in ignored


def test_what_the_build_reads_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    read = [*project["project"]["license-files"], project["tool"]["hatch"]["version"]["path"], "pyproject.toml"]
    read += [project["project"]["readme"]] if "readme" in project["project"] else []
    for file in read:
        assert any(PurePosixPath(file).is_relative_to(source) for source in copied()), file


def test_packages_are_installed_by_their_hashes_only() -> None:
    installs = [value for value in values("RUN") if "pip install" in value]
    assert installs
    for value in installs:
        assert "--require-hashes" in value or "--no-deps" in value
    (lock,) = re.findall(r"-r (\S+)", TEXT)
    assert lock in copied()
    locked = (ROOT / lock).read_text()
    assert locked.count("--hash=sha256:") > 0
    # What it takes to build the package without fetching anything more.
    assert re.search(r"^hatchling==", locked, re.MULTILINE)


def test_a_last_stage_without_root_runs_the_command() -> None:
    last = [name for name, _ in INSTRUCTIONS][::-1].index("FROM")
    stage = dict(INSTRUCTIONS[-last:])
    assert stage["USER"] not in ("root", "0")
    assert json.loads(stage["ENTRYPOINT"]) == ["cranfield"]
    assert json.loads(stage["CMD"]) == ["--help"]
    assert not [value for value in values("ENV") if re.search(r"(?i)token|secret|password", value)]
