"""Fused runs are those of ranx 0.3.21, for the methods and normalisations that both have."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf

METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "RRF": ("rrf", {}),
    "RRF(k=3)": ("rrf", {"k": 3}),
    "CombSUM": ("sum", {}),
    "CombMNZ": ("mnz", {}),
    "CombGMNZ(gamma=0.5)": ("gmnz", {"gamma": 0.5}),
    "CombANZ": ("anz", {}),
    "CombMIN": ("min", {}),
    "CombMAX": ("max", {}),
    "CombMED": ("med", {}),
    "ISR": ("isr", {}),
    "logISR": ("log_isr", {}),
    "logISR(sigma=0.01)": ("logn_isr", {"sigma": 0.01}),
    "RBC": ("rbc", {"phi": 0.8}),
    "Borda": ("bordafuse", {}),
}
WEIGHTED = {"CombSUM": "wsum", "CombMNZ": "wmnz", "Borda": "w_bordafuse"}
NORMALISATIONS = {
    "min-max": "min-max",
    "max": "max",
    "sum": "sum",
    "z-score": "zmuv",
    "rank": "rank",
    "borda": "borda",
    "none": None,
}
SCORES = ("CombSUM", "CombMNZ", "CombANZ", "CombMIN", "CombMAX", "CombMED")

Runs = list[dict[str, dict[str, float]]]


@st.composite
def runs(draw: st.DrawFn) -> Runs:
    """Three runs for the same topics, no score twice in a list: ranx ranks ties in no fixed order."""
    documents = [f"d{number}" for number in range(9)]

    def ranking() -> dict[str, float]:
        chosen = draw(st.lists(st.sampled_from(documents), min_size=2, max_size=9, unique=True))
        scores = draw(
            st.lists(st.integers(1, 1000), min_size=len(chosen), max_size=len(chosen), unique=True).map(
                lambda given: sorted(given, reverse=True)
            )
        )
        return {document: score / 8 for document, score in zip(chosen, scores, strict=True)}

    topics = draw(st.lists(st.sampled_from(["q1", "q2", "q10"]), min_size=1, unique=True))
    return [{topic: ranking() for topic in topics} for _ in range(3)]


def fused_by_ranx(given: Runs, method: str, norm: str | None, parameters: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ranx

        return ranx.fuse([ranx.Run(run) for run in given], norm=norm, method=method, params=parameters).to_dict()


def check(ours: cf.Run, theirs: Any) -> None:
    assert {query: set(found) for query, found in ours.to_dict().items()} == {
        q: set(found) for q, found in theirs.items()
    }
    for query, found in ours.to_dict().items():
        assert found == pytest.approx(theirs[query], rel=1e-12, abs=1e-12)


@settings(max_examples=25)
@given(runs())
@pytest.mark.parametrize("method", METHODS)
def test_methods(method: str, given: Runs) -> None:
    name, parameters = METHODS[method]
    scores = method.startswith("Comb")
    ours = cf.fuse(given, method)
    check(ours, fused_by_ranx(given, name, "min-max" if scores else None, parameters))


@settings(max_examples=10)
@given(runs())
@pytest.mark.parametrize("normalisation", NORMALISATIONS)
def test_normalisations(normalisation: str, given: Runs) -> None:
    for method in SCORES:
        theirs = fused_by_ranx(given, METHODS[method][0], NORMALISATIONS[normalisation], {})
        check(cf.fuse(given, method, normalisation=normalisation), theirs)


@settings(max_examples=25)
@given(runs(), st.lists(st.floats(0.125, 8), min_size=3, max_size=3))
@pytest.mark.parametrize("method", WEIGHTED)
def test_weights(method: str, given: Runs, weights: list[float]) -> None:
    norm = "min-max" if method.startswith("Comb") else None
    theirs = fused_by_ranx(given, WEIGHTED[method], norm, {"weights": weights})
    check(cf.fuse(given, method, weights=weights), theirs)


@settings(max_examples=25)
@given(st.permutations(range(8)), st.permutations(range(8)), st.permutations(range(8)))
def test_condorcet_where_majorities_make_an_order(first: list[int], second: list[int], third: list[int]) -> None:
    """Three of five runs agree, and all have the same documents: elsewhere ranx's order depends on that of a set."""
    given = [
        {"q": {f"d{document}": float(8 - place) for place, document in enumerate(order)}}
        for order in (first, second, first, third, first)
    ]
    check(cf.fuse(given, "Condorcet"), fused_by_ranx(given, "condorcet", None, {}))
