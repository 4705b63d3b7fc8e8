"""Click models fitted on a cluster: the same parameters, perplexity and documents as here."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest
from click.testing import CliRunner

from cranfield.cli.main import cli
from cranfield.errors import DataError, UsageError
from cranfield.logs.click_models import ClickModels, click_models
from cranfield.logs.documents import COLUMNS
from cranfield.logs.fitted_models import FittedModels
from cranfield.logs.folder import RECORD
from cranfield.logs.log import Log
from cranfield.logs.models import MODELS
from cranfield.logs.models.fitting import ClickModel, Step
from cranfield.logs.models.spark_fitting import WRITTEN_DOWN, _Steps
from cranfield.logs.spark_click_models import spark_click_models
from cranfield.logs.spark_engine import SparkEngine
from cranfield.spark.session import Cluster
from tests.logs.made_up import simulated
from tools.loopback import LoopbackCluster

pytestmark = pytest.mark.slow

STEPS = WRITTEN_DOWN + 4
"""So many that what workers know is written down in between."""
RELATIVE = 1e-9


@pytest.fixture(scope="module")
def engine(cluster: Cluster) -> SparkEngine:
    return SparkEngine(cluster)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log whose first topic has more than a third of all events, and in which some pages are in random order."""
    made = tmp_path_factory.mktemp("skewed")
    simulated(made / "log", sessions=2500, days=3, topics=6, shuffled=0.2)
    return made


@pytest.fixture(scope="module")
def there(folder: Path, engine: SparkEngine) -> FittedModels:
    log = Log(folder / "log", engine=engine)
    return spark_click_models(log, engine, iterations=STEPS, output=str(folder / "documents.parquet"))


@pytest.fixture(scope="module")
def here(folder: Path) -> ClickModels:
    return click_models(Log(folder / "log"), iterations=STEPS)


def test_one_query_has_a_third_of_all_events(folder: Path) -> None:
    log = Log(folder / "log")
    texts = log.run(log.impressions.group_by("text").agg(rows=log.impressions.count()))
    rows = texts["rows"].to_numpy()
    assert rows.max() > rows.sum() / 3


@pytest.mark.parametrize("name", MODELS)
def test_parameters_are_the_same(name: str, there: FittedModels, here: ClickModels) -> None:
    found, expected = there.models[name], here.models[name]
    assert found.fit.iterations == expected.fit.iterations
    assert found.fit.converged == expected.fit.converged
    assert found.fit.prior == expected.fit.prior
    assert found.fit.log_posteriors == pytest.approx(expected.fit.log_posteriors, rel=RELATIVE)
    assert found.model.parameters().keys() == expected.model.parameters().keys()
    for what, values in expected.model.parameters().items():
        np.testing.assert_allclose(found.model.parameters()[what], values, rtol=RELATIVE)
    np.testing.assert_allclose(found.examination, expected.examination, rtol=RELATIVE)


@pytest.mark.parametrize("name", MODELS)
def test_models_foretell_the_same(name: str, there: FittedModels, here: ClickModels) -> None:
    found, expected = there.models[name].quality, here.models[name].quality
    assert found.views == expected.views
    assert found.perplexity == pytest.approx(expected.perplexity, rel=RELATIVE)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=RELATIVE)
    np.testing.assert_allclose(found.perplexity_by_rank, expected.perplexity_by_rank, rtol=RELATIVE)


@pytest.mark.parametrize("name", MODELS)
def test_documents_that_workers_write_are_the_same(
    name: str, there: FittedModels, here: ClickModels, folder: Path
) -> None:
    table = pyarrow.parquet.read_table(folder / "documents.parquet", filters=[("model", "=", name)])
    assert tuple(table.column_names) == COLUMNS
    found = {(row["query"], row["document"]): row for row in table.to_pylist()}
    expected = [dict(zip(COLUMNS, row, strict=True)) for row in here.rows(name)]
    assert len(found) == len(expected) == there.models[name].documents
    for row in expected:
        assert same(found[row["query"], row["document"]], row)
    assert there.models[name].abstains == here.models[name].abstains == table["relevance"].null_count


def same(found: dict[str, Any], expected: dict[str, Any]) -> bool:
    pairs = ((found[name], value) for name, value in expected.items())
    return all(
        math.isclose(one, value, rel_tol=RELATIVE) if isinstance(value, float) else one == value for one, value in pairs
    )


def test_what_is_said_of_all_models_is_the_same(there: FittedModels, here: ClickModels) -> None:
    assert list(there.models) == list(here.models)
    assert (there.best, there.notes) == (here.best, here.notes)
    assert (there.fitted_to, there.tried_on) == (here.fitted_to, here.tried_on)
    assert there.moved == pytest.approx(here.moved)


def test_nothing_is_left_beside_the_log(there: FittedModels, folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["documents.parquet", "log"]
    assert (folder / "documents.parquet" / "_SUCCESS").exists()


def test_a_folder_that_is_there_is_refused_before_anything_is_fitted(
    there: FittedModels, folder: Path, engine: SparkEngine
) -> None:
    with pytest.raises(UsageError, match="there is something of that name already"):
        spark_click_models(Log(folder / "log", engine=engine), engine, output=str(folder / "documents.parquet"))


def test_what_cannot_be_fitted_is_told_as_here(folder: Path, engine: SparkEngine) -> None:
    log = Log(folder / "log", engine=engine)
    with pytest.raises(DataError, match="was put 1000000 times: click models need impressions"):
        spark_click_models(log, engine, least_views=1_000_000)
    with pytest.raises(UsageError, match="cannot be made; name one in which all workers may write"):
        spark_click_models(log, engine, scratch=str(folder / "log" / RECORD))


def test_the_command(folder: Path, cluster: Cluster) -> None:
    """In this process, which has a session: only --scratch and -o go to Spark."""
    where = ("--engine", "spark", "--master", cluster.master, "--scratch", str(folder))
    arguments = ["logs", "models", str(folder / "log"), *where, "--model", "cascade"]
    done = CliRunner().invoke(cli, [*arguments, "-o", str(folder / "cascade.parquet")])
    assert done.exit_code == 0, done.output
    assert "cascade" in done.stdout
    assert (folder / "cascade.parquet" / "_SUCCESS").exists()
    assert not list(folder.glob("cranfield-scratch-*"))
    done = CliRunner().invoke(cli, [*arguments, "-o", str(folder / "cascade.tsv")])
    assert isinstance(done.exception, UsageError)


def test_a_worker_that_is_killed_costs_nothing_but_time(
    folder: Path, engine: SparkEngine, loopback: LoopbackCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the third step, when nothing is written down, and after the thirteenth, when the tenth is."""
    step, lost, steps = _Steps.__call__, [3, WRITTEN_DOWN + 3], 2 * WRITTEN_DOWN + 3

    def losing(made: _Steps, model: ClickModel) -> Step:
        found = step(made, model)
        if lost and len(steps_made) + 1 == lost[0]:
            lost.pop(0)
            loopback.kill(loopback.workers.pop())
            loopback.add_worker(PYSPARK_PYTHON=sys.executable)
        steps_made.append(found.log_posterior)
        return found

    steps_made = list[float]()
    monkeypatch.setattr(_Steps, "__call__", losing)
    log = Log(folder / "log", engine=engine)
    found = spark_click_models(log, engine, ["dcm"], iterations=steps).models["dcm"]
    expected = click_models(Log(folder / "log"), ["dcm"], iterations=steps).models["dcm"]
    assert not lost
    assert found.fit.log_posteriors == pytest.approx(expected.fit.log_posteriors, rel=RELATIVE)
    assert found.documents == expected.documents
    assert found.quality.perplexity == pytest.approx(expected.quality.perplexity, rel=RELATIVE)
