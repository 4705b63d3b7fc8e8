"""Which Java is taken, and what is said of one that does not do. The oracle is what `java -version` prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.errors import UsageError
from cranfield.spark.java import find_java
from tests.cli.running import run_cranfield
from tests.spark.environments import a_java


@pytest.mark.parametrize(
    ("prints", "version"),
    [
        ('openjdk version "17.0.17" 2025-10-21', 17),
        ('openjdk version "21" 2023-09-19', 21),
    ],
)
def test_java_of_a_version_that_spark_runs_on(
    prints: str, version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(a_java(tmp_path / "jdk", prints)))
    found = find_java()
    assert found.version == version
    assert found.command == str(tmp_path / "jdk" / "bin" / "java")


@pytest.mark.parametrize(
    ("prints", "exit_code", "said"),
    [
        ('openjdk version "25.0.1" 2025-10-21', 0, "this is Java 25, and Spark needs Java 17 or 21"),
        ('java version "1.8.0_401"', 0, "this is Java 8, and Spark needs Java 17 or 21"),
        ("no version at all", 0, "does not say which version it is"),
        ("cannot start", 1, "Spark needs Java 17 or 21: set JAVA_HOME"),
    ],
)
def test_another_java(prints: str, exit_code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(a_java(tmp_path / "jdk", prints, exit_code)))
    with pytest.raises(UsageError, match=said):
        find_java()


def test_no_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="there is no Java here, and Spark needs Java 17 or 21"):
        find_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="No such file"):
        find_java()


def test_commands_say_so_before_anything_is_started(tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    home = a_java(tmp_path / "jdk", 'openjdk version "25.0.1" 2025-10-21')
    done = run_cranfield(
        "logs", "overview", tmp_path.as_uri(), "--engine", "spark", environment={"JAVA_HOME": str(home)}
    )
    assert done.exit_code == 2
    assert done.stderr.startswith(f"cranfield: {home}/bin/java: this is Java 25, and Spark needs Java 17 or 21")
    assert done.stderr.count("\n") == 1
    doctor = run_cranfield("spark", "doctor", "--format", "tsv", environment={"JAVA_HOME": str(home)})
    assert doctor.exit_code == 3
    assert [line.split("\t")[:2] for line in doctor.text.splitlines()] == [
        ["check", "fine"],
        ["pyspark", "yes"],
        ["Java", "no"],
    ]
