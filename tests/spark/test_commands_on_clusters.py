"""Commands as users give them, on a cluster whose workers have a Python of their own, without any package."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.cli.running import Done
from tests.logs.made_up import simulated
from tests.spark.environments import bare_python
from tests.spark.waiting import until
from tools.loopback import LoopbackCluster

pytestmark = pytest.mark.slow

CRANFIELD = [sys.executable, "-m", "cranfield"]
SMALL = ("--conf", "spark.sql.shuffle.partitions=2")


def run(*arguments: object, **environment: str) -> Done:
    """Not forked from a process that is warm: Java comes and goes with each."""
    done = subprocess.run(
        [*CRANFIELD, *map(str, arguments)],
        capture_output=True,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        timeout=900,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode())


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    return bare_python(tmp_path_factory.mktemp("environment") / "bare")


@pytest.fixture(scope="module")
def apart(other_cluster: LoopbackCluster, python: str) -> list[str]:
    """The options for a cluster with one worker, whose Python has no packages."""
    other_cluster.add_worker(PYSPARK_PYTHON=python)
    return ["--master", other_cluster.master, "--conf", f"spark.pyspark.python={python}", *SMALL]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("archive") / "workers.tar.gz"
    done = run("spark", "package", "-o", file, "--format", "json")
    assert done.exit_code == 0, done.stderr
    assert set(json.loads(done.text)["packages"]) >= {"cranfield", "numpy", "scipy", "pyarrow", "pandas"}
    return file


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("commands") / "log"
    simulated(folder, sessions=100, days=3)
    return folder


def checks(done: Done) -> dict[str, bool]:
    return {check["what"]: check["fine"] for check in json.loads(done.text)["checks"]}


def test_an_archive_has_what_workers_import(archive: Path, tmp_path: Path, python: str) -> None:
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "there", filter="data")
    used = "import cranfield.spark.query_values, cranfield.spark.text_rows, scipy.stats, pandas, pyarrow.parquet"
    said = subprocess.run(
        [python, "-c", f"{used}; print(pandas.__file__)"],
        env={"PYTHONPATH": str(tmp_path / "there")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.stdout.strip().startswith(str(tmp_path / "there")), said.stderr


def test_the_doctor_says_what_workers_lack(apart: list[str]) -> None:
    done = run("spark", "doctor", *apart, "--format", "json")
    assert done.exit_code == 3
    assert done.stderr == ""
    lacking = {what for what, fine in checks(done).items() if not fine}
    assert lacking == {"cranfield", "numpy", "scipy", "pyarrow", "pandas"}


def test_an_archive_brings_it_to_them(apart: list[str], archive: Path, log: Path, tmp_path: Path) -> None:
    brought = [
        *apart,
        "--conf",
        f"spark.archives={archive}#cranfield",
        "--conf",
        "spark.executorEnv.PYTHONPATH=./cranfield",
    ]
    done = run("spark", "doctor", *brought, "--format", "json", log, tmp_path / "nowhere")
    assert {what for what, fine in checks(done).items() if not fine} == {str(tmp_path / "nowhere")}
    qrels, ranked = tmp_path / "qrels.txt", tmp_path / "a.run"
    qrels.write_text("".join(f"q{q} 0 d{q} 1\n" for q in range(20)))
    ranked.write_text("".join(f"q{q} Q0 d{q + q % 3} 1 {1 - q / 100} a\n" for q in range(20)))
    # Oracle by hand: of 20 queries, the 7 with q % 3 = 0 have their relevant document at rank 1.
    evaluated = run("evaluate", qrels, ranked, "-m", "RR", "--format", "json", "--engine", "spark", *brought)
    assert evaluated.exit_code == 0, evaluated.stderr
    (only,) = json.loads(evaluated.text)["runs"]
    assert only["mean"]["RR"] == pytest.approx(7 / 20)


def test_a_job_says_what_workers_lack(apart: list[str], tmp_path: Path) -> None:
    qrels, ranked = tmp_path / "qrels.txt", tmp_path / "a.run"
    qrels.write_text("q1 0 d1 1\n")
    ranked.write_text("q1 Q0 d1 1 1 a\n")
    done = run("evaluate", qrels, ranked, "-m", "RR", "--engine", "spark", *apart)
    assert done.exit_code == 1
    assert "workers lack the package" in done.stderr
    assert "`cranfield spark package` makes an archive of what workers need" in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_worker_has_so_much_memory(other_cluster: LoopbackCluster, log: Path) -> None:
    """Spark would wait for ever."""
    where = ("--engine", "spark", "--master", other_cluster.master, "--conf", "spark.executor.memory=900g")
    done = run("logs", "overview", log, *where, CRANFIELD_SPARK_WAIT="3")
    assert done.exit_code == 1
    assert "no worker took part within 3 seconds" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_interrupt_ends_it_quietly(other_cluster: LoopbackCluster, apart: list[str], log: Path) -> None:
    masters_log = other_cluster.folder / "master.Master-0.log"
    registered = masters_log.read_text().count("Registered app cranfield")
    command = subprocess.Popen(
        [*CRANFIELD, "logs", "behaviour", str(log), "--engine", "spark", *apart],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # Where tests run in the background, shells have had interrupts ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    until(
        lambda: (
            masters_log.read_text().count("Launching executor")
            and masters_log.read_text().count("Registered app cranfield") > registered
        )
    )
    os.killpg(command.pid, signal.SIGINT)
    out, said = command.communicate(timeout=300)
    assert (command.returncode, out, said.decode().strip()) == (130, b"", "cranfield: interrupted")
