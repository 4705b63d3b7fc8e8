"""Making and writing a report; what its page does is tested in a browser."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.errors import CoverageError, DataError, UsageError
from cranfield.formats.collections import import_collection
from cranfield.report import write_report
from cranfield.report.html.contents import gather
from cranfield.report.html.page_data import page_data
from cranfield.report.html.report_runs import arranged
from cranfield.report.html.shown_rankings import shown_rankings
from tests.report.html.material import KEYWORD, QRELS, SEMANTIC, judgments, ranking, runs


def data_of(path: Path) -> dict[str, Any]:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', path.read_text(), re.DOTALL)
    data: dict[str, Any] = json.loads(text)
    return data


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report in a folder of its own, and tables in another beside that one."""
    folder = tmp_path_factory.mktemp("written")
    path = folder / "page" / "report.html"
    path.parent.mkdir()
    write_report(QRELS, [KEYWORD, SEMANTIC], path, command="cranfield report it", tables=folder / "tables" / "new")
    return path


def test_one_file_that_asks_for_nothing(written: Path) -> None:
    page = written.read_text()
    assert list(written.parent.iterdir()) == [written]
    marks = re.sub(r"(<script[^>]*>).*?</script>", r"\1", page, flags=re.DOTALL)
    assert not re.search(r"<(script|link|img|iframe)\b[^>]*\s(src|href)=|@import|url\(", marks)
    assert "default-src &#39;none&#39;" in page


def test_the_grade_that_is_relevant_is_not_said_of_measures_that_name_another(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(QRELS, [KEYWORD, SEMANTIC], path, measures=["AP", "AP(rel=2)"])
    assert "it is a grade of 1 or more, unless its name says otherwise." in path.read_text()


def test_ten_runs_and_fifty_topics_fit_in_two_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    chance_of_names = {
        topic: {f"document-number-{at:06d}-of-{topic}": 1.0 / (at + 1) for at in range(60)} for topic in judgments(50)
    }
    qrels = {topic: dict.fromkeys(list(documents)[:30], 1) for topic, documents in chance_of_names.items()}
    given = {
        f"run{number}": {
            topic: {name: ((at * (number + 3)) % 61) / 61 for at, name in enumerate(documents)}
            for topic, documents in chance_of_names.items()
        }
        for number in range(10)
    }
    write_report(qrels, given, path)
    assert path.stat().st_size < 2_000_000


def test_the_page_has_the_values_of_evaluate(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(QRELS, [KEYWORD, SEMANTIC], path, measures=["AP", "RR"])
    data = data_of(path)
    expected = cf.evaluate(QRELS, {"keyword": KEYWORD, "semantic": SEMANTIC}, ["AP", "RR"]).per_query
    assert data["runs"] == ["keyword", "semantic"]
    for topic in data["topics"]:
        for at, measure in enumerate(data["measures"]):
            values = [expected[run][topic["id"]][measure] for run in data["runs"]]
            assert topic["values"][at] == pytest.approx(values, abs=1e-6)


def test_the_first_twenty_documents_are_kept() -> None:
    qrels = cf.Qrels.from_dict({"q1": {"d3": 1, "d40": -1}, "q2": {"x": 1}})
    run = {"q1": {f"d{number}": float(number) for number in range(1, 41)}}
    (first, second) = shown_rankings(qrels, {"run": run})
    assert [first.documents[at].document for at in first.rankings[0]] == [f"d{number}" for number in range(40, 20, -1)]
    assert first.documents[0].grade is None
    assert (first.retrieved, second.retrieved, second.rankings) == ((40,), (0,), ((),))


def test_where_runs_have_what_others_show() -> None:
    qrels = cf.Qrels.from_dict({"q1": {"d1": 1}, "q2": {"d1": 1}})
    first = {"q1": {f"d{number}": -number for number in range(1, 41)}}
    second = {"q1": {"x": 3.0, "d33": 2.0, "d7": 1.0}, "q2": {"x": 1.0}}
    one, other = shown_rankings(qrels, {"first": first, "second": second})
    by_name = {one.documents[at].document: (one.ranks[0][at], one.ranks[1][at]) for at in range(len(one.documents))}
    # By hand: 40 documents in the order of their numbers, and three.
    assert [by_name[name] for name in ("d1", "d7", "d33", "x")] == [(1, 0), (7, 3), (33, 2), (0, 1)]
    assert other.ranks == ((0,), (1,))


def test_rankings_by_single_precision() -> None:
    # 1 + 1e-12 is 1 as a 32-bit float, so that the names decide, last first.
    qrels = cf.Qrels.from_dict({"q1": {"a": 1}})
    run = {"q1": {"a": 1.0 + 1e-12, "b": 1.0}}
    for single, expected in ((False, ["a", "b"]), (True, ["b", "a"])):
        (topic,) = shown_rankings(qrels, {"run": run}, single=single)
        assert [topic.documents[at].document for at in topic.rankings[0]] == expected


def test_which_run_is_the_baseline(tmp_path: Path) -> None:
    assert list(arranged([KEYWORD, SEMANTIC])) == ["keyword", "semantic"]
    assert list(arranged([KEYWORD, SEMANTIC], "semantic")) == ["semantic", "keyword"]
    assert list(arranged([KEYWORD, SEMANTIC], SEMANTIC)) == ["semantic", "keyword"]
    assert list(arranged([KEYWORD], SEMANTIC)) == ["semantic", "keyword"]
    assert list(arranged({"a": ranking(1), "b": ranking(2)}, "b")) == ["b", "a"]
    assert list(arranged({"a": ranking(1)}, {"old": ranking(2)})) == ["old", "a"]
    held = ranking(2)
    assert list(arranged({"a": ranking(1), "b": held}, held)) == ["b", "a"]
    with pytest.raises(
        UsageError, match=r"the baseline 'semantc' is neither one of the runs nor a file\. Did you mean semantic"
    ):
        arranged([KEYWORD, SEMANTIC], "semantc")
    with pytest.raises(UsageError, match="the file is given twice"):
        arranged([KEYWORD, KEYWORD])


def test_the_best_other_run_is_set_beside_the_baseline() -> None:
    contents = gather(judgments(20), runs(4, topics=20))
    means = cf.evaluate(judgments(20), runs(4, topics=20), "nDCG@10").mean
    others = {name: scores["nDCG@10"] for name, scores in means.items() if name != "run1"}
    data = page_data(contents)
    assert data["runs"][data["chosen"]] == max(others, key=lambda name: others[name])


def test_what_is_read_once_is_held(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    stream, qrels = io.BytesIO(KEYWORD.read_bytes()), io.BytesIO(QRELS.read_bytes())
    contents = write_report(qrels, {"keyword": stream, "semantic": SEMANTIC}, path)
    assert contents.evaluation.mean["keyword"]["AP"] == pytest.approx(cf.evaluate(QRELS, KEYWORD, "AP").mean["AP"])
    assert "cranfield explain" not in json.dumps(data_of(path))


def test_provenance_names_every_file(written: Path) -> None:
    import hashlib

    page = written.read_text()
    for file in (QRELS, KEYWORD, SEMANTIC):
        assert hashlib.sha256(file.read_bytes()).hexdigest() in page
    assert "cranfield report it" in page
    assert "by document, last first" in page


def test_tables_are_written_beside_it(written: Path) -> None:
    tables = written.parent.parent / "tables" / "new"
    assert sorted(file.name for file in tables.iterdir()) == [
        *("results.csv", "results.html", "results.md", "results.tex")
    ]
    assert "| semantic | **0.9183** | **0.8995**▲ | 0.8833 |" in (tables / "results.md").read_text()


def test_progress_goes_from_0_to_1(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []
    write_report(QRELS, KEYWORD, tmp_path / "report.html", progress=lambda what, share: told.append((what, share)))
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_all_of_the_hardest_topics_are_there_and_what_else_is_doubtful(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    contents = write_report(judgments(52), runs(1, topics=52), path, doubts=lambda found: [f"{len(found)} run is odd"])
    page = path.read_text()
    assert contents.failures is not None
    assert len(contents.failures.hardest) == 13  # a quarter
    _, _, hardest = page.partition('aria-label="The hardest topics"')
    assert hardest.partition("</table>")[0].count('<th scope="row"') == 13
    assert "<p>1\u00a0run is odd.</p>" in page.partition("What stands in the way")[2].partition("</section>")[0]


def test_an_old_report_survives_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(CoverageError):
        write_report(QRELS, {"other": {"nothing": {"d": 1.0}}}, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_folder_of_a_collection_has_texts_and_titles(tmp_path: Path) -> None:
    qrels = cf.read_qrels(QRELS).to_dict()
    documents = {document for judged in qrels.values() for document in judged}
    (tmp_path / "topics.tsv").write_text("".join(f"{topic}\tThe question {topic}\n" for topic in qrels))
    (tmp_path / "docs.tsv").write_text("".join(f"{name}\tThe title of {name}\n" for name in sorted(documents)))
    import_collection("trec", tmp_path, tmp_path / "kitchen")
    kitchen = tmp_path / "kitchen"
    contents = write_report(QRELS, KEYWORD, tmp_path / "report.html", topics=kitchen, documents=kitchen)
    assert contents.texts == {topic: f"The question {topic}" for topic in qrels}
    assert contents.titles
    assert all(title == f"The title of {name}" for name, title in contents.titles.items())
    (kitchen / "topics.jsonl").unlink()
    with pytest.raises(DataError, match="the topics are missing"):
        write_report(QRELS, KEYWORD, tmp_path / "report.html", topics=kitchen)


def test_what_cannot_be_done(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        write_report(QRELS, KEYWORD, tmp_path / "no" / "report.html")
    with pytest.raises(UsageError, match="by NumRet, NumRel no run can be better than another"):
        write_report(QRELS, KEYWORD, tmp_path / "report.html", measures=["NumRet", "NumRel"])
    with pytest.raises(UsageError, match=r"a report is made from plain judgments \(-R qrels\), not from prefs"):
        write_report(QRELS, KEYWORD, tmp_path / "report.html", relevance="prefs")
    with pytest.raises(CoverageError, match="none of the topics of the judgments and runs has a text there"):
        write_report(QRELS, KEYWORD, tmp_path / "report.html", topics={"301": "crime"})
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="tables are written to a folder, and this is a file"):
        write_report(QRELS, KEYWORD, tmp_path / "report.html", tables=tmp_path / "file")
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize(
    "options",
    [
        {"profile": "gdeval", "measures": ["nDCG@20"]},
        {"profile": "trec_eval-9", "measures": ["nDCG@10"]},
        {"judged_only": True},
        {"depth": 5},
        {"measures": ["SetE", "GMAP", "NumRet", "RelString"]},
        {"tests": "randomisation", "alternative": "better", "correction": "none"},
        {"level": 2},
    ],
    ids=str,
)
def test_options_of_all_kinds(options: dict[str, Any], tmp_path: Path) -> None:
    qrels = {str(number): grades for number, grades in enumerate(judgments().values(), 1)}
    given = {name: {str(number): one for number, one in enumerate(run.values(), 1)} for name, run in runs(3).items()}
    path = tmp_path / "report.html"
    contents = write_report(qrels, given, path, **options)
    assert data_of(path)["topics"]
    assert contents.comparison is not None
