"""What `import cranfield as cf` offers."""

from __future__ import annotations

from collections.abc import Callable

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


@pytest.mark.parametrize(
    ("mistake", "kind", "other_kind"),
    [
        (lambda: cf.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, "nDGC"), cf.UsageError, cf.DataError),
        (lambda: cf.evaluate({"q": {"d": 1}}, {"p": {"d": 1.0}}, "AP"), cf.DataError, cf.UsageError),
    ],
    ids=["no such measure", "no topic in common"],
)
def test_mistakes_are_caught_by_names_at_the_top(
    mistake: Callable[[], object], kind: type[Exception], other_kind: type[Exception]
) -> None:
    with pytest.raises(cf.CranfieldError) as caught:
        mistake()
    assert isinstance(caught.value, kind)
    assert not isinstance(caught.value, other_kind)


@pytest.mark.parametrize(("name", "near"), [("nDGC", "nDCG"), ("evalute", "evaluate"), ("read_runs", "read_run")])
def test_a_name_that_is_not_there(name: str, near: str) -> None:
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'\. Did you mean .*\b{near}\b"):
        getattr(cf, name)
