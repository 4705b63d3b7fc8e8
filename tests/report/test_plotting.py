"""Drawings from judgments and runs, in one call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.errors import UnknownMeasureError, UsageError
from cranfield.report.drawing import alt
from cranfield.report.export import chart_bytes, specification
from cranfield.report.kinds import KINDS
from cranfield.report.other_words import OTHER_WORDS
from cranfield.report.theme import COLOURS
from tests.report.material import made_up, tables, words

QRELS, RUNS = made_up(3, 4)


def test_a_notebook_gets_a_chart() -> None:
    chart = cf.plot("recall-precision", QRELS, RUNS)
    assert isinstance(chart, alt.LayerChart)
    assert chart._repr_mimebundle_() is not None


def test_files_and_tables_are_runs_too(tmp_path: Path) -> None:
    cf.write_qrels(cf.Qrels.from_dict(QRELS), tmp_path / "qrels.txt")
    cf.write_run(cf.Run.from_dict(RUNS["system-000"]), tmp_path / "first.run")
    chart = cf.plot("per-topic", tmp_path / "qrels.txt", [tmp_path / "first.run"], "AP")
    assert "AP by topic: first, 4 topics" in words(chart)


def test_other_words_are_no_kinds() -> None:
    assert not OTHER_WORDS.keys() & KINDS.keys()
    for offered in OTHER_WORDS.values():
        assert offered.split()[0].rstrip(",") in KINDS


def test_means_by_several_measures() -> None:
    chart = cf.plot("means", QRELS, RUNS, ["AP", "P@5"])
    assert [panel["title"]["text"] for panel in specification(chart)["concat"]] == ["mean AP", "mean P@5"]
    assert "runs in the order of AP" in words(chart)
    assert "is better" not in words(chart)
    assert "Judged@10: neither more nor less is better" in words(cf.plot("means", QRELS, RUNS, ["AP", "Judged@10"]))
    evaluation = cf.evaluate(QRELS, RUNS, ["AP", "P@5"])
    best_first = sorted(RUNS, key=lambda name: -evaluation[name].mean["AP"])
    for panel, measure in zip(tables(chart), ("AP", "P@5"), strict=True):
        assert [row["run"] for row in panel] == best_first
        assert [row["mean"] for row in panel] == [evaluation[name].mean[measure] for name in best_first]
    with pytest.raises(UsageError, match="7 measures do not fit in a drawing; name 6 or fewer"):
        cf.plot("means", QRELS, RUNS, [f"P@{cutoff}" for cutoff in range(1, 8)])


def test_scatters_of_each_two_measures() -> None:
    qrels, runs = made_up(6, 12)
    measures = ["AP", "P@3", "nDCG@5"]
    chart = specification(cf.plot("correlation", qrels, runs, measures, form="scatter"))
    evaluation = cf.evaluate(qrels, runs, measures)
    found = cf.correlate(qrels, runs, measures, coefficients="tau_b")
    shown = {(pair.first.label, pair.second.label): pair.value("tau_b") for pair in found}
    assert all(-1 <= value <= 1 for value in shown.values()), "a coefficient that is not defined shows nothing"
    for down, row in enumerate(chart["vconcat"]):
        for across, cell in enumerate(row["hconcat"]):
            if down > across:
                points = {point["run"]: (point["x"], point["y"]) for point in chart["datasets"][cell["data"]["name"]]}
                assert points == {
                    name: (pytest.approx(run.mean[measures[across]]), pytest.approx(run.mean[measures[down]]))
                    for name, run in evaluation.items()
                }
                continue
            (one,) = chart["datasets"][cell["data"]["name"]]
            if down == across:
                assert one["lines"] == [measures[down]]
            else:
                assert one["value"] == pytest.approx(shown[measures[down], measures[across]])


def test_the_average_of_a_roc_curve_is_in_its_title() -> None:
    assert words(cf.plot("roc", QRELS, RUNS)).startswith("ROC, cutoff average of 4 topics")
    assert words(cf.plot("roc", QRELS, RUNS, average="vertical")).startswith("ROC, vertical average of 4 topics")


def test_a_theme_and_a_title() -> None:
    chart = cf.plot("box", QRELS, RUNS, theme="dark", title="How good are they?")
    assert chart.to_dict()["config"]["background"] == COLOURS["dark"]["paper"]
    assert words(chart).startswith("How good are they? box: quartiles")


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        (("rock", QRELS, RUNS), {}, r"no plot 'rock'\. Did you mean roc\? There are: means, recall-precision, roc"),
        (("xyzzy", QRELS, RUNS), {}, r"no plot 'xyzzy'\. There are: means"),
        (("dumbbell", QRELS, RUNS), {}, r"no plot 'dumbbell'\. Did you mean per-topic with two runs"),
        (("Scatter_Matrix", QRELS, RUNS), {}, r"Did you mean correlation --form scatter, with the measures as -m\?"),
        (("prc", QRELS, RUNS), {}, r"no plot 'prc'\. Did you mean recall-precision\?"),
        (("pr", QRELS, RUNS), {}, r"no plot 'pr'\. Did you mean recall-precision\?"),
        (("bar", QRELS, RUNS), {}, r"Did you mean means .* or per-topic"),
        (("roc",), {}, "roc needs judgments and a run"),
        (("matrix", QRELS, {"only": RUNS["system-000"]}), {}, "matrix needs 2 runs or more, found 1"),
        (("scatter", QRELS, RUNS), {}, "scatter needs 2 runs, found 3"),
        (("discount", QRELS, RUNS), {}, "discount is about measures alone: leave out judgments and runs"),
        (("roc", QRELS, RUNS, "AP"), {}, "roc is of no measure in particular: leave out AP"),
        (
            ("box", QRELS, RUNS, ["AP", "RR"]),
            {},
            "box shows one measure, found AP, RR: draw one for each; means, cutoff have a panel",
        ),
        (("box", QRELS, RUNS), {"topic": "t1"}, "topic says nothing about box; it is for recall-precision, roc"),
        (("roc", QRELS, RUNS), {"relevance": "prefs"}, "relevance cannot be used with roc, which knows profile, level"),
        (("box", QRELS, RUNS), {"theme": "drak"}, r"no theme 'drak'; .* Did you mean dark\?"),
        (("box", QRELS, RUNS), {"highlight": "sistem-001"}, r"no run 'sistem-001' .* Did you mean system-001"),
        (("difference", QRELS, RUNS), {"baseline": "sistem-001"}, r"none of the runs\. Did you mean system-001"),
        (
            ("recall-precision", QRELS, RUNS),
            {"topic": "t0001"},
            r"none of the 4 topics that have one\. Did you mean t001",
        ),
        (("recall-precision", QRELS, RUNS), {"form": "raw"}, "the raw curve is that of one topic: name it"),
        (("recall-precision", QRELS, RUNS), {"form": "averaged", "topic": "t001"}, "an average is over all topics"),
        (("recall-precision", QRELS, RUNS), {"form": "rwa", "topic": "t001"}, r"not 'rwa'\. Did you mean raw\?"),
        (("roc", QRELS, RUNS), {"topic": "t001", "fpr": 0.1}, "ask for a point of the convex hull"),
        (("correlation", QRELS, RUNS), {"form": "pie"}, "drawn as heat or scatter, not 'pie'"),
        (
            ("correlation", QRELS, RUNS, [f"P@{cutoff}" for cutoff in range(1, 10)]),
            {"form": "scatter"},
            "9 rankings do not fit in scatters; name 8 or fewer, or let a heat map show them",
        ),
        (("cutoff", QRELS, RUNS, ["P", "R", "AP", "RR", "F", "CG", "DCG"]), {}, "7 measures do not fit"),
        (("discount", None, None, "Judged@10"), {}, "Judged@10 has no weight for a rank"),
        (("discount", None, None, "alpha_nDCG@10"), {}, "has no weight for a rank"),
        (("discount", None, None, [f"P@{k}" for k in range(1, 9)]), {}, "at most 7 measures"),
        (("means", QRELS, RUNS, "RelString"), {}, "is text and has no mean"),
    ],
)
def test_mistakes(arguments: Any, options: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        cf.plot(*arguments, **options)


def test_an_unknown_measure() -> None:
    with pytest.raises(UnknownMeasureError, match=r"unknown measure 'nDGC@10'\. Did you mean nDCG"):
        cf.plot("box", QRELS, RUNS, "nDGC@10")


def test_an_unknown_option() -> None:
    with pytest.raises(TypeError, match=r"plot\(\) has no option 'hilight'\. Did you mean highlight\?"):
        cf.plot("box", QRELS, RUNS, hilight="system-001")


def test_every_kind_has_a_chart_function_or_shares_one() -> None:
    from cranfield.report import charts

    shared = {"by-rank": "cutoff", "gain": "cutoff"}
    of_tuning = {"surface"}
    assert {shared.get(name, name.replace("-", "_")) for name in KINDS} | of_tuning == set(charts.__all__)
    assert all(callable(getattr(charts, name)) for name in charts.__all__)


@pytest.mark.parametrize("kind", ["by-rank", "coverage", "difference", "roc", "violin"])
def test_the_same_input_gives_the_same_drawing(kind: str) -> None:
    assert chart_bytes(cf.plot(kind, QRELS, RUNS), "json") == chart_bytes(cf.plot(kind, QRELS, RUNS), "json")
