"""What `pip install cranfield` gives, in an environment that has nothing but what the wheel asks for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import cranfield

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "cranfield"


def build(source: Path, target: str, folder: Path) -> Path:
    """One archive, by the backend that pyproject.toml names."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder], cwd=source, check=True)
    (archive,) = folder.iterdir()
    return archive


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


def needed(distribution: str) -> set[str]:
    """What a distribution asks for without extras, and what that asks for."""
    names = set()
    for line in metadata.requires(distribution) or []:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            names |= {requirement.name} | needed(requirement.name)
    return names


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment into which pip installed the wheel, its dependencies being there."""
    environment = tmp_path_factory.mktemp("empty")
    subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    for name in needed("cranfield"):
        found = metadata.distribution(name)
        for top in {file.parts[0] for file in found.files or [] if file.parts[0] != ".."}:
            (packages / top).symlink_to(Path(str(found.locate_file(top))))
    programs = environment / "bin"
    # With no index, so that it fails if the wheel asks for more than its metadata did.
    run(programs, "python", "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)
    return programs


def run(programs: Path, program: str, *arguments: str | Path, cwd: Path | None = None) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
    command = [programs / program, *arguments]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    package = {
        f"cranfield/{file.relative_to(SOURCE).as_posix()}"
        for file in SOURCE.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == package
    assert {
        "cranfield/py.typed",
        "cranfield/cli/small_example/qrels.txt",
        "cranfield/experiments/demonstration/judgments.tsv",
        "cranfield/report/html/templates/report.html",
    } <= names


def test_a_wheel_made_of_the_source_archive_is_the_same(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build(ROOT, "sdist", tmp_path / "archive")) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("cranfield-*")
    assert {"LICENSE", "README.md", "pyproject.toml"} <= {file.name for file in unpacked.iterdir()}
    assert build(unpacked, "wheel", tmp_path / "again").read_bytes() == wheel.read_bytes()


def test_the_core_asks_for_little() -> None:
    assert needed("cranfield") == {"click", "narwhals", "numpy", "scipy"}


def test_the_command_works_where_only_the_wheel_was_installed(installed: Path, tmp_path: Path) -> None:
    assert run(installed, "cranfield", "--version").split()[-1] == cranfield.__version__
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 1\n")
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 3 tag\nq1 Q0 d2 2 2 tag\nq1 Q0 d3 3 1 tag\n")
    shown = run(installed, "cranfield", "evaluate", "qrels.txt", "run.txt", "-m", "AP", "-m", "P@2", cwd=tmp_path)
    # By hand: AP = (1/1 + 2/3) / 2 = .8333, P@2 = 1/2.
    assert [line.split("\t")[1] for line in shown.splitlines()[1:]] == ["AP", "P@2"]
    assert [round(float(line.split("\t")[3]), 4) for line in shown.splitlines()[1:]] == [0.8333, 0.5]


def test_data_come_along(installed: Path) -> None:
    assert "semantic is better than keyword" in run(installed, "cranfield", "demo", "--small")


def test_what_is_missing_is_named_with_the_command_that_installs_it(installed: Path, tmp_path: Path) -> None:
    example = SOURCE / "cli" / "small_example"
    shutil.copytree(example, tmp_path, dirs_exist_ok=True)
    command = [str(installed / "cranfield"), "report", "qrels.txt", "keyword.run", "-o", "report.html"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'cranfield[report]'" in done.stderr
    assert "Traceback" not in done.stderr
