"""What measures claim about unjudged documents."""

from __future__ import annotations

import importlib

import pytest

from cranfield.measures import REGISTRY, parse_one
from cranfield.measures.completion import WAYS, knowledge
from tests.measures.material import variants


@pytest.mark.parametrize("name", REGISTRY)
def test_what_is_not_known_exactly_has_a_reason(name: str) -> None:
    for measure in variants(name):
        how, way, why = knowledge(measure)
        assert how == WAYS[way]
        assert how == "exact" or why
    assert REGISTRY[name].holes == knowledge(parse_one(str(variants(name)[0]))).how


@pytest.mark.parametrize("way", [way for way in WAYS if way])
def test_every_way_is_a_module_that_says_how_well_it_knows(way: str) -> None:
    module = importlib.import_module(f"cranfield.measures.holes.{way}")
    assert module.bounds.__doc__.lower() == f"{WAYS[way]}."


def test_the_measures_that_must_be_exact_are() -> None:
    for name in ("AP", "P@10", "R@10", "RR", "RBP", "ERR@10", "nDCG@10", "Rprec", "SetF"):
        assert knowledge(parse_one(name)).how == "exact", name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Bpref", "it passes over unjudged documents"),
        ("AUC", "it passes over unjudged documents"),
        ("infAP", "it is an estimate that allows for unjudged documents"),
        ("statAP", "it is an estimate that allows for unjudged documents"),
        ("alpha_nDCG@20", "an unjudged document might belong to subtopics that nobody has named"),
        ("P_avgjg@10", "each assessor leaves other documents unjudged"),
        ("prefs_simp", "it counts preferences, and unjudged documents have none"),
        ("Judged@10", "it is about what is judged and what is not"),
        ("RBPResidual", "it is about what is judged and what is not"),
        ("AP(judged_only=True)", "unjudged documents are left out of the list"),
        ("AP(value=ED)", "it is known for AP itself, not for value=ED"),
        ("AP(rel=0)", "an unjudged document is not read as one of grade 0, or a grade is worth less"),
        ("nDCG(gains=0:1)", "an unjudged document is not read as one of grade 0, or a grade is worth less"),
        ("nDCG(gains=1:-1)", "an unjudged document is not read as one of grade 0, or a grade is worth less"),
    ],
)
def test_why_nothing_is_known(name: str, why: str) -> None:
    assert knowledge(parse_one(name)) == ("none", "", why)


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("AUC(documents=100)", "whole_range"),
        ("EER(over=retrieved)", "whole_range"),
        ("BreakEven", "at_r"),
        ("BreakEven(curve=interpolated)", "cells"),
        ("RBP(gain=topic)", "topic_gains"),
        ("RBP", "reading"),
        ("nDCG(gains=0:0;1:3)", "ideal_gains"),
    ],
)
def test_parameters_decide_what_is_known(name: str, way: str) -> None:
    assert knowledge(parse_one(name)).way == way
