"""Which systems stand out."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.errors import UsageError
from cranfield.report.systems import BEST, FEW, Systems

MANY = {f"run{number:02}": number / 100 for number in range(60)}


def test_few_systems_all_have_a_colour() -> None:
    systems = Systems.of({name: MANY[name] for name in list(MANY)[:FEW]})
    assert len(systems.named) == FEW
    assert systems.rest == ()
    assert systems.notes() == []


def test_of_many_the_best_have_one() -> None:
    systems = Systems.of(MANY)
    assert systems.named == tuple(f"run{number}" for number in (59, 58, 57, 56, 55))
    assert (systems.label("run59"), systems.label("run00")) == ("run59", "55 others")
    assert systems.notes("mean AP") == [f"in colour: the best {BEST} of 60 runs by mean AP"]


def test_less_may_be_better() -> None:
    assert Systems.of(MANY, more_is_better=False).named[0] == "run00"


def test_some_may_be_highlighted_instead() -> None:
    systems = Systems.of(MANY, highlight=["run03", "run40"])
    assert systems.named == ("run40", "run03")
    assert systems.notes() == []


def test_no_such_run_to_highlight() -> None:
    with pytest.raises(UsageError, match=r"no run 'run7' to highlight\. Did you mean run"):
        Systems.of(MANY, highlight="run7")


def test_too_many_to_highlight() -> None:
    with pytest.raises(UsageError, match="at most 7 runs can be highlighted, found 8"):
        Systems.of(MANY, highlight=list(MANY)[:8])


def test_a_run_may_be_called_like_the_others() -> None:
    systems = Systems.of({**{f"r{number}": 1.0 for number in range(12)}, "8 others": 0.5})
    assert systems.others not in systems.names


def test_a_legend_has_the_order_in_which_systems_were_given() -> None:
    for scores in ({"bm25": 0.5, "dense": 0.25}, {"bm25": 0.25, "dense": 0.5}):
        colour: Any = Systems.of(scores).colour().to_dict()
        assert colour["scale"]["domain"] == ["bm25", "dense"]


def test_a_legend_may_say_more_than_names() -> None:
    assert Systems.of({"bm25": 0.5}, told={"bm25": "AUC .500"}).label("bm25") == "bm25: AUC .500"
