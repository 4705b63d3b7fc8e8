"""From a log to judgments and preferences, and what follows from them, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.formats import read_preferences, read_qrels
from cranfield.formats.topics import read_topics
from tests.cli.running import run_cranfield
from tests.logs.made_up import collection
from tests.logs.simulated_files import write_collection


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments, runs, topics whose words are their names in capitals, and a log."""
    folder = tmp_path_factory.mktemp("files")
    write_collection(folder, *collection())
    runs = [f"system-{number}.run" for number in range(3)]
    more = ("--sessions", "3000", "--days", "1", "--shuffled", "0.2", "--model", "pbm", "-o", "log")
    done = run_cranfield("logs", "simulate", "qrels.txt", *runs, *more, cwd=folder)
    assert done.exit_code == 0, done.stderr
    return folder


def said(files: Path, *arguments: str) -> dict[str, object]:
    done = run_cranfield("logs", *arguments, "--format", "json", cwd=files)
    assert done.exit_code == 0, done.stderr
    found: dict[str, object] = json.loads(done.text)
    return found


def test_judgments_that_are_read_as_such(files: Path) -> None:
    found = said(files, "infer-qrels", "log", "-o", "inferred.tsv", "--topics", "topics.tsv", "--against", "qrels.txt")
    qrels = read_qrels(files / "inferred.tsv")
    assert len(qrels) == found["documents"]
    assert set(qrels.queries) == {f"t{number}" for number in range(5)}
    against = found["against"]
    assert isinstance(against, dict)
    assert against["documents"] == len(qrels)  # all were judged
    assert against["area"]["low"] > 0.7  # users follow the judgments
    done = run_cranfield("evaluate", "inferred.tsv", "system-0.run", "-m", "nDCG@5", cwd=files)
    assert done.exit_code == 0


def test_topics_that_people_call_by_their_words(files: Path) -> None:
    """Without `--topics`; those of OpenSearch have no other names."""
    done = run_cranfield("convert", "qrels.txt", "judgments.json", "--output-format", "opensearch", cwd=files)
    assert done.exit_code == 0, done.stderr
    arguments = ("infer-qrels", "log", "-o", "by-words.tsv")
    by_words = said(files, *arguments, "--against", "judgments.json")
    assert by_words["against"] == said(files, *arguments, "--topics", "topics.tsv", "--against", "qrels.txt")["against"]
    assert set(read_qrels(files / "by-words.tsv").queries) == {f"t{number}" for number in range(5)}
    (files / "others.txt").write_text("other 0 d1 1\n")
    done = run_cranfield("logs", *arguments, "--against", "others.txt", cwd=files)
    assert done.exit_code != 0
    assert "others: its topics, such as 'other'" in done.stderr


def test_a_model_of_few_clicks_is_said_to_be_one(files: Path) -> None:
    few = ("--sessions", "40", "--days", "1", "-o", "few")
    assert run_cranfield("logs", "simulate", "qrels.txt", "system-0.run", *few, cwd=files).exit_code == 0
    for source, said in (("pbm", True), ("coec", False)):
        arguments = ("infer-qrels", "few", "-o", "few.tsv", "--from", source, "--enough", "2")
        done = run_cranfield("logs", *arguments, cwd=files)
        assert done.exit_code == 0, done.stderr
        assert ("clicks are few, " in done.stderr) == said, done.stderr


def test_topics_that_are_made_are_written_beside(files: Path) -> None:
    said(files, "infer-qrels", "log", "-o", "own.txt", "--output-format", "trec", "--from", "pbm")
    topics = read_topics(files / "own.topics.tsv")
    assert set(read_qrels(files / "own.txt", format="trec").queries) == set(topics)
    assert topics["q1"].query() == "t0"


def test_preferences_and_the_runs_that_agree(files: Path) -> None:
    found = said(files, "infer-preferences", "log", "-o", "prefs.tsv", "--topics", "topics.tsv")
    assert 2 * int(str(found["written"])) == len(read_preferences(files / "prefs.tsv"))
    assert found["written"] == found["certain"]
    scored = said(files, "score", "prefs.tsv", "system-0.run", "system-1.run")
    runs = scored["runs"]
    assert isinstance(runs, list)
    assert [run["bpref"] for run in runs] == pytest.approx([(run["tau"] + 1) / 2 for run in runs])
    assert runs[0]["tau"] >= runs[1]["tau"]
    said(files, "score", "prefs.tsv", "system-0.run", "--plot", "agree.svg")
    assert "system-0" in (files / "agree.svg").read_text()


def test_runs_are_compared_on_the_topics_of_both(files: Path) -> None:
    """The first has two topics that the second has not."""
    (files / "three.tsv").write_text("".join(f"t{topic} a b a\n" for topic in range(4)))
    (files / "all.run").write_text("".join(f"t{topic} Q0 a 1 2 all\nt{topic} Q0 b 2 1 all\n" for topic in range(4)))
    (files / "some.run").write_text("".join(f"t{topic} Q0 b 1 2 some\nt{topic} Q0 a 2 1 some\n" for topic in range(2)))
    done = run_cranfield("logs", "score", "three.tsv", "all.run", "some.run", cwd=files)
    assert done.exit_code == 0, done.stderr
    assert "On the 2 topics of which both have something to say, all is better than some by 2" in done.stderr


def test_precision_of_runs_and_of_the_log(files: Path) -> None:
    found = said(files, "precision", "log", "system-0.run", "--topics", "topics.tsv", "-k", "5", "--plot", "p.json")
    assert "as shown" in (files / "p.json").read_text()
    runs = found["runs"]
    assert isinstance(runs, list)
    assert [run["run"] for run in runs] == ["as shown", "system-0"]
    assert all(run["least"] <= run["precision"] <= run["most"] for run in runs)
    done = run_cranfield("logs", "precision", "log", "-k", "5", "--table", "topics", cwd=files)
    lines = [line.split("\t") for line in done.text.splitlines()]
    assert lines[0] == ["topic", "as shown"]
    assert float(lines[1][1]) == pytest.approx(runs[0]["by_topic"]["t0"])  # q1 by the words t0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("infer-qrels", "log", "-o", "x", "--at", "1"), "--at has the thresholds of --rule thresholds"),
        (("infer-qrels", "log", "-o", "x", "--rule", "thresholds", "--at", "a,b"), "expected numbers with commas"),
        (("infer-qrels", "log", "-o", "x", "--table", "confusion"), "add --against QRELS"),
        (("infer-qrels", "log", "-o", "-"), "Give --topics-out"),
        (("infer-qrels", "log", "-o", "x", "--topics", "topics.tsv", "--topics-out", "y"), "with --topics there are"),
        (("precision", "log", "system-0.run"), "give their words by --topics"),
        (("infer-preferences", "nothing", "-o", "x"), "this is no log"),
        (("score", "prefs.none", "system-0.run"), "prefs.none: there is no such file"),
    ],
)
def test_what_is_wrong_is_said(files: Path, arguments: tuple[str, ...], expected: str) -> None:
    done = run_cranfield("logs", *arguments, cwd=files)
    assert done.exit_code == 2
    assert expected in done.stderr
    assert not (files / "x").exists()
