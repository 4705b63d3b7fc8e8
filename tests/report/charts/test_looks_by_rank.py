"""How far people look is drawn as it was found."""

from __future__ import annotations

import numpy as np

from cranfield.report.charts.looks_by_rank import looks_by_rank


def test_lines_are_what_models_say_and_end_where_nothing_is_shown() -> None:
    found = {"pbm": np.array([1.0, 0.5, 0.25, np.nan]), "dbn": np.array([1.0, 0.75, 0.5, 0.125])}
    chart = looks_by_rank(found, "dbn").to_dict()
    drawn: dict[str, dict[float, float]] = {"pbm": {}, "dbn": {}}
    for rows in chart["datasets"].values():
        for row in rows:
            if row.get("run") in drawn and "y" in row:
                drawn[row["run"]][row["x"]] = row["y"]
    assert drawn == {"pbm": {1: 1, 2: 0.5, 3: 0.25}, "dbn": {1: 1, 2: 0.75, 3: 0.5, 4: 0.125}}
    assert "dbn foretells clicks best" in " ".join(chart["title"]["subtitle"])


def test_one_model_is_not_called_the_best() -> None:
    chart = looks_by_rank({"pbm": np.array([1.0, 0.5])}, "pbm").to_dict()
    assert "best" not in str(chart["title"])
