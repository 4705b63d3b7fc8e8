"""`cranfield verify` as a user meets it, and the record that `evaluate --format json` leaves for it."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from tests.cli.running import Done, run_cranfield, run_in_terminal

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of `cranfield demo --small`."""
    with resources.as_file(resources.files("cranfield.cli") / "small_example") as data:
        for file in data.iterdir():
            shutil.copy(file, tmp_path)
    return tmp_path


def keep(folder: Path, *arguments: str, stdin: bytes = b"", environment: dict[str, str] | None = None) -> Path:
    done = run_cranfield("evaluate", *arguments, "--format", "json", cwd=folder, stdin=stdin, environment=environment)
    assert done.exit_code == 0, done.stderr
    (folder / "result.json").write_bytes(done.stdout)
    return folder / "result.json"


def verified(folder: Path, *arguments: str, stdin: bytes = b"") -> Done:
    return run_cranfield("verify", "result.json", *arguments, cwd=folder, stdin=stdin)


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_record_is_the_same_whenever_it_is_made(folder: Path) -> None:
    # 1700000000: `date -u -d @1700000000 +%FT%TZ` prints 2023-11-14T22:13:20Z.
    epoch = {"SOURCE_DATE_EPOCH": "1700000000"}
    command = ("qrels.txt", "keyword.run", "semantic.run", "-m", "nDCG@10")
    first = keep(folder, *command, environment=epoch).read_bytes()
    assert keep(folder, *command, environment=epoch).read_bytes() == first
    record = json.loads(first)["provenance"]
    assert record["time"] == "2023-11-14T22:13:20Z"
    assert record["command"] == "cranfield evaluate qrels.txt keyword.run semantic.run -m nDCG@10 --format json"
    assert [(one["name"], one["sha256"], one["bytes"]) for one in record["inputs"]] == [
        (name, sha256(folder / name), (folder / name).stat().st_size)
        for name in ("qrels.txt", "keyword.run", "semantic.run")
    ]


def test_the_json_page_has_every_key(folder: Path) -> None:
    page = (ROOT / "docs" / "json.md").read_text()

    def documented(schema: str) -> set[str]:
        return set(re.findall(r"`(\w+)`", page.partition(f"Schema `{schema}`")[2].partition("\n# ")[0]))

    whole = json.loads(keep(folder, "qrels.txt", "keyword.run", "--input-format", "trec").read_text())
    record = whole["provenance"]
    shown = {*whole, *record, *record["inputs"][1], *record["topics"]["keyword"], *whole["runs"][0]}
    assert shown <= documented("cranfield.evaluation/1")
    (folder / "keyword.run").write_text((folder / "semantic.run").read_text())
    found = json.loads(verified(folder, "--format", "json").text)
    assert {*found, *found["inputs"][1], *found["differences"][0]} <= documented("cranfield.verification/1")


def test_what_holds(folder: Path) -> None:
    keep(folder, "qrels.txt", "keyword.run", "-m", "AP")
    done = verified(folder)
    qrels, run = sha256(folder / "qrels.txt"), sha256(folder / "keyword.run")
    assert done.exit_code == 0
    assert done.stderr == ("cranfield: result.json holds: its value comes out the same; the 2 inputs are the same\n")
    lines = [line.split("\t") for line in done.text.splitlines()]
    assert lines[:3] == [
        ["check", "run", "query", "what", "recorded", "now", "status"],
        ["input", "", "", "qrels", qrels, qrels, "same"],
        ["input", "keyword", "", "run", run, run, "same"],
    ]
    assert {line[0] for line in lines[3:]} == {"version"}


def test_what_does_not_hold(folder: Path) -> None:
    path = keep(folder, "qrels.txt", "keyword.run", "-m", "AP", "-m", "RR")
    whole = json.loads(path.read_text())
    assert whole["runs"][0]["mean"]["RR"] == 0.75
    whole["runs"][0]["mean"]["RR"] = 0.8
    path.write_text(json.dumps(whole))
    shutil.copy(folder / "keyword.run", folder / "renamed.run")
    done = verified(folder, "qrels.txt", "renamed.run")
    assert done.exit_code == 3
    assert done.stderr == (
        "cranfield: result.json does not hold: 1 of 2 values differ, by up to 0.05; the 2 inputs are the same\n"
    )
    assert done.text.splitlines()[-1] == "value\tkeyword\tall\tRR\t0.8\t0.75\tdiffers"


def test_a_table_in_a_terminal(folder: Path) -> None:
    keep(folder, "qrels.txt", "keyword.run", "-m", "RR", "-q", environment={"SOURCE_DATE_EPOCH": "1700000000"})
    before, text = sha256(folder / "qrels.txt")[:12], (folder / "qrels.txt").read_text()
    first = next(line for line in text.splitlines() if line.startswith("quick-pasta") and line.endswith(" 0"))
    (folder / "judged.txt").write_text(text.replace(first, first[:-1] + "1"))
    now, run = sha256(folder / "judged.txt")[:12], sha256(folder / "keyword.run")[:12]
    shown = run_in_terminal("verify", "result.json", "judged.txt", "keyword.run", cwd=folder, columns=90)
    lines = shown.splitlines()
    assert lines[0].startswith("result.json does not hold: ")
    assert "judged.txt is not" in lines[0]
    changed = lines.index(f"qrels        judged.txt   {now}  changed")
    assert lines[changed + 1] == f"  was        qrels.txt    {before}"
    assert f"run keyword  keyword.run  {run}  same" in lines
    assert lines[-1] == "made 2023-11-14T22:13:20Z"


def test_a_table_fits_in_the_terminal(folder: Path) -> None:
    long_name = f"{'x' * 40}.txt"
    shutil.copy(folder / "qrels.txt", folder / long_name)
    keep(folder, long_name, "keyword.run", "-m", "RR")
    (folder / f"new-{long_name}").write_text((folder / long_name).read_text() + "quick-pasta 0 unheard-of 0\n")
    shown = run_in_terminal("verify", "result.json", f"new-{long_name}", "keyword.run", cwd=folder, columns=90)
    assert "  was " in shown
    assert max(map(len, shown.splitlines())) <= 90


def test_many_differences_are_not_all_shown(folder: Path) -> None:
    measures = [word for cutoff in range(1, 11) for word in ("-m", f"nDCG@{cutoff}")]
    keep(folder, "qrels.txt", "keyword.run", *measures, "-q")
    shutil.copy(folder / "semantic.run", folder / "keyword.run")
    shown = verified(folder, "--format", "table").text
    assert re.search(r"\n\.\.\. and \d+ more; --format json has them all\n", shown)
    assert shown.index(" all ") < shown.index(" quick-pasta ")  # means come first


@pytest.mark.parametrize(
    "options",
    [
        ["-q"],
        ["-q", "-n"],
        ["--topic", "quick-pasta"],
        ["--best", "-q"],
        ["-l", "2", "-M", "5", "-J", "-q"],
        ["-m", "all_trec", "-q", "--profile", "trec_eval-9"],
        ["-m", "official", "-c", "--profile", "trec_eval-10"],
        ["-m", "Accuracy", "-N", "1000"],
        ["-R", "qrels_jg", "-q"],
        ["-R", "qrels_prefs", "-q"],
        ["-m", "alpha_nDCG@5", "--intents", "intents.txt", "--qrels-format", "trec"],
        ["-m", "TBG", "-m", "U", "--costs", "costs.txt", "--default-cost", "20"],
        ["-m", "AP", "-Z", "means.txt", "-q"],
    ],
    ids=" ".join,
)
def test_every_kind_of_result_can_be_verified(folder: Path, options: list[str]) -> None:
    if "--intents" in options:
        lines = [line.split() for line in (folder / "qrels.txt").read_text().splitlines()]
        rows = [(query, "ab"[at % 2], document, grade) for at, (query, _, document, grade) in enumerate(lines)]
        (folder / "qrels.txt").write_text("".join(" ".join(row) + "\n" for row in rows))
        topics = sorted({row[0] for row in rows})
        (folder / "intents.txt").write_text("".join(f"{topic} a 0.25\n{topic} b 0.75\n" for topic in topics))
    (folder / "costs.txt").write_text("d1 30\n")
    (folder / "means.txt").write_text("quick-pasta AP 0.25 0.125\n")
    keep(folder, "qrels.txt", "keyword.run", "semantic.run", *options)
    done = verified(folder, "--format", "json")
    found = json.loads(done.text)
    assert (done.exit_code, found["holds"], found["contradictions"]) == (0, True, [])
    assert found["values"] > 0
    assert {check["status"] for check in found["inputs"]} == {"same"}
    assert len(found["inputs"]) == 3 + sum(option in options for option in ("--intents", "--costs", "-Z"))


def test_standard_input_and_packed_files(folder: Path) -> None:
    packed = gzip.compress((folder / "qrels.txt").read_bytes())
    (folder / "qrels.txt.gz").write_bytes(packed)
    run = (folder / "keyword.run").read_bytes()
    keep(folder, "qrels.txt.gz", "-", "-m", "AP", stdin=run)
    assert verified(folder, "qrels.txt.gz", "keyword.run").exit_code == 0
    assert verified(folder, "qrels.txt.gz", "-", stdin=run).exit_code == 0
    done = verified(folder)
    assert done.exit_code == 2
    assert done.stderr == (
        "cranfield: standard input, the run standard-input of result.json, is not there; say where it is.\n"
    )
    # Other bytes with the same judgments: the value is the same, the file is not.
    assert verified(folder, "qrels.txt", "keyword.run").exit_code == 3
    assert verified(folder, "qrels.txt", "keyword.run", "--values-only").exit_code == 0


def test_the_result_from_standard_input(folder: Path) -> None:
    result = keep(folder, "qrels.txt", "keyword.run").read_bytes()
    done = run_cranfield("verify", "-", "qrels.txt", "keyword.run", cwd=folder, stdin=result)
    assert done.exit_code == 0
    assert "standard input holds" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (["nothing.json"], 2, "cranfield: nothing.json: there is no such file\n"),
        (["qrels.txt", "keyword.run"], 1, "then judgments and runs.\n"),
        (["empty.json"], 1, "cranfield: empty.json: the file is empty\n"),
        (["result.json", "qrels.txt", "nothing.run"], 2, "cranfield: nothing.run: there is no such file\n"),
        (["result.json", "qrels.txt", "keyword.run", "--tolerance", "-1"], 2, "expected a number from 0 up\n"),
        (["result.json", "--costs", "qrels.txt"], 2, "made without costs (--costs, costs=); leave it out\n"),
        (["comparison.json"], 1, "schema 'cranfield.comparison/1'; verify reads 'cranfield.evaluation/1'"),
        ([], 2, "Missing argument 'RESULT'"),
    ],
)
def test_mistakes_are_said_in_a_line(folder: Path, arguments: list[str], exit_code: int, message: str) -> None:
    keep(folder, "qrels.txt", "keyword.run", "-m", "AP")
    (folder / "comparison.json").write_text('{"schema": "cranfield.comparison/1"}')
    (folder / "empty.json").touch()
    done = run_cranfield("verify", *arguments, cwd=folder)
    assert done.exit_code == exit_code
    assert message in done.stderr
    assert done.stdout == b""


def test_comparisons_have_a_record_too(folder: Path) -> None:
    done = run_cranfield("compare", "qrels.txt", "keyword.run", "semantic.run", "--format", "json", cwd=folder)
    record = json.loads(done.text)["provenance"]
    assert [one["sha256"] for one in record["inputs"]] == [
        sha256(folder / name) for name in ("qrels.txt", "keyword.run", "semantic.run")
    ]
    assert record["command"] == "cranfield compare qrels.txt keyword.run semantic.run --format json"


@pytest.mark.parametrize("layout", ["table", "tsv", "trec"])
def test_nothing_is_hashed_where_it_is_not_shown(folder: Path, layout: str) -> None:
    code = (
        "import sys; from cranfield.cli.main import run; code = run(); "
        "sys.exit(code or 10 * ('cranfield.evaluation.provenance.fingerprints' in sys.modules))"
    )
    arguments = ["evaluate", "qrels.txt", "keyword.run", "--format", layout]
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0
