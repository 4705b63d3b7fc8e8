"""Programs that search, and those that do not."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cranfield.data.topics import Topic, Topics
from cranfield.engines.command import CommandEngine
from cranfield.engines.searching import search
from cranfield.errors import EngineError, ParameterError

QUERIES = {"q1": "hot soup", "q2": "bread\tand\nbutter"}


def engine(code: str, *arguments: str, **settings: Any) -> CommandEngine:
    return CommandEngine(program=[sys.executable, "-c", code, *arguments], **settings)


def failure(found: CommandEngine, queries: dict[str, str] = QUERIES) -> str:
    with pytest.raises(EngineError) as raised:
        found.search_topics(queries, 10)
    return str(raised.value).replace(sys.executable, "python")


def test_topics_on_standard_input_and_the_run_on_standard_output() -> None:
    code = (
        "import sys\nfor l in sys.stdin: t, q = l[:-1].split('\\t'); print(t, 'Q0', q.replace(' ', '_'), 1, 2.5, 'x')"
    )
    assert engine(code).search_topics(QUERIES, 10) == {"q1": [("hot_soup", 2.5)], "q2": [("bread_and_butter", 2.5)]}


def test_topics_and_run_in_files(tmp_path: Path) -> None:
    code = (
        "import json, sys\n"
        "with open(sys.argv[2], 'w') as run:\n"
        "  for line in open(sys.argv[1]):\n"
        "    topic = json.loads(line); print(topic['id'], 'Q0', len(topic['query']), 1, sys.argv[3], 'x', file=run)\n"
        "print('I am busy', sys.stdin.read() == '')"
    )
    found = engine(code, "{{topics}}", "{{run}}", "{{k}}", topics="jsonl").search_topics(QUERIES, 10)
    assert found == {"q1": [("8", 10.0)], "q2": [("16", 10.0)]}


def test_a_topic_without_a_line() -> None:
    code = "print('q2 Q0 d1 1 2 x\\nq2 Q0 d2 2 3 x')"
    assert engine(code).search_topics(QUERIES, 10) == {"q2": [("d2", 3.0), ("d1", 2.0)]}
    without = engine(code, missing="empty").search_topics(QUERIES, 10)
    assert {topic: list(hits) for topic, hits in without.items()} == {"q1": [], "q2": [("d2", 3.0), ("d1", 2.0)]}


def test_a_search_in_which_a_topic_is_left_out_is_not_complete() -> None:
    topics = Topics([Topic(name, {"title": query}) for name, query in QUERIES.items()])
    code = "print('q2 Q0 d1 1 2 x')"
    outcome = search(engine(code), topics)
    assert list(outcome.failures) == ["q1"]
    assert 'has no line for it: missing = "empty" says' in outcome.failures["q1"]
    outcome = search(engine(code, missing="empty"), topics)
    assert (outcome.complete, outcome.empty) == (True, 1)


def test_runs_in_a_folder(tmp_path: Path) -> None:
    code = "import os; print('q1 Q0', os.path.basename(os.getcwd()), '1 1 x')"
    assert engine(code, folder=str(tmp_path)).search_topics(QUERIES, 10)["q1"] == [(tmp_path.name, 1.0)]


def test_nothing_is_given_to_a_shell(tmp_path: Path) -> None:
    code = "import sys; print('q1 Q0', sys.argv[1].replace(' ', '_'), '1 1 x')"
    trap = f"$(touch {tmp_path}/here);"
    assert engine(code, trap).search_topics(QUERIES, 10)["q1"] == [(trap.replace(" ", "_"), 1.0)]
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_fails() -> None:
    code = "import sys\nfor i in range(9): print('line', i, file=sys.stderr)\nsys.exit(3)"
    assert failure(engine(code)) == (
        "the command python ended with status 3:\n  line 4\n  line 5\n  line 6\n  line 7\n  line 8"
    )
    assert failure(engine("raise SystemExit(1)")) == (
        "the command python ended with status 1, and said nothing on standard error"
    )
    assert failure(engine("import os; os.kill(os.getpid(), 9)")).startswith("the command python was ended by SIGKILL")


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="the command no-such-program cannot be started: No such file or directory"):
        CommandEngine(program=["no-such-program"]).search("soup", 10)
    (tmp_path / "data").write_text("")
    with pytest.raises(EngineError, match="cannot be started: Permission denied"):
        CommandEngine(program=[str(tmp_path / "data")]).search("soup", 10)


def test_a_program_that_takes_too_long_is_stopped_with_what_it_started(tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    child = f"import time\nfor _ in range(100): open({str(alive)!r}, 'a').write('x'); time.sleep(.05)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    assert failure(engine(code, timeout=1.0)).startswith(
        "the command python was stopped: it took more than 1 seconds (timeout)"
    )
    written = alive.read_text()
    time.sleep(0.3)
    assert alive.read_text() == written


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("pass", "the command python ended well, and wrote no run to its standard output"),
        ("print('no run')", "the command python wrote what cannot be used: "),
        ("print('q1 Q0 d1 1 x tag')", "the command python wrote what cannot be used: its run:1: score 'x'"),
        ("print('q1 Q0 d1 1 2 t\\nq1 Q0 d1 2 1 t')", "the command python wrote what cannot be used: "),
        ("print('q3 Q0 d1 1 2 t')", "the command python answers a topic 'q3' that was not asked."),
    ],
)
def test_runs_that_cannot_be_used(code: str, expected: str) -> None:
    assert failure(engine(code)).startswith(expected)


def test_a_program_that_does_not_write_the_file() -> None:
    assert failure(engine("print('q1 Q0 d1 1 2 t')", "{{run}}")) == (
        "the command python ended well, and wrote no run to the file {{run}}"
    )


def test_queries_without_hits() -> None:
    assert list(engine("pass", missing="empty").search("soup", 10)) == []
    assert [len(hits) for hits in engine("pass", missing="empty").search_topics(QUERIES, 10).values()] == [0, 0]
    assert failure(engine("pass")) == "the command python ended well, and wrote no run to its standard output"
    with pytest.raises(EngineError, match="wrote no run"):
        engine("pass").search("soup", 10)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"program": "search --all"}, "program is 'search --all'; expected a program and its arguments"),
        ({"program": []}, "program is []"),
        ({"program": ["search", 5]}, "program[1] is 5; expected a text"),
        ({"program": ["search", "{{topic}}"]}, "program[1] has a place {{topic}}. Did you mean topics?"),
        ({"program": ["search"], "topics": "xml"}, "topics is 'xml'"),
        ({"program": ["search"], "timeout": -1}, "timeout is -1"),
        ({"program": ["search"], "missing": "fine"}, "missing is 'fine'"),
    ],
)
def test_impossible_parameters(settings: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParameterError) as raised:
        CommandEngine(**settings)
    assert expected in str(raised.value)


def test_is_described() -> None:
    found = CommandEngine(program=["search", "{{k}}"])
    assert json.loads(json.dumps(found.description())) == {
        "parameters": {"program": ["search", "{{k}}"], "topics": "tsv", "missing": "failed", "folder": None}
    }
    with pytest.raises(EngineError, match="is only searched"):
        found.index([])
    assert found.count() is None
