"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from cranfield.measures import REGISTRY
from cranfield.measures.description import Text, describe, parameter_texts
from cranfield.measures.references import REFERENCES
from cranfield.measures.registry import Definition
from cranfield.measures.tie_forms import holds
from tests.cli.running import run_in_terminal
from tests.measures.material import usual
from tools import (
    cli_reference,
    log_figures,
    measure_pages,
    missing_figures,
    profile_tables,
    statistics_figures,
    worked_examples,
)

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


@pytest.fixture
def demo_folder(tmp_path: Path) -> Path:
    with resources.as_file(resources.files("cranfield.cli") / "small_example") as folder:
        for file in folder.iterdir():
            shutil.copy(file, tmp_path)
    return tmp_path


PAGES = [
    *("README.md", "docs/comparing.md", "docs/compat.md", "docs/curves.md", "docs/explain.md", "docs/gate.md"),
    *(
        "docs/intervals.md",
        "docs/plots.md",
        "docs/provenance.md",
        "docs/python.md",
        "docs/residuals.md",
        "docs/ties.md",
    ),
    *("docs/whydiff.md", "docs/statistics/reading-a-comparison.md"),
    *("docs/failures.md", "docs/report.md"),
    *("docs/collections.md", "docs/documents.md", "docs/topics.md", "docs/searching.md", "docs/fusion.md"),
    *(
        "docs/workspace.md",
        "docs/experiments.md",
        "docs/judging/deployment.md",
        "docs/judging/exchange.md",
        "docs/judging/pairs.md",
    ),
    *("docs/pooling/building.md", "docs/pooling/judging.md", "docs/pooling/missing.md", "docs/pooling/flip.md"),
    "docs/pooling/simulate.md",
    *("docs/logs/index.md", "docs/logs/importing.md", "docs/logs/behaviour.md"),
    *("docs/logs/simulating.md", "docs/logs/click-models.md", "docs/logs/judgments.md"),
    *("docs/logs/queries.md", "docs/logs/caching.md"),
    *(f"docs/engines/{name}.md" for name in ("tantivy", "bm25", "sqlite", "dense", "hybrid", "python")),
]


@pytest.mark.parametrize("anew", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["loaded", "anew"])
@pytest.mark.parametrize("page", PAGES)
def test_pages_show_what_happens(page: str, anew: bool, demo_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands and examples in Python, one after the other: some leave files for those below.

    With `anew`, every command also has to load by itself all that it needs.
    """
    monkeypatch.chdir(demo_folder)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    text, names = (ROOT / page).read_text(), dict[str, Any]()
    parser, runner, commands = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), 0
    for command, shown, code in re.findall(BLOCK, text):
        if command:
            commands += 1
            check_command(command, shown, demo_folder, anew=anew)
        else:
            examples = parser.get_doctest(code, names, page, page, None)
            runner.run(examples, clear_globs=False)
            names = examples.globs
    assert runner.failures == 0
    assert runner.tries == len(parser.get_examples(text))
    assert commands + runner.tries > 0


PROGRESS = re.compile(r"(?:\r\x1b\[K\[[#-]+\][^\r\n]*)*\r\x1b\[K")
"""Bars that a terminal has erased again."""
BLOCK = re.compile(r"```(?:console\n\$ cranfield (.*?)\n(.*?)|python\n(.*?))```", re.DOTALL)


def check_command(command: str, expected: str, folder: Path, *, anew: bool = False) -> None:
    """Run a command of a page: it shows what the page says, in which ... stands for what is never the same."""
    command, _, file = command.partition(" > ")
    shown = re.sub(PROGRESS, "", run_in_terminal(*shlex.split(command), cwd=folder, anew=anew))
    if file:
        (folder / file).write_text(shown)
    elif not doctest.OutputChecker().check_output(expected, shown, doctest.ELLIPSIS):
        assert shown == expected


def test_pages_with_examples_in_python_are_run() -> None:
    """Those about measures and statistics have tests of their own."""
    assert {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md") if "\n>>> " in page.read_text()} <= {*PAGES}


def test_the_readme_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (expected,) = re.findall(r"print\(.*\)  # (.*)", code)
    exec(code, {})
    assert capsys.readouterr().out.strip() == expected
    # Oracle by hand: q1 has the only relevant document at rank 2: 1/log2(3) = .63093; q2 scores 1; the mean is .81546.
    assert float(expected.split()[0]) == pytest.approx((0.63093 + 1) / 2, abs=5e-5)


def test_the_page_about_residuals_names_the_measures_of_each_kind() -> None:
    page = (ROOT / "docs" / "residuals.md").read_text()
    named = {
        kind: set(re.findall(r"\w+", row)) for kind, row in re.findall(r"^\| (exact|outer) \|(.*)$", page, re.MULTILINE)
    }
    for kind, words in named.items():
        assert {name for name, definition in REGISTRY.items() if definition.holes == kind} == words & set(REGISTRY)


def test_the_page_about_ties_names_the_measures_with_closed_forms() -> None:
    page = (ROOT / "docs" / "ties.md").read_text()
    closed, tried = (
        set(re.search(rf"^\| {how} \|(.*)\|$", page, re.MULTILINE)[1].replace(" ", "").split(","))  # type: ignore[index]
        for how in ("closed form", "all orders, or sampled")
    )
    shares = {
        name
        for name, definition in REGISTRY.items()
        if definition.without_run or holds(definition.ties.shares, usual(name).parameters)
    }
    assert closed == shares
    assert tried == {name for name, d in REGISTRY.items() if d.aggregate != "none"} - shares


def test_the_page_about_provenance_shows_the_record(demo_folder: Path) -> None:
    page = (ROOT / "docs" / "provenance.md").read_text()
    (command,) = re.findall(r"\$ cranfield (.*) > result.json", page)
    (shown,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    record = json.loads(run_in_terminal(*shlex.split(command), cwd=demo_folder))["provenance"]
    assert json.loads(f"{{{shown}}}") == {"inputs": record["inputs"]}


def test_the_tables_of_profiles_are_up_to_date() -> None:
    page = profile_tables.PAGE.read_text()
    assert page == profile_tables.page(page), f"run {profile_tables.COMMAND}"


STATISTICS = sorted((ROOT / "docs" / "statistics").glob("*.md"))


@pytest.mark.parametrize("page", STATISTICS, ids=lambda page: page.stem)
def test_pages_about_statistics_show_what_happens(
    page: Path, demo_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo_folder)
    lines = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    done = doctest.testfile(str(page), module_relative=False, optionflags=lines)
    assert done.attempted > 0 or page.name == "README.md"
    assert done.failed == 0


def test_pages_about_statistics_are_listed() -> None:
    index = (ROOT / "docs" / "statistics" / "README.md").read_text()
    assert all(f"]({page.name})" in index for page in STATISTICS if page.name != "README.md")


@pytest.mark.slow
@pytest.mark.real_data
def test_figures_from_real_data_are_up_to_date(real_data: Path) -> None:
    old = [
        name for name, text in statistics_figures.pages(real_data) if (STATISTICS[0].parent / name).read_text() != text
    ]
    assert not old, f"run {statistics_figures.COMMAND}"


@pytest.mark.slow
@pytest.mark.real_data
def test_figures_about_what_is_missing_are_up_to_date(real_data: Path) -> None:
    assert missing_figures.PAGE.read_text() == missing_figures.page(real_data), f"run {missing_figures.COMMAND}"


@pytest.mark.slow
@pytest.mark.real_data
def test_figures_about_what_clicks_tell_are_up_to_date(real_data: Path) -> None:
    assert log_figures.PAGE.read_text() == log_figures.page(real_data), f"run {log_figures.COMMAND}"


def test_the_page_of_commands_is_up_to_date() -> None:
    assert cli_reference.PAGE.read_text() == cli_reference.page(), "run python tools/cli_reference.py"


def test_the_pages_of_measures_are_up_to_date() -> None:
    assert not measure_pages.differences(), f"run {measure_pages.COMMAND}"


def test_the_page_of_worked_examples_is_up_to_date() -> None:
    assert worked_examples.PAGE.read_text() == worked_examples.page(), f"run {worked_examples.COMMAND}"


def test_pages_say_how_judgments_and_costs_are_written() -> None:
    formats = (ROOT / "docs" / "formats.md").read_text()
    anchors = {heading.lower().replace(" ", "-") for heading in re.findall(r"^## (.*)$", formats, re.MULTILINE)}
    linked = {
        name: set(re.findall(r"formats\.md#([\w-]+)", measure_pages.page(definition)))
        for name, definition in REGISTRY.items()
    }
    assert set().union(*linked.values()) <= anchors
    assert {name: linked[name] for name in ("xinfAP", "statP", "alpha_nDCG", "TBG", "AP")} == {
        "xinfAP": {"sampled-judgments"},
        "statP": {"sampled-judgments"},
        "alpha_nDCG": {"subtopics"},
        "TBG": {"costs"},
        "AP": set(),
    }


@pytest.mark.parametrize("text", [measure_pages.index(), cli_reference.page(), README], ids=["index", "cli", "readme"])
def test_several_ranks_at_once_are_where_one_looks_for_them(text: str) -> None:
    assert "P@1..10" in text


def test_pages_of_measures_are_files_on_every_system() -> None:
    names = [measure_pages.file_name(definition).lower() for definition in REGISTRY.values()]
    assert len({*names, "readme.md"}) == len(names) + 1
    assert all(name.isidentifier() for name in REGISTRY)


def test_signs_in_a_docstring_are_not_marks_on_a_page() -> None:
    marked = r"g<sub>i</sub>\* &lt; 2<sup>g</sup> \[all\], `a*b_i`"
    assert measure_pages.prose("g_i* < 2^g [all], `a*b_i`") == marked


@pytest.mark.parametrize("name", REGISTRY)
def test_a_measure_says_what_a_reader_needs(name: str) -> None:
    definition = REGISTRY[name]
    lacks = list(_missing(definition))
    assert not lacks, f"the docstring of {name} ({definition.function.__module__}) lacks {', '.join(lacks)}"
    assert all(work in REFERENCES for work in definition.cites)


SAYS_WHERE_UNDEFINED = re.compile(
    r"\b(without|no|nothing|none|never|missed|empty|unjudged|filled up|0 (if|where|for))\b", re.IGNORECASE
)


def _missing(definition: Definition) -> Iterator[str]:
    told = describe(definition)
    said = " ".join(part.text for part in told.body if isinstance(part, Text))
    if not definition.meaning.endswith("."):
        yield "a meaning that is one sentence"
    if not definition.counts and definition.aggregate != "none" and not told.formulas:
        yield "a formula"
    if not definition.counts and not SAYS_WHERE_UNDEFINED.search(said):
        yield "what happens where it is undefined"
    if not definition.cites:
        yield "a reference"
    if not told.examples:
        yield "an example"
    yield from (f"a word about {p.name}" for p in parameter_texts(definition) if not p.meaning)


@pytest.mark.parametrize("name", REGISTRY)
def test_the_example_of_a_page_runs_as_it_stands(name: str) -> None:
    page = measure_pages.page(REGISTRY[name])
    (code,) = re.findall(r"```python\n(>>> .*?)```", page, re.DOTALL)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(doctest.DocTestParser().get_doctest(code, {}, name, None, None))
    assert runner.tries > 0
    assert runner.failures == 0


MATH_COMMANDS = """
    alpha beta gamma delta epsilon varepsilon theta kappa lambda mu pi rho sigma tau phi omega Delta infty ell sharp
    frac binom sqrt sum prod min max exp log ln Pr lim arg
    cdot times le ge ne approx in notin cap cup setminus emptyset subseteq mid to pm prime
    left right big Big bigl bigr Bigl Bigr lvert rvert lfloor rfloor lceil rceil
    mathrm text hat bar overline quad qquad cdots ldots dots begin end
"""
"""What GitHub's MathJax typesets, and the terminal shows. It refuses \\operatorname, for one."""
MATH_ENVIRONMENTS = {"cases", "aligned"}


@pytest.mark.parametrize("name", REGISTRY)
def test_formulas_can_be_typeset(name: str) -> None:
    for formula in describe(REGISTRY[name]).formulas:
        assert set(re.findall(r"\\([A-Za-z]+)", formula)) <= set(MATH_COMMANDS.split()), formula
        assert set(re.findall(r"\\([^A-Za-z])", formula)) <= set(" ,;:!{}\\%_#&"), formula
        _check_balance(formula)


def _check_balance(formula: str) -> None:
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", formula):
        depth += 1 if brace == "{" else -1
        assert depth >= 0, f"a brace is closed that was not opened: {formula}"
    assert depth == 0, f"a brace is left open: {formula}"
    assert len(re.findall(r"\\left\b", formula)) == len(re.findall(r"\\right\b", formula)), formula
    begun, ended = re.findall(r"\\begin\{(\w+)\}", formula), re.findall(r"\\end\{(\w+)\}", formula)
    assert sorted(begun) == sorted(ended), formula
    assert set(begun) <= MATH_ENVIRONMENTS, formula
