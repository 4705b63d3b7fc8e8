"""Whether a result still holds: it does if nothing changed, and whatever changed is found."""

from __future__ import annotations

import copy
import gzip
import io
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import CranfieldError, DataError, FormatError, UsageError
from cranfield.evaluation.provenance.verification import Values
from cranfield.evaluation.zscores import read_reference, standardise
from cranfield.measures.profiles import PROFILES

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2, "d4": 1}}
RUN = {"q1": {"d2": 2.5, "d1": 1.5}, "q2": {"d3": 1.0, "d9": 0.5, "d4": 0.25}}
MEASURES = ["RR", "AP", "nDCG@10"]


def written(qrels: Any = QRELS, runs: Any = None, measures: Any = MEASURES, **options: Any) -> dict[str, Any]:
    """A result as it stands in a file."""
    runs = {"mine": RUN} if runs is None else runs
    result = cf.evaluate(qrels, runs, measures, provenance=True, **options).to_dict()
    whole: dict[str, Any] = json.loads(json.dumps(result))
    return whole


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of a result, and the result beside them."""
    cf.write_qrels(cf.Qrels.from_dict(QRELS), tmp_path / "qrels.txt")
    cf.write_run(cf.Run.from_dict(RUN), tmp_path / "a.run")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "result.json").write_text(json.dumps(written("qrels.txt", ["a.run"])))
    return tmp_path


def statuses(found: cf.Verification) -> dict[str, str]:
    return {check.label: check.status for check in found.inputs}


def test_what_has_not_changed_holds(folder: Path) -> None:
    for given_files in ((), ("qrels.txt", "a.run"), (Path("qrels.txt"), [folder / "a.run"])):
        found = cf.verify("result.json", *given_files)
        assert found.holds
        assert statuses(found) == {"qrels": "same", "run a": "same"}
        # Three means, and three values for each of two topics.
        assert (found.values, found.largest, found.differences, found.notes) == (9, 0.0, (), [])
        assert found.sentence == "result.json holds: all 9 values come out the same; the 2 inputs are the same"


def test_a_changed_judgment_is_found(folder: Path) -> None:
    (folder / "qrels.txt").write_text((folder / "qrels.txt").read_text().replace("q1 0 d2 0", "q1 0 d2 1"))
    found = cf.verify("result.json")
    assert not found.holds
    assert statuses(found) == {"qrels": "changed", "run a": "same"}
    # RR: from (1/2 + 1) / 2 to 1. AP of q1: from 1/2 to 1; of q2 (1 + 2/3) / 2 = 5/6 stays.
    means = {one.what: (one.recorded, one.recomputed) for one in found.differences if one.part == "mean"}
    assert means["RR"] == pytest.approx((0.75, 1.0))
    assert means["AP"] == pytest.approx(((1 / 2 + 5 / 6) / 2, (1 + 5 / 6) / 2))
    assert {(one.where, one.what) for one in found.differences if one.part == "per_query"} == {
        ("q1", "RR"),
        ("q1", "AP"),
        ("q1", "nDCG@10"),
    }
    assert "6 of 9 values differ, by up to 0.5; qrels.txt is not what was evaluated then" in found.sentence


def test_a_changed_judgment_that_changes_no_value_is_found(folder: Path) -> None:
    with (folder / "qrels.txt").open("a") as file:
        file.write("q1 0 d77 0\n")
    found = cf.verify("result.json")
    assert not found.holds
    assert not found.differences
    assert cf.verify("result.json", values_only=True).holds
    assert found.sentence == (
        "result.json does not hold: qrels.txt is not what was evaluated then, though all 9 values come out the same"
    )


def test_what_speaks_against_a_result_whose_values_come_out_the_same() -> None:
    whole = edited(lambda whole: whole["coverage"]["mine"].update(topics_found=3))
    whole["settings"]["seed"] = 1
    assert cf.verify(whole, QRELS, RUN).sentence == (
        "the result does not hold: the coverage differs; settings and provenance.settings differ, though all 9 values "
        "come out the same; the 2 inputs are the same"
    )


def test_a_changed_run_is_found(folder: Path) -> None:
    (folder / "a.run").write_text((folder / "a.run").read_text().replace("d1 2 1.5", "d7 2 1.5"))
    found = cf.verify("result.json")
    assert not found.holds
    assert statuses(found) == {"qrels": "same", "run a": "changed"}
    # q1 has lost its only relevant document: RR from 1/2 to 0, and its mean from .75 to .5.
    assert {(one.where, one.off) for one in found.differences if one.what == "RR"} == {("all", -0.25), ("q1", -0.5)}


def edited(change: Any) -> dict[str, Any]:
    whole = copy.deepcopy(written())
    change(whole)
    return whole


@pytest.mark.parametrize(
    ("change", "where", "off"),
    [
        (lambda whole: whole["runs"][0]["mean"].update(AP=0.9), ("mean", ("AP",)), (1 / 2 + 5 / 6) / 2 - 0.9),
        (lambda whole: whole["runs"][0]["per_query"]["q1"].update(RR=1), ("per_query", ("q1", "RR")), -0.5),
        (lambda whole: whole["coverage"]["mine"].update(topics_found=3), ("coverage", ("topics_found",)), -1),
        (lambda whole: whole["runs"][0]["mean"].update(AP="high"), ("mean", ("AP",)), None),
        (lambda whole: whole["runs"][0]["mean"].pop("AP"), ("mean", ("AP",)), None),
        (lambda whole: whole["runs"][0]["mean"].update(MAP=0.5), ("mean", ("MAP",)), None),
        (lambda whole: whole["runs"][0]["per_query"].update(q7={"RR": 1}), ("per_query", ("q7",)), None),
        (lambda whole: whole["runs"][0]["mean"].update(AP=None), ("mean", ("AP",)), None),
        (lambda whole: whole["runs"][0]["mean"].update(AP=True), ("mean", ("AP",)), None),
    ],
)
def test_a_number_edited_by_hand_is_found(change: Any, where: tuple[str, tuple[str, ...]], off: float | None) -> None:
    found = cf.verify(edited(change), QRELS, RUN)
    assert not found.holds
    (one,) = found.differences
    assert (one.part, one.keys) == where
    assert one.off == (None if off is None else pytest.approx(off))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda whole: whole["settings"].update(level=2), "settings and provenance.settings differ"),
        (lambda whole: whole["measures"].reverse(), "measures and provenance.measures differ"),
        (lambda whole: whole.update(profile="trec_eval-9"), "profile and provenance.profile differ"),
    ],
)
def test_what_stands_twice_must_be_the_same(change: Any, said: str) -> None:
    found = cf.verify(edited(change), QRELS, RUN)
    assert not found.holds
    assert found.contradictions == (said,)
    assert said in found.sentence


def test_another_version_is_said() -> None:
    found = cf.verify(edited(lambda whole: whole["provenance"].update(cranfield="0.0.1", numpy="1.0")), QRELS, RUN)
    assert found.holds
    assert found.made_with["cranfield"] == "0.0.1"
    assert found.notes[0] == f"made with cranfield 0.0.1, verified with {cf.__version__}"
    assert found.notes[1].startswith("made with numpy 1.0, verified with")


def test_another_rule_of_the_profile_is_said() -> None:
    def change(whole: dict[str, Any]) -> None:
        whole["provenance"]["profile"]["rules"]["ties"] = "by the throw of a die"

    found = cf.verify(edited(change), QRELS, RUN)
    assert found.holds
    (was, now) = found.rules_changed["ties"]
    assert was == "by the throw of a die"
    assert found.notes == [f"the profile had another rule for ties: by the throw of a die; now: {now}"]


def test_a_profile_of_ones_own() -> None:
    own = PROFILES["cranfield"]._replace(name="mine", missing="skip")
    run = {"q1": RUN["q1"]}
    whole = written(QRELS, {"mine": run}, profile=own)
    with pytest.raises(UsageError, match=r"was made with a profile 'mine', which is not one of cranfield, .*profile="):
        cf.verify(whole, QRELS, run)
    assert cf.verify(whole, QRELS, run, profile=own).holds
    # The same name does not make it the same profile: then q2 counts, with 0.
    found = cf.verify({**whole, "profile": "cranfield"}, QRELS, run)
    assert not found.holds
    assert found.rules_changed


def test_runs_are_known_by_hash_whatever_they_are_called(folder: Path) -> None:
    cf.write_run(cf.Run.from_dict({"q1": {"d1": 1.0}, "q2": {"d4": 1.0}}), folder / "b.run")
    whole = written("qrels.txt", ["a.run", "b.run"])
    os.rename("a.run", "x.run")
    os.rename("b.run", "a.run")
    os.rename("qrels.txt", "judgments")
    found = cf.verify(whole, "judgments", ["x.run", "a.run"])
    assert found.holds
    assert [(check.recorded.name, check.now.name) for check in found.inputs] == [
        ("qrels.txt", "judgments"),
        ("a.run", "x.run"),
        ("b.run", "a.run"),
    ]


def test_some_runs_are_enough_and_the_others_are_said(folder: Path) -> None:
    cf.write_run(cf.Run.from_dict({"q1": {"d1": 1.0}, "q2": {"d4": 1.0}}), folder / "b.run")
    whole = written("qrels.txt", ["a.run", "b.run"])
    found = cf.verify(whole, "qrels.txt", "b.run")
    assert found.holds
    assert (found.runs, found.not_checked) == (("b",), ("a",))
    assert found.notes == ["not checked, for no file was given: 1 run (a)"]


def test_a_run_that_is_none_of_those_in_the_result(folder: Path) -> None:
    cf.write_run(cf.Run.from_dict({"q1": {"d1": 1.0}}), folder / "b.run")
    message = r"b: neither its hash nor its name is that of a run in result\.json \(a\)"
    with pytest.raises(UsageError, match=message):
        cf.verify("result.json", "qrels.txt", ["a.run", "b.run"])
    # One for one it must be that run, which has changed.
    assert statuses(cf.verify("result.json", "qrels.txt", "b.run")) == {"qrels": "same", "run a": "changed"}


def test_a_result_of_data_in_memory_holds_for_the_files_with_the_same_content(folder: Path) -> None:
    (folder / "a.run.gz").write_bytes(gzip.compress((folder / "a.run").read_bytes()))
    (folder / "qrels.txt").write_text("q2  0 d4 1\nq1 0  d2 0\nq1 0 d1 1\nq2 0 d3 2\n")
    whole = written(QRELS, {"mine": RUN})
    found = cf.verify(whole, "qrels.txt", "a.run.gz")
    assert found.holds
    assert set(statuses(found).values()) == {"same"}
    assert not cf.verify(whole, "qrels.txt", {"mine": {**RUN, "q2": {"d3": 1.0}}}).holds


def test_the_other_way_round_there_are_no_bytes_to_compare(folder: Path) -> None:
    found = cf.verify("result.json", QRELS, RUN)
    assert found.holds
    assert set(statuses(found).values()) == {"unknown"}
    assert "2 of 2 inputs cannot be compared" in found.sentence
    streams = [io.BytesIO((folder / name).read_bytes()) for name in ("qrels.txt", "a.run")]
    assert set(statuses(cf.verify("result.json", *streams)).values()) == {"same"}


def test_a_result_without_provenance(folder: Path) -> None:
    whole = cf.evaluate(QRELS, {"mine": RUN}, MEASURES).to_dict()
    found = cf.verify(whole, "qrels.txt", "a.run")
    assert found.holds
    assert found.sentence.endswith("; it has no hashes of its inputs")
    with pytest.raises(UsageError, match="the result does not say where its judgments came from; give the file"):
        cf.verify(whole)
    with pytest.raises(UsageError, match="the result has its judgments from memory, not from a file; give the same"):
        cf.verify(written())


def test_files_are_looked_for_beside_the_result(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert cf.verify("../result.json").holds
    (folder / "a.run").rename(folder / "a2.run")
    message = r"a\.run, the run a of \.\./result\.json, is not there; say where it is\. Did you mean a2\.run\?"
    with pytest.raises(UsageError, match=message):
        cf.verify("../result.json")


def test_only_some_topics_are_written_down() -> None:
    whole = edited(lambda whole: whole["runs"][0]["per_query"].pop("q1"))
    found = cf.verify(whole, QRELS, RUN)
    assert found.holds
    assert found.values == 6


def test_parts_that_this_version_does_not_know() -> None:
    whole = edited(lambda whole: whole["runs"][0].update(horoscopes={"AP": {"low": 1}}))
    found = cf.verify(whole, QRELS, RUN)
    assert found.holds
    assert found.notes == ["not checked, for this version does not make them: horoscopes"]


@pytest.mark.parametrize(
    ("off", "tolerance", "holds"), [(1e-9, 1e-12, False), (1e-9, 1e-8, True), (1e-14, 1e-12, True)]
)
def test_the_tolerance(off: float, tolerance: float, holds: bool) -> None:
    whole = edited(lambda whole: whole["runs"][0]["mean"].update(RR=0.75 + off))
    found = cf.verify(whole, QRELS, RUN, tolerance=tolerance)
    assert found.holds == holds
    assert found.largest == pytest.approx(off, rel=0.01)


def test_of_large_values_the_tolerance_is_a_share() -> None:
    whole = written(QRELS, {"mine": {"q1": {f"d{number}": number for number in range(1000)}}}, "NumRet")
    whole["runs"][0]["mean"]["NumRet"] = 1000 + 1e-10
    assert cf.verify(whole, QRELS, {"q1": {f"d{number}": number for number in range(1000)}}).holds


def test_parts_of_any_shape_are_compared_value_by_value() -> None:
    values = Values(0.125)
    values.compare("mine", "part", {"AP": [0.5, {"low": 1, "of": "x"}]}, {"AP": [0.5, {"low": 1.5, "of": "y"}]})
    values.compare("mine", "part", {"RR": [1, 2]}, {"RR": [1]})
    assert [one.keys for one in values.differences] == [("AP", "2", "low"), ("AP", "2", "of"), ("RR",)]
    assert (values.count, values.largest) == (4, 0.5)


@pytest.mark.parametrize("tolerance", [-1, float("nan"), float("inf")])
def test_a_tolerance_that_is_none(tolerance: float) -> None:
    with pytest.raises(UsageError, match="expected a number from 0 up"):
        cf.verify(written(), QRELS, RUN, tolerance=tolerance)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("\n", FormatError, "result.json: the file is empty"),
        ("1 0 d1 1\n", FormatError, "result.json: this is not JSON, and so no result of `cranfield evaluate"),
        ("q1 Q0 d1 1 0.5 a\n", FormatError, "The result comes first, then judgments and runs."),
        ('{"query_id": "q1"}\n{"query_id": "q2"}\n', FormatError, "result.json: this is not JSON, and so no result"),
        ('{"schema": "cranfield.eva', FormatError, "It ends too early: was it cut off?"),
        ('{"schema" = 3}', FormatError, "Expecting ':' delimiter. Was it edited by hand?"),
        ("[1, 2]", DataError, "this is no result of `cranfield evaluate --format json`, which has a schema"),
        ('{"q1": {"d1": 1}}', DataError, "this is no result of"),
        ('{"schema": "cranfield.comparison/1"}', DataError, "schema 'cranfield.comparison/1'; verify reads"),
        ('{"schema": "cranfield.evaluation/2"}', DataError, "this version of Cranfield knows 'cranfield.evaluation/1'"),
        ('{"schema": "cranfield.evaluation/1"}', DataError, "'settings' is missing; expected an object. Was it edited"),
    ],
)
def test_what_is_no_result(folder: Path, text: str, error: type[CranfieldError], message: str) -> None:
    (folder / "result.json").write_text(text)
    with pytest.raises(error) as caught:
        cf.verify("result.json")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda whole: whole["measures"].append("nDGC@10"), "the result: unknown measure 'nDGC@10'. Did you mean nDCG"),
        (lambda whole: whole["settings"].update(lvl=1), "this version does not know the setting 'lvl'. It was made by"),
        (lambda whole: whole["settings"].update(level="x"), "the result: the least relevant grade (-l, level=) must"),
        (lambda whole: whole["settings"].update(relevance="?"), "relevance is '?'; expected one of qrels"),
        (lambda whole: whole.update(runs=[]), "it has no run"),
        (lambda whole: whole.update(runs=[{"mean": {}}]), "one of 'runs' has no name"),
        (lambda whole: whole.update(runs=[{"name": "a", "mean": 3}]), "run 'a' has no values"),
        (lambda whole: whole.update(runs=[{"name": "a"}]), "run 'a' has no values"),
        (lambda whole: whole.update(measures="AP"), "'measures' is str; expected a list"),
        (lambda whole: whole["provenance"]["inputs"][0].update(sha256="abc"), "expected 64 hexadecimal digits"),
        (lambda whole: whole["provenance"]["inputs"][0].update(hash_of="x"), "expected 'bytes' or 'content'"),
        (lambda whole: whole["provenance"]["inputs"][0].update(role="x"), "one of 'provenance.inputs' has no role"),
    ],
)
def test_what_is_wrong_with_a_result_is_said(change: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        cf.verify(edited(change), QRELS, RUN)
    assert message in str(caught.value)


def test_what_is_given_and_was_not_used() -> None:
    with pytest.raises(UsageError, match=r"made without costs \(--costs, costs=\); leave it out"):
        cf.verify(written(), QRELS, RUN, costs={"d1": 1})
    with pytest.raises(DataError, match=r"a result is a file .* or what to_dict\(\) gives, not int"):
        cf.verify(3, QRELS, RUN)


def test_every_kind_of_result_in_memory() -> None:
    subtopics = [("q1", "a", "d1", 1), ("q1", "b", "d2", 1), ("q2", "a", "d3", 1)]
    intents = {"q1": {"a": 0.25, "b": 0.75}, "q2": {"a": 1}}
    costs = {"d1": 3, "d2": 4.5, "d3": 1, "d9": 2, "d4": 1}
    preferences = cf.Preferences.from_tuples([("q1", "ann", "0", "d1", 2), ("q1", "ann", "0", "d2", 1)])
    kinds: list[tuple[Any, Any, dict[str, Any]]] = [
        (QRELS, ["P@5", "RelString", "GMAP", "NumRet"], {"level": 2, "depth": 1, "judged_only": True}),
        (QRELS, ["AP", "iprec_at_recall"], {"profile": "trec_eval-9", "complete": True}),
        (subtopics, ["alpha_nDCG@5", "AP"], {"intents": intents}),
        (QRELS, ["TBG"], {"costs": costs, "default_cost": 2.5}),
        (preferences, ["prefs_simp"], {"relevance": "prefs"}),
        (subtopics, ["AP_avgjg"], {"relevance": "qrels_jg"}),
        (QRELS, ["prefs_pair"], {"relevance": "qrels_prefs"}),
        (QRELS, ["AP", "nDCG@10"], {"residuals": True}),
        (QRELS, ["AP", "nDCG@10"], {"ties": "expected", "seed": 7}),
    ]
    for qrels, measures, options in kinds:
        whole = written(qrels, {"mine": RUN}, measures, **options)
        more = {name: options[name] for name in ("intents", "costs") if name in options}
        found = cf.verify(whole, qrels, RUN, **more)
        assert found.holds, found
        assert set(statuses(found).values()) == {"same"}
    with pytest.raises(UsageError, match=r"has its costs \(--costs, costs=\) from memory, not from a file"):
        cf.verify(written(QRELS, {"mine": RUN}, ["TBG"], costs=costs), QRELS, RUN)


def test_deviations_from_a_reference(folder: Path) -> None:
    (folder / "means.txt").write_text("q1 AP 0.5 0.25\nq2 AP 0.25 0.5\n")
    result = cf.evaluate("qrels.txt", "a.run", "AP", provenance=True)
    whole = cf.Evaluation((standardise(result, read_reference("means.txt", hashed=True)),)).to_dict()
    found = cf.verify(whole)
    assert found.holds
    assert statuses(found)["reference"] == "same"
    (folder / "means.txt").write_text("q1 AP 0.5 0.25\nq2 AP 0.25 0.25\n")
    changed = cf.verify(whole, reference="means.txt")
    assert statuses(changed)["reference"] == "changed"
    # q2: (5/6 - 1/4) / 1/2 = 7/6, then over 1/4 = 7/3.
    (one,) = (one for one in changed.differences if one.part == "per_query")
    assert (one.recorded, one.recomputed) == pytest.approx((7 / 6, 7 / 3))


def test_as_text_and_as_json(folder: Path) -> None:
    found = cf.verify("result.json")
    assert repr(found) == found.sentence
    whole = json.loads(json.dumps(found.to_dict()))
    assert whole["schema"] == "cranfield.verification/1"
    assert whole["holds"] is True
    changed = cf.verify("result.json", "qrels.txt", {"a": {**RUN, "q1": {"d1": 1.0}}})
    assert "a, all: RR 0.75 -> 1.0" in repr(changed)


@settings(max_examples=40)
@given(st.randoms(use_true_random=False), st.sampled_from(["cranfield", "trec_eval-9", "gdeval", "ranx"]))
def test_a_result_holds_for_what_it_was_made_from_and_for_nothing_else(rng: random.Random, profile: str) -> None:
    queries = [f"q{number}" for number in range(rng.randint(1, 4))]
    qrels = {query: {f"d{number}": rng.randint(0, 3) for number in range(rng.randint(1, 6))} for query in queries}
    run = {query: {f"d{rng.randint(0, 9)}": rng.randint(0, 20) / 4 for _ in range(6)} for query in queries}
    measures = ["nDCG@5", "nDCG(gain=linear)@5"]
    whole = written(qrels, {"mine": run}, measures, profile=profile)
    assert cf.verify(whole, qrels, run).holds
    other = copy.deepcopy(run)
    other[queries[0]]["d0"] = 99.0
    assert not cf.verify(whole, qrels, other).holds


@pytest.mark.real_data
def test_real_runs(real_data: Path, tmp_path: Path) -> None:
    covid = real_data / "trec_covid_r1"
    runs = sorted((covid / "runs").glob("*.gz"))[:4]
    whole = written(covid / "qrels-rnd1.txt", runs, ["nDCG@10", "AP", "P@5", "bpref"])
    found = cf.verify(whole)
    assert found.holds
    assert found.values == 4 * 4 * 31  # 30 topics and the mean
    lines = (covid / "qrels-rnd1.txt").read_text().splitlines()
    best = next(at for at, line in enumerate(lines) if line.endswith(" 2"))
    lines[best] = lines[best][:-1] + "0"
    (tmp_path / "qrels.txt").write_text("\n".join(lines) + "\n")
    changed = cf.verify(whole, tmp_path / "qrels.txt", runs)
    assert not changed.holds
    assert {one.keys[0] for one in changed.differences if one.part == "per_query"} == {lines[best].split()[0]}
