"""Whether Spark can run here, and on which Java."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from cranfield.errors import UsageError
from cranfield.spark.java import find_java

_INSTALLED = Path("/usr/lib/jvm")
"""Where systems have several versions of Java beside each other."""


def require_spark() -> None:
    """Skip, or fail where nothing may be skipped, if Spark cannot run; choose a Java on which it can."""
    why = "pyspark is not installed (the extra spark)" if find_spec("pyspark") is None else _choose_java()
    if not why:
        return
    if os.environ.get("CRANFIELD_REQUIRE_ALL") == "1":
        pytest.fail(
            f"{why}, and CRANFIELD_REQUIRE_ALL=1 says that nothing may be skipped: `make services` installs Java"
        )
    pytest.skip(f"{why}: tests of Spark are not run")


def _choose_java() -> str:
    """Nothing if there is a Java that Spark runs on, which JAVA_HOME then names; or else why there is none."""
    why, before = "", os.environ.get("JAVA_HOME")
    for home in (before, *sorted(map(str, _INSTALLED.glob("*")))):
        if home is not None:
            os.environ["JAVA_HOME"] = home
        try:
            find_java()
        except UsageError as error:
            why = why or str(error)
        else:
            return ""
    os.environ.pop("JAVA_HOME", None)
    if before is not None:
        os.environ["JAVA_HOME"] = before
    return why
