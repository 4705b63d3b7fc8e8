"""Files of a log that Spark cannot use: which one it is, and what is wrong with it, is said."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield.errors import DataError, UsageError
from cranfield.logs.clicks import clicks_by_rank
from cranfield.logs.folder import LogFolder
from cranfield.logs.log import Log, Part
from cranfield.logs.overview import overview
from cranfield.logs.spark_engine import SparkEngine
from cranfield.spark.session import Cluster
from tests.logs.made_up import simulated

pytestmark = pytest.mark.slow
OF_ROWS = Part(since="0001-01-01")
"""All days, said so: then nothing comes from what the import worked out."""


@pytest.fixture(scope="module")
def engine(cluster: Cluster) -> SparkEngine:
    return SparkEngine(cluster)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "log"
    simulated(folder, sessions=60, days=3)
    return folder


@pytest.fixture
def log(whole: Path, tmp_path: Path) -> Path:
    """A copy that may be damaged."""
    return Path(shutil.copytree(whole, tmp_path / "log"))


def second(log: Path, table: str = "queries") -> Path:
    """One of several files of a table."""
    return sorted(LogFolder(log).table(table).rglob("*.parquet"))[1]


def rewritten(file: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    pq.write_table(change(pq.ParquetFile(file).read()), file)


def test_a_column_of_another_type(log: Path, engine: SparkEngine) -> None:
    def as_text(table: pa.Table) -> pa.Table:
        at = table.schema.get_field_index("time_ms")
        return table.set_column(at, "time_ms", table.column(at).cast(pa.string()))

    rewritten(second(log), as_text)
    with pytest.raises(DataError) as failure:
        overview(Log(log, OF_ROWS, engine=engine))
    assert str(second(log)) in str(failure.value)
    assert "the column time_ms of this Parquet file is of another type (BINARY) than it has to be (bigint)" in str(
        failure.value
    )
    assert "\n" not in str(failure.value)


def test_a_file_without_a_column(log: Path, engine: SparkEngine) -> None:
    """Spark would take it for empty, and count fewer than there are."""
    rewritten(second(log), lambda table: table.drop_columns(["time_ms", "user_id"]))
    with pytest.raises(DataError) as failure:
        overview(Log(log, OF_ROWS, engine=engine))
    assert str(second(log)) in str(failure.value)
    lacks = str(failure.value).partition("lacks columns of its table: ")[2]
    assert set(lacks.partition(".")[0].split(", ")) == {"time_ms", "user_id"}


def test_columns_in_another_order_are_the_same(log: Path, whole: Path, engine: SparkEngine) -> None:
    rewritten(second(log), lambda table: table.select(table.column_names[::-1]))
    assert overview(Log(log, OF_ROWS, engine=engine)).total == overview(Log(whole)).total


def test_a_file_that_ends_early(log: Path, engine: SparkEngine) -> None:
    content = second(log).read_bytes()
    second(log).write_bytes(content[:-20])
    with pytest.raises(DataError) as failure:
        overview(Log(log, OF_ROWS, engine=engine))
    assert str(second(log)) in str(failure.value)
    assert "this file is damaged, or not Parquet" in str(failure.value)


def test_a_file_that_is_damaged_inside(log: Path, engine: SparkEngine) -> None:
    content = bytearray(second(log, "impressions").read_bytes())
    content[4 : len(content) // 2] = bytes([0x37]) * (len(content) // 2 - 4)
    second(log, "impressions").write_bytes(content)
    with pytest.raises(DataError) as failure:
        clicks_by_rank(Log(log, OF_ROWS, engine=engine))
    assert str(second(log, "impressions")) in str(failure.value)
    assert "this file is damaged, or not Parquet" in str(failure.value)


def test_a_table_that_is_not_there(log: Path, engine: SparkEngine) -> None:
    shutil.rmtree(LogFolder(log).table("events"))
    with pytest.raises(DataError, match="events: there is no such file or folder"):
        overview(Log(log, OF_ROWS, engine=engine))


def test_an_address_without_a_log(tmp_path: Path, engine: SparkEngine) -> None:
    with pytest.raises(UsageError, match=r"this is no log: there is no log.json in it"):
        overview(Log(tmp_path.as_uri(), engine=engine))


def test_an_address_that_spark_has_no_library_for(engine: SparkEngine) -> None:
    with pytest.raises(DataError, match=r"Spark has not what it needs to read such an address: name the library"):
        overview(Log("s3a://bucket/log", engine=engine))


def test_a_path_that_only_this_machine_sees(whole: Path, driver_folder: Path, engine: SparkEngine) -> None:
    """To each process /proc/self/cwd is another folder: that of the driver is as if on another machine."""
    if not Path("/proc/self/cwd").exists():
        pytest.skip("there is no /proc here")
    shutil.copytree(whole, driver_folder / "only-here")
    with pytest.raises(DataError) as failure:
        overview(Log("file:///proc/self/cwd/only-here", engine=engine))
    assert str(failure.value).startswith("file:///proc/self/cwd/only-here/log.json: a worker does not see this file")
    assert "put it where this machine and all workers see it by the same name" in str(failure.value)
    assert "\n" not in str(failure.value)
    with pytest.raises(DataError, match=r"only-here/.*parquet: a worker does not see this file"):
        engine.run(
            engine.table("events", f"file:///proc/self/cwd/only-here/{LogFolder(whole).read().tables}/events").count()
        )
