"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import re
import shutil
from importlib import resources
from pathlib import Path

import pytest

from tests.cli.running import run_in_terminal
from tools import cli_reference

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


@pytest.fixture
def demo_folder(tmp_path: Path) -> Path:
    with resources.as_file(resources.files("cranfield.cli") / "demo_data") as folder:
        for file in folder.iterdir():
            shutil.copy(file, tmp_path)
    return tmp_path


def test_the_readme_shows_what_the_command_prints(demo_folder: Path) -> None:
    blocks = re.findall(r"```console\n\$ cranfield (.*?)\n(.*?)```", README, re.DOTALL)
    assert blocks
    for command, expected in blocks:
        assert run_in_terminal(*command.split(), cwd=demo_folder) == expected


def test_the_readme_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (expected,) = re.findall(r"print\(.*\)  # (.*)", code)
    exec(code, {})
    assert capsys.readouterr().out.strip() == expected
    # Oracle by hand: q1 has the only relevant document at rank 2: 1/log2(3) = .63093; q2 scores 1; the mean is .81546.
    assert float(expected.split()[0]) == pytest.approx((0.63093 + 1) / 2, abs=5e-5)


def test_the_page_about_python_shows_what_happens(demo_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo_folder)
    done = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert done.attempted > 20
    assert done.failed == 0


def test_the_page_of_commands_is_up_to_date() -> None:
    assert cli_reference.PAGE.read_text() == cli_reference.page(), "run python tools/cli_reference.py"


@pytest.mark.parametrize("page", [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert "://" in target or (page.parent / target).exists(), f"{page.name} links to {target}"
