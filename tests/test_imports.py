"""Starting up loads only what is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("pandas", "polars", "pyarrow", "scipy", "narwhals", "zstandard", "matplotlib", "altair", "django", "duckdb")


def loaded_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(done.stdout.split())


def test_import_loads_not_even_numpy() -> None:
    assert not loaded_after("import cranfield") & {"numpy", *HEAVY}


@pytest.mark.parametrize(
    "code",
    [
        "import cranfield as cf; cf.evaluate({'q': {'d': 1}}, {'q': {'d': 1.0}})",
        "import cranfield.cli.evaluate",
        "import cranfield.cli.similarity; import cranfield as cf; cf.similarity({'q': {'d': 1.0}}, {'q': {'d': 1.0}})",
        "import cranfield.cli.compare",
        "import cranfield.cli.correlate",
        "import cranfield.cli.power",
        "import cranfield.cli.main",
    ],
)
def test_evaluating_loads_no_optional_library(code: str) -> None:
    assert not loaded_after(code) & set(HEAVY)
