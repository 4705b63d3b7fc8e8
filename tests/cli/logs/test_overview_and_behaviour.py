"""`cranfield logs overview`, `behaviour`, `clicks` and `report`, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield
from tests.logs.making import event, make_log, query, shown


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two lists of two documents, of which the first is clicked once."""
    rows = [query("q1", "soup"), *shown("q1", ["a", "b"]), event("click", "q1", "a", 1, 40)]
    rows += [query("q2", "tea", 86_400, client_id="bob"), *shown("q2", ["c", "d"], 86_400, client_id="bob")]
    folder = tmp_path_factory.mktemp("logs")
    make_log(folder, rows)
    return folder


def test_overview(folder: Path) -> None:
    done = run_cranfield("logs", "overview", "log", "--format", "json", "--plot", "traffic.json", cwd=folder)
    assert done.exit_code == 0, done.stderr
    said = json.loads(done.text)
    assert (said["total"]["queries"], said["total"]["users"], said["total"]["clicks"]) == (2, 2, 1)
    assert [day["day"] for day in said["days"]] == ["2026-03-01", "2026-03-02"]
    drawn = json.loads((folder / "traffic.json").read_text())
    assert drawn["title"]["text"] == ["Traffic by day"]
    rows = next(iter(drawn["datasets"].values())) if "datasets" in drawn else drawn["layer"][0]["data"]["values"]
    assert [row["number"] for row in rows if row["system"] == "queries"] == [1, 1]


def test_overview_as_a_table_of_its_own(folder: Path) -> None:
    done = run_cranfield("logs", "overview", "log", "--table", "head", cwd=folder)
    assert done.text.splitlines()[1:] == ["soup\t1\t1\t1.0\t0", "tea\t1\t1\t0.0\t0"]


def test_behaviour(folder: Path) -> None:
    done = run_cranfield("logs", "behaviour", "log", "--format", "json", "--plot", "shares.svg", cwd=folder)
    assert done.exit_code == 0, done.stderr
    said = json.loads(done.text)
    shares = {one["name"]: one for one in said["shares"]}
    assert (shares["queries abandoned"]["part"], shares["queries abandoned"]["of"]) == (1, 2)
    assert shares["sessions that ended well"]["value"] is None
    assert said["reciprocal_rank"] == 0.5
    assert any("purchase or add_to_cart" in note for note in said["notes"])
    assert "<svg" in (folder / "shares.svg").read_text()[:200]


def test_who_comes_again_has_an_interval(tmp_path: Path) -> None:
    """Ann and Bob come in the first week, Ann again in the second, at the end of which Cid comes."""
    day = 86_400
    rows = [query("q1", "soup"), query("q2", "tea", 9, client_id="bob"), query("q3", "tea", 7 * day)]
    make_log(tmp_path, [*rows, query("q4", "tea", 13 * day, client_id="cid")])
    done = run_cranfield("logs", "behaviour", "log", "--table", "returns", cwd=tmp_path)
    lines = [line.split("\t") for line in done.text.splitlines()]
    assert lines[0] == ["first_week", "weeks_later", "returned", "users", "share", "low", "high"]
    assert lines[1][:5] == ["2026-03-01", "1", "1", "2", "0.5"]
    # Wilson's of 1 of 2 is 1/2 ± z / (2 · √(2 + z²)) = .5 ± .4055, z = 1.96 (Brown, Cai and DasGupta 2001, formula 4).
    assert [float(cell) for cell in lines[1][5:]] == pytest.approx([0.0945, 0.9055], abs=1e-4)
    assert [line[:5] for line in lines[2:]] == [["all", "1", "1", "2", "0.5"]]


def test_clicks(folder: Path) -> None:
    done = run_cranfield("logs", "clicks", "log", "--plot", "ranks.json", cwd=folder)
    lines = [line.split("\t") for line in done.text.splitlines()]
    assert [line[:4] for line in lines] == [
        *(["rank", "shown", "clicked", "share"], ["1", "2", "1", "0.5"], ["2", "2", "0", "0.0"])
    ]
    assert [line[6] for line in lines] == ["of_clicks", "1.0", "0.0"]
    assert json.loads((folder / "ranks.json").read_text())["title"]["text"] == ["Click-through by rank"]
    done = run_cranfield("logs", "clicks", "log", "--table", "listings", cwd=folder)
    assert done.text.splitlines()[1].split("\t")[:4] == ["not said", "4", "1", "0.25"]
    done = run_cranfield("logs", "clicks", "log", "--until", "2026-03-02", "--since", "2026-03-02", cwd=folder)
    assert [line.split("\t")[2:4] + line.split("\t")[6:] for line in done.text.splitlines()[1:]] == [
        ["0", "0.0", ""]
    ] * 2


def test_deviation(folder: Path) -> None:
    done = run_cranfield("logs", "deviation", "log", "--enough", "1", "--plot", "coec.json", cwd=folder)
    assert done.exit_code == 0, done.stderr
    datasets = json.loads((folder / "coec.json").read_text())["datasets"].values()
    (rows,) = (rows for rows in datasets if "run" in rows[0])
    # E(1) is 1 of 2, so a has 1 click over 0.5 and c none; E(2) is 0, and nothing is said of b and d.
    assert [(row["run"], row["value"]) for row in rows] == [("a, soup", 2.0), ("c, tea", 0.0)]
    done = run_cranfield("logs", "deviation", "log", "--enough", "1", "--query", " TEA", cwd=folder)
    rows = [line.split("\t") for line in done.text.splitlines()]
    assert [row[:2] for row in rows[1:]] == [["tea", "c"], ["tea", "d"]]
    assert rows[0][2:4] == ["shown", "clicked"]  # ranks have a column only where each has its own row
    assert rows[2][-3:] == [""] * 3  # nothing is said of the COEC of d
    done = run_cranfield("logs", "deviation", "log", "--each-rank", "--enough", "1", "--query", "tea", cwd=folder)
    assert [line.split("\t")[2] for line in done.text.splitlines()] == ["rank", "1", "2"]
    done = run_cranfield("logs", "deviation", "log", "--query", "teaa", cwd=folder)
    assert (done.exit_code, "nothing was shown for the query 'teaa'. Did you mean tea?" in done.stderr) == (2, True)
    done = run_cranfield("logs", "deviation", "log", "--plot", "none.svg", cwd=folder)
    assert done.exit_code == 1
    assert "nothing to draw" in done.stderr


def test_propensities(folder: Path) -> None:
    done = run_cranfield("logs", "propensities", "log", "--format", "json", "--plot", "looks.json", cwd=folder)
    assert done.exit_code == 0, done.stderr
    said = json.loads(done.text)
    # 1 of 2 was clicked at rank 1, to which others are compared, and 0 of 2 at rank 2.
    assert [tuple(row.values()) for row in said["ranks"]] == [(1, 2, 1, 1.0, 1.0, 1.0), (2, 2, 0, 0.0, None, None)]
    assert said["notes"][0] == "no interval is given where nothing was clicked: rank 2"
    assert "in random order" in said["notes"][1]
    (rows,) = json.loads((folder / "looks.json").read_text())["datasets"].values()
    assert [(row["run"], row["value"]) for row in rows] == [("rank 1", 1.0), ("rank 2", 0.0)]


@pytest.mark.parametrize("command", ["overview", "behaviour", "clicks", "deviation", "propensities"])
def test_a_drawing_of_no_known_kind_is_refused_first(folder: Path, command: str) -> None:
    done = run_cranfield("logs", command, "log", "--plot", "drawing.doc", cwd=folder)
    assert done.exit_code == 2
    assert "the name of a drawing ends in" in done.stderr


def test_report(folder: Path) -> None:
    done = run_cranfield("logs", "report", "log", "-o", "report.html", "--without", "caches", cwd=folder)
    assert done.exit_code == 0, done.stderr
    lines = done.stderr.splitlines()
    assert lines[0] == (
        "report.html: 2 queries by 2 users from 2026-03-01 to 2026-03-02; 50 % of them were followed by a click."
    )
    assert lines[1].startswith("cranfield: models is not there: documents that were shown have 1 click")
    page = (folder / "report.html").read_text()
    assert "What a cache would save" not in page
    assert ">soup<" not in page  # one person put it


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "report.pdf"), "a report is a page"),
        (("-o", "report.html", "--without", "cashes"), "Did you mean caches?"),
        (("-o", "-", "--open"), "--open needs a file"),
        ((), "Missing option '-o'"),
    ],
)
def test_wrong_usage_of_report(folder: Path, words: tuple[str, ...], said: str) -> None:
    done = run_cranfield("logs", "report", "log", *words, cwd=folder)
    assert done.exit_code == 2
    assert said.lower() in done.stderr.lower()
