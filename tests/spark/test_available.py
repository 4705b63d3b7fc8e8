"""Where Spark cannot run, its tests say so: they are skipped, or fail where nothing may be skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.spark import available
from tests.spark.environments import a_java


@pytest.fixture
def only_java_25(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setattr(available, "_INSTALLED", tmp_path / "jvm")
    monkeypatch.setenv("JAVA_HOME", str(a_java(tmp_path / "jdk", 'openjdk version "25.0.1" 2025-10-21')))


@pytest.mark.usefixtures("only_java_25")
def test_it_is_said_why_they_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRANFIELD_REQUIRE_ALL", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"this is Java 25, .*: tests of Spark are not run"):
        available.require_spark()


@pytest.mark.usefixtures("only_java_25")
def test_nothing_may_be_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_REQUIRE_ALL", "1")
    with pytest.raises(pytest.fail.Exception, match=r"this is Java 25, .*nothing may be skipped"):
        available.require_spark()


@pytest.mark.usefixtures("only_java_25")
def test_one_that_does_is_found_among_several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_REQUIRE_ALL", "1")
    a_java(tmp_path / "jvm" / "java-8", 'openjdk version "1.8.0_402"')
    found = a_java(tmp_path / "jvm" / "java-21", 'openjdk version "21.0.2" 2024-01-16')
    available.require_spark()
    assert os.environ["JAVA_HOME"] == str(found)
