"""The driver is killed while output is written: what is there is not taken for whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.spark.available import require_spark
from tests.spark.waiting import until

pytestmark = pytest.mark.slow

WRITING = """
import sys, time
from cranfield.spark.folders import write_folder
from cranfield.spark.session import Cluster

def slowly(batches):
    for batch in batches:
        time.sleep(0 if batch.column("id")[0].as_py() < 100 else 600)
        yield batch

cluster = Cluster("local[1]")
rows = cluster.session().range(0, 200, 1, 2).mapInArrow(slowly, "id long")
write_folder(cluster, rows, sys.argv[1])
"""
"""Of two parts the first is written at once; the second takes longer than anybody waits."""


def test_no_half_of_an_output_has_its_name(tmp_path: Path) -> None:
    require_spark()
    folder = tmp_path / "per-query"
    driver = subprocess.Popen([sys.executable, "-c", WRITING, str(folder)], start_new_session=True, cwd=tmp_path)
    try:
        # What one task has written is there, under another name.
        until(lambda: driver.poll() is not None or any(tmp_path.rglob("_temporary/0/task_*/part-*.parquet")))
        assert driver.poll() is None
    finally:
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
    assert not folder.exists()
    left = [path.name for path in tmp_path.iterdir() if path.name.startswith(".per-query.")]
    assert len(left) == 1
    assert left[0].endswith(".unfinished")
    assert not any(tmp_path.rglob("_SUCCESS"))
