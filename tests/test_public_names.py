"""What `import cranfield as cf` offers."""

from __future__ import annotations

import pytest

import cranfield as cf
from cranfield.measures import REGISTRY


def test_every_public_name_is_there() -> None:
    assert all(getattr(cf, name) is not None for name in cf.__all__)
    assert "write_preferences" in cf.__all__


def test_dir_lists_public_names_and_measures_and_nothing_else() -> None:
    names = {name for name in dir(cf) if not name.startswith("__")}
    rooms_by_import = {"cli"}
    assert names - rooms_by_import == {*cf.__all__, *REGISTRY} - {"__version__"}


@pytest.mark.parametrize(("name", "near"), [("nDGC", "nDCG"), ("evalute", "evaluate"), ("read_runs", "read_run")])
def test_a_name_that_is_not_there(name: str, near: str) -> None:
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'\. Did you mean .*\b{near}\b"):
        getattr(cf, name)
