"""Tuning: the best values, by the topics that may be seen, with no index made anew."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cranfield.data.qrels import Qrels
from cranfield.data.topics import Topic, Topics
from cranfield.engines.engine import Engine
from cranfield.engines.python_function import PythonEngine
from cranfield.errors import DataError, EngineError, MissingExtraError, UsageError
from cranfield.experiments.parameter_space import ParameterSpace, Values
from cranfield.experiments.splitting import SplitRequest
from cranfield.experiments.tuned_engines import TunedEngines
from cranfield.experiments.tuning import tune
from cranfield.experiments.tuning_material import Portion, TuningMaterial, tuning_material
from cranfield.experiments.workspace import System, Workspace
from tests.experiments.divided import divided_words


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return divided_words(tmp_path_factory.mktemp("tuning") / "words")


def never(system: System) -> None:
    raise AssertionError(f"an index was made for {system.parameters}")


@pytest.fixture
def engines(words: Workspace) -> Iterator[TunedEngines]:
    made = TunedEngines(words, words.system("bm25"), never)
    yield made
    made.close()


def test_a_grid_finds_the_best_value_and_makes_no_index(words: Workspace, engines: TunedEngines) -> None:
    found = tune(tuning_material(words), engines, ParameterSpace.of("b=0.0,1.0"), "AP")
    assert found.method == "grid"
    # By the arithmetic of tests.experiments.divided: first of two, or second of two.
    assert [trial.scores for trial in found.trials] == [
        {"train": 1.0, "validation": 1.0},
        {"train": 0.5, "validation": 0.5},
    ]
    assert found.best.values == {"b": 0.0}
    assert found.topics == {"train": 10, "validation": 4}


def test_where_less_is_better_the_lowest_wins(words: Workspace, engines: TunedEngines) -> None:
    found = tune(tuning_material(words), engines, ParameterSpace.of("b=0.0,1.0"), "EER")
    assert found.measure.more_is_better is False
    assert found.best.values == {"b": 0.0}


@pytest.mark.parametrize("method", ["tpe", "random"])
def test_optuna_finds_it_too_and_the_same_seed_tries_the_same(
    words: Workspace, engines: TunedEngines, method: str
) -> None:
    space = ParameterSpace.of(["b=0.0..1.0", "k1=0.5..2.0", "variant=lucene,atire", "delta=0..3"])

    def trials(seed: int) -> list[Values]:
        found = tune(tuning_material(words), engines, space, "AP", trials=12, method=method, seed=seed)
        assert found.best.scores["validation"] == 1.0
        assert all(0 <= trial.values["b"] <= 1 and isinstance(trial.values["delta"], int) for trial in found.trials)
        return [trial.values for trial in found.trials]

    assert trials(1) == trials(1) != trials(2)


def test_other_parameters_get_an_index_of_their_own(words: Workspace) -> None:
    from cranfield.experiments.updating import index_system

    made: list[System] = []

    def build(system: System) -> None:
        made.append(system)
        index_system(words, system)

    engines = TunedEngines(words, words.system("bm25"), build)
    found = tune(tuning_material(words), engines, ParameterSpace.of(["stop_words=true,false", "b=0.0,0.5"]), "AP")
    engines.close()
    assert len(found.trials) == 4
    assert len(made) == 1  # that with stop words is there already


def line(values: Values) -> Engine:
    """The document d1 has the score of x, d2 has 1: d1 stands first from 1 on (and d2 in a tie)."""
    return PythonEngine(function=lambda query, k: {"d1": values["x"], "d2": 1.0})


def simple(relevant: str) -> TuningMaterial:
    topics = Topics([Topic(f"t{number}", {"title": "a"}) for number in range(len(relevant))])
    judged = {f"t{number}": {f"d{one}": 1} for number, one in enumerate(relevant)}
    return TuningMaterial(topics, {"train": Portion(Qrels.from_dict(judged))})


def test_cross_validation_chooses_without_the_fold_it_scores() -> None:
    # Three topics want d1 first (x = 2), one wants d2 first (x = 0). Leave one out, four folds: whichever is left out,
    # x = 2 is best for the others (mean of 1, 1, 1/2 or of 1, 1, 1), so the folds score 1, 1, 1 and 1/2: 0.875 on
    # average, as the chosen x = 2 scores on all: (1 + 1 + 1 + .5) / 4.
    found = tune(simple("1112"), line, ParameterSpace.of("x=0.0,2.0"), "RR", folds=4)
    assert found.best.values == {"x": 2.0}
    assert found.best.scores["training and validation"] == 0.875
    assert found.cross_validation is not None
    assert sorted(fold.score for fold in found.cross_validation.folds) == [0.5, 1.0, 1.0, 1.0]
    assert found.cross_validation.mean == 0.875
    # Two against two: without one of them the others win, and the fold they are scored on loses: all folds score 1/2,
    # where the best value scores 3/4 on all.
    found = tune(simple("1122"), line, ParameterSpace.of("x=0.0,2.0"), "RR", folds=4)
    assert found.cross_validation is not None
    assert found.cross_validation.mean == 0.5
    assert found.best.scores["training and validation"] == 0.75
    assert found.searches == 2  # nothing is searched for twice


def test_by_document_every_part_has_documents_of_its_own(tmp_path: Path) -> None:
    workspace = divided_words(tmp_path / "words", SplitRequest(by="document", seed=2))
    material = tuning_material(workspace)
    train, validation = (material.portions[part].documents for part in ("train", "validation"))
    assert train is not None
    assert validation is not None
    assert not train & validation
    assert len(train) == 20  # half of 40
    judged = {
        document for part in ("train", "validation") for document in material.portions[part].qrels.documents.tolist()
    }
    assert judged == train | validation
    engines = TunedEngines(workspace, workspace.system("bm25"), never)
    found = tune(material, engines, ParameterSpace.of("b=0.0,1.0"), "AP", folds=2)
    engines.close()
    assert found.cross_validation is not None
    assert {fold.size for fold in found.cross_validation.folds} == {14}  # (20 + 8) / 2 documents


def test_a_document_of_another_part_does_not_stand_in_the_way() -> None:
    material = TuningMaterial(
        Topics([Topic("t0", {"title": "a"})]),
        {"train": Portion(Qrels.from_dict({"t0": {"d2": 1}}), frozenset([b"d2"]))},
    )
    assert tune(material, line, ParameterSpace.of("x=2.0"), "RR").best.scores == {"train": 1.0}  # d1 is not there


def test_trials_that_fail_say_with_which_values() -> None:
    def broken(values: Values) -> Engine:
        return PythonEngine(function=lambda query, k: {"d1": float("nan")})

    with pytest.raises(EngineError, match=r"with x = 2.0: topic t0: the score of document 'd1' is nan"):
        tune(simple("1"), broken, ParameterSpace.of("x=2.0"), "RR")


def test_a_trial_that_finds_nothing_scores_nothing() -> None:
    found = tune(
        simple("1"), lambda values: PythonEngine(function=lambda query, k: {}), ParameterSpace.of("x=2.0"), "RR"
    )
    assert found.best.scores == {"train": 0.0}


def test_what_cannot_be_tuned_is_refused(words: Workspace, engines: TunedEngines) -> None:
    material = tuning_material(words)
    with pytest.raises(UsageError, match="of this measure neither more nor less is better"):
        tune(material, engines, ParameterSpace.of("b=0.0,1.0"), "num_q")
    with pytest.raises(UsageError, match="unknown method 'gradient'"):
        tune(material, engines, ParameterSpace.of("b=0.0,1.0"), "AP", method="gradient")
    with pytest.raises(UsageError, match=r"no parameter 'kk1'. Did you mean k1\?"):
        tune(material, engines, ParameterSpace.of("kk1=0.0,1.0"), "AP")
    with pytest.raises(UsageError, match=r"b is 7.0; expected a number from 0 to 1"):
        tune(material, engines, ParameterSpace.of("b=7.0"), "AP")
    with pytest.raises(DataError, match="tuning looks at train and validation only, not at test"):
        TuningMaterial(material.topics, {**material.portions, "test": material.portions["train"]})


def test_a_best_value_at_the_end_of_its_range_is_said(words: Workspace, engines: TunedEngines) -> None:
    material = tuning_material(words)
    found = tune(material, engines, ParameterSpace.of("b=0.1..0.9:0.4"), "AP", accepts=engines.accepts)
    assert found.at_the_edge == ("b",)
    assert any("b = 0.1 is an end of its range" in note for note in found.notes)
    # b goes from 0 to 1: there is nothing below
    found = tune(material, engines, ParameterSpace.of("b=0.0..1.0:0.5"), "AP", accepts=engines.accepts)
    assert (found.best.values, found.at_the_edge) == ({"b": 0.0}, ())
    assert not any("range" in note for note in found.notes)


def test_without_optuna_a_grid_still_works(
    words: Workspace, engines: TunedEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    material, space = tuning_material(words), ParameterSpace.of("b=0.0..1.0")
    with pytest.raises(MissingExtraError, match=r"pip install 'cranfield\[tune\]'"):
        tune(material, engines, space, "AP", method="tpe")
    assert len(tune(material, engines, space, "AP", method="grid", trials=3).trials) == 3
