"""What tests in every folder may use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

from tests.browser import browser, open_page
from tests.cli.running import Done, run_cranfield

__all__ = ["browser", "open_page"]

# How long an example takes says more about the machine than about the code.
settings.register_profile("cranfield", deadline=None)
# Where a change is judged, the same examples every time: what is found by chance is found while working.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady" if os.environ.get("CRANFIELD_STEADY") == "1" else "cranfield")


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder with real collections; a test that uses it is marked `real_data`."""
    named = os.environ.get("CRANFIELD_REAL_DATA")
    if named and Path(named).is_dir():
        return Path(named)
    reason = f"$CRANFIELD_REAL_DATA is {named!r}, not a folder" if named else "$CRANFIELD_REAL_DATA is not set"
    if os.environ.get("CRANFIELD_REQUIRE_ALL") == "1":
        pytest.fail(f"{reason}, and CRANFIELD_REQUIRE_ALL=1 says that nothing may be skipped")
    pytest.skip(f"{reason}: it names the folder with real collections")


class Demonstration(NamedTuple):
    """What `cranfield demo` left behind, and what it printed."""

    folder: Path
    done: Done


@pytest.fixture(scope="session")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Demonstration:
    """`cranfield demo`, once for all; whoever changes something in the folder works on a copy."""
    folder = tmp_path_factory.mktemp("demonstration") / "demo"
    return Demonstration(folder, run_cranfield("demo", folder))
