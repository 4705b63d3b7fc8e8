"""Training data for rankers, and the way back: a learned ranker comes back as a run."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from cranfield.data.features import Features
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import DataError, FormatError, UsageError
from cranfield.experiments.ledger import read_ledger
from cranfield.experiments.training_data import candidate_features, judged_features, run_of_scores
from cranfield.experiments.training_files import export_training_data
from cranfield.formats.letor import read_features
from cranfield.formats.scores import read_scores
from tests.cli.running import run_cranfield
from tests.experiments.divided import divided_words


def by_document(features: Features) -> dict[str, tuple[float, dict[int, float]]]:
    return {row.document: (row.grade, dict(row.features)) for row in features.rows()}


def test_features_are_scores_made_comparable_topic_by_topic() -> None:
    qrels = Qrels.from_dict({"q1": {"d1": 2, "d2": 0, "d4": 1, "d5": -1}})
    runs = {
        "a": Run.from_dict({"q1": {"d1": 30.0, "d2": 20.0, "d3": 10.0}}),
        "b": Run.from_dict({"q1": {"d2": 5.0, "d4": 5.0}}),
    }
    # (30 - 10) / (30 - 10), (20 - 10) / (30 - 10); scores that are all the same become 1; a grade below 0 is none.
    judged = {"d1": (2.0, {1: 1.0}), "d2": (0.0, {1: 0.5, 2: 1.0}), "d4": (1.0, {2: 1.0})}
    assert by_document(judged_features(qrels, runs)) == judged
    assert by_document(judged_features(qrels, runs, normalisation="none"))["d2"] == (0.0, {1: 20.0, 2: 5.0})
    candidates = by_document(candidate_features(["q1", "q2"], runs))
    assert list(candidates) == ["d1", "d2", "d3", "d4"]
    assert candidates["d3"] == (0.0, {1: 0.0})
    some = candidate_features(["q1"], runs, documents=frozenset([b"d3"]))
    assert [row.document for row in some.rows()] == ["d3"]


def test_a_learned_ranker_comes_back_as_a_run(tmp_path: Path) -> None:
    """Of the two systems only `flat` is right; a learner that is given both finds that out."""
    from sklearn.datasets import load_svmlight_file
    from sklearn.linear_model import LinearRegression

    workspace = divided_words(tmp_path / "words")
    done = run_cranfield("export-ltr", "-o", "ltr", cwd=workspace.root)
    assert done.exit_code == 0, done.stderr
    assert done.text.splitlines() == [
        "file\ttopics\tdocuments\tgrades",
        "ltr/train.letor\t10\t20\tyes",
        "ltr/train.candidates.letor\t10\t20\tno",
        "ltr/validation.letor\t4\t8\tyes",
        "ltr/validation.candidates.letor\t4\t8\tno",
        "ltr/test.candidates.letor\t6\t12\tno",
    ]
    assert (workspace.root / "ltr/features.tsv").read_text().splitlines()[1:] == [
        "1\tbm25\tmin-max",
        "2\tflat\tmin-max",
    ]
    folder = workspace.root / "ltr"
    # An oracle reads the files: scikit-learn's reader of SVMlight.
    features, grades = load_svmlight_file(str(folder / "train.letor"), n_features=2)
    learned = LinearRegression().fit(features.toarray(), grades)
    candidates, _ = load_svmlight_file(str(folder / "test.candidates.letor"), n_features=2)
    scores = learned.predict(candidates.toarray())
    (workspace.root / "scores.txt").write_text("".join(f"{score:.6f}\n" for score in scores))
    done = run_cranfield(
        "import-ltr", "ltr/test.candidates.letor", "scores.txt", "-o", "learned.run", cwd=workspace.root
    )
    assert done.exit_code == 0, done.stderr
    done = run_cranfield("evaluate", "learned.run", "-m", "AP", "--split", "test", cwd=workspace.root)
    assert done.text.splitlines()[1] == "learned\tAP\tall\t1.0"  # the long document first, everywhere
    assert "test topics looked at once, by these runs: learned (1)" in done.stderr


def test_the_test_part_has_no_grades_unless_asked_and_asking_is_a_look(tmp_path: Path) -> None:
    workspace = divided_words(tmp_path / "words")
    written = export_training_data(workspace, tmp_path / "ltr", what="cranfield export-ltr")
    assert [one.path.name for one in written if not one.graded] == [
        "train.candidates.letor",
        "validation.candidates.letor",
        "test.candidates.letor",
    ]
    assert set(read_features(tmp_path / "ltr/test.candidates.letor").grade.tolist()) == {0.0}
    assert not (tmp_path / "ltr/test.letor").exists()
    assert not read_ledger(workspace.ledger).looks
    export_training_data(workspace, tmp_path / "ltr", ["flat"], test_grades=True, what="cranfield export-ltr")
    assert set(read_features(tmp_path / "ltr/test.letor").grade.tolist()) == {0.0, 1.0}
    (look,) = read_ledger(workspace.ledger).looks
    assert [run.name for run in look.runs] == ["flat"]
    assert look.topics.count == 6


def test_what_does_not_fit_is_said(tmp_path: Path) -> None:
    workspace = divided_words(tmp_path / "words")
    with pytest.raises(UsageError, match=r"no system 'flaat'. Did you mean flat\?"):
        export_training_data(workspace, tmp_path / "ltr", ["flaat"], what="")
    workspace.run_file("flat").unlink()
    with pytest.raises(DataError, match="flat: its run is missing: `cranfield update` makes it"):
        export_training_data(workspace, tmp_path / "ltr", what="")
    features = candidate_features(["q1"], {"a": Run.from_dict({"q1": {"d1": 1.0, "d2": 0.5}})})
    with pytest.raises(DataError, match="has 2 documents, and there are 1 scores"):
        run_of_scores(features, np.array([1.0]), name="learned")
    with pytest.raises(DataError, match="the score at line 2 is inf"):
        run_of_scores(features, np.array([1.0, np.inf]), name="learned")
    with pytest.raises(UsageError, match=r"unknown normalisation 'minmax'. Did you mean min-max"):
        candidate_features(["q1"], {"a": Run.from_dict({"q1": {"d1": 1.0}})}, normalisation="minmax")
    with pytest.raises(FormatError, match="2: expected a score, found 'none'"):
        read_scores(StringIO("1.5\nnone\n"))
    with pytest.raises(DataError, match="there is no score in it"):
        read_scores(StringIO("\n"))
