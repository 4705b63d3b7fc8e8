"""What the difference of two runs could be, held against every completion of small lists there is."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield.errors import UsageError
from cranfield.measures import REGISTRY, Measure, parse_one
from cranfield.pooling.flip.bounds import difference_bounds, refusal
from cranfield.pooling.flip.ways import WAYS, every_completion, pairs, way_of
from cranfield.pooling.flip.ways.case import Case
from tests.measures.material import variants
from tests.pooling.flip.small_cases import Two, differences, twos

ANY_HEALTH = list(HealthCheck)
BOUNDED = [
    name
    for name, definition in REGISTRY.items()
    if definition.needs == "qrels" and any(refusal(measure) is None for measure in variants(name))
]


@pytest.fixture
def _ways_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without trying every completion, which would cover up what a way does not find."""
    monkeypatch.setattr(every_completion, "_COMPLETIONS", 0)


@pytest.fixture
def _rank_by_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of topics with very many unjudged documents."""
    monkeypatch.setattr(pairs, "MOST", -1)


def check(two: Two, measure: Measure) -> None:
    # Oracle: the public evaluation of every completion there is.
    every = differences(two, measure)
    case = two.case(measure)
    found = difference_bounds(case)
    low, high = float(found.low[0]), float(found.high[0])
    assert low <= every.min() + 1e-9, measure
    assert high >= every.max() - 1e-9, measure
    assert low <= case.difference[0] <= high, measure
    if not case.reads_on:  # else documents below the end of the lists count too
        if found.low_exact[0]:
            assert low == pytest.approx(every.min(), abs=1e-9), measure
        if found.high_exact[0]:
            assert high == pytest.approx(every.max(), abs=1e-9), measure


def check_a_variant(name: str, two: Two, data: st.DataObject) -> None:
    known = [measure for measure in variants(name) if refusal(measure) is None and two.fits(measure)]
    if known:
        check(two, data.draw(st.sampled_from(known)))


@pytest.mark.parametrize("name", BOUNDED)
@settings(max_examples=5, suppress_health_check=ANY_HEALTH)
@given(two=twos(unjudged=4), data=st.data())
def test_no_completion_is_beyond_the_bounds(name: str, two: Two, data: st.DataObject) -> None:
    check_a_variant(name, two, data)


@pytest.mark.usefixtures("_ways_alone")
@pytest.mark.parametrize("name", [*WAYS, "SetJaccard", "Q", "IPrec", "nERR"])
@settings(max_examples=5, suppress_health_check=ANY_HEALTH)
@given(two=twos(), data=st.data())
def test_every_way_by_itself(name: str, two: Two, data: st.DataObject) -> None:
    check_a_variant(name, two, data)


@pytest.mark.slow
@pytest.mark.usefixtures("_ways_alone")
@pytest.mark.parametrize("name", BOUNDED)
@settings(max_examples=200, suppress_health_check=ANY_HEALTH)
@given(two=twos(judged=7, unjudged=6), data=st.data())
def test_many_completions(name: str, two: Two, data: st.DataObject) -> None:
    check_a_variant(name, two, data)


LONGER = [
    "AP",
    "AP@5",
    "AP(denominator=min-k-R)@4",
    "nDCG",
    "nDCG@5",
    "nDCG(base=5)",
    "Rprec",
    "R@4",
    "SetF",
    "ERR",
    "P@5",
]


@pytest.mark.usefixtures("_ways_alone")
@pytest.mark.parametrize("name", LONGER)
@settings(max_examples=5, suppress_health_check=ANY_HEALTH)
@given(two=twos(highest=1, judged=8, unjudged=10))
def test_ten_unjudged_documents_of_two_grades(name: str, two: Two) -> None:
    check(two, parse_one(name))


@pytest.mark.usefixtures("_ways_alone", "_rank_by_rank")
@pytest.mark.parametrize("name", ["AP", "AP@4", "GMAP"])
@settings(max_examples=12, suppress_health_check=ANY_HEALTH)
@given(two=twos(highest=1, judged=6, unjudged=8))
def test_rank_by_rank(name: str, two: Two) -> None:
    check(two, parse_one(name))


# Where bounds are exact


EXACT = ["P@3", "SetP", "MeanP@3", "CG", "DCG@3", "RR", "Success@2", "R@3", "SetR", "F@3", "SetF", "RelativeP@3", "Rprec",
         "nDCG", "nDCG@3", "SetG", "Utility"]  # fmt: skip


@pytest.mark.usefixtures("_ways_alone")
@pytest.mark.parametrize("name", EXACT)
@settings(max_examples=4, suppress_health_check=ANY_HEALTH)
@given(two=twos(highest=2, unjudged=4))
def test_these_are_always_exact(name: str, two: Two) -> None:
    assert difference_bounds(two.case(parse_one(name))).exact.all()


READERS = [
    name
    for name, way in WAYS.items()
    if way in ("additive", "branches")
    and REGISTRY[name].reader is not None
    and name not in ("P", "ERR", "TBG", "U", "RBP")
]


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=5, suppress_health_check=ANY_HEALTH)
@given(two=twos(highest=1, judged=4, unjudged=4))
def test_readers_go_on_below_the_end_of_a_list(name: str, two: Two) -> None:
    # Oracle: both lists made as long as the reader can get, by documents of their own: below the end of the first all
    # are relevant, of the second none.
    deepest = max(len(two.first), len(two.second)) + 2
    measure = parse_one(f"{name}@{deepest}")
    ends = [
        tuple(f"{side}{at}" for at in range(len(names), deepest)) for side, names in zip("ab", two[:2], strict=True)
    ]
    judged = two.judged | dict.fromkeys(ends[0], 1) | dict.fromkeys(ends[1], 0)
    longer = Two(two.first + ends[0], two.second + ends[1], judged)
    found = difference_bounds(two.case(measure))
    assert found.high[0] >= differences(longer, measure).max() - 1e-9
    if found.high_exact[0]:
        assert found.high[0] == pytest.approx(differences(longer, measure).max(), abs=1e-9)


def test_nothing_is_known_of_rbp_below_a_cutoff() -> None:
    # Nothing is open in the first two ranks of both; below, p^2 of the reading is left, whatever the cutoff.
    two = Two(("a", "b"), ("b", "a"), {"a": 1, "b": 0})
    assert bounds("RBP(p=0.5)@2", two) == pytest.approx((0.25 - 0.25, 0.25 + 0.25))


# By hand


def bounds(name: str, two: Two) -> tuple[float, float]:
    found = difference_bounds(two.case(parse_one(name)))
    return float(found.low[0]), float(found.high[0])


def test_a_document_that_both_returned_has_one_grade() -> None:
    # x is first in both: whatever it is, P@1 is the same. The two by themselves could be 0 and 1.
    assert bounds("P@1", Two(("x", "a"), ("x", "b"), {"a": 1, "b": 0})) == (0, 0)
    # 1/2 and 0 as judged; x adds as much to both.
    assert bounds("P@2", Two(("x", "a"), ("x", "b"), {"a": 1, "b": 0})) == (0.5, 0.5)


def test_ap_of_a_document_at_two_ranks() -> None:
    # a relevant, x open. First: a x, second: x a. Without x: 1 - 1/2. With x: both have both, 1 - 1.
    assert bounds("AP", Two(("a", "x"), ("x", "a"), {"a": 1})) == pytest.approx((0, 0.5))


def test_a_document_of_the_other_run_raises_r() -> None:
    # Recall of a alone is 1; if x and y of the second are relevant it is 1/3 against 2/3, if one is 1/2 against 1/2.
    assert bounds("R@2", Two(("a",), ("x", "y"), {"a": 1})) == pytest.approx((-1 / 3, 1))


def test_what_is_judged_is_certain() -> None:
    low, high = bounds("AP", Two(("a", "b"), ("b", "a"), {"a": 1, "b": 0}))
    assert low == high == pytest.approx(1 - 1 / 2)


def test_a_topic_without_anything() -> None:
    assert bounds("nDCG", Two((), (), {"a": 1})) == (0, 0)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Bpref", "it passes over unjudged documents"),
        ("infAP", "an estimate that allows for unjudged documents"),
        ("NumRel", "neither better when higher nor when lower"),
        ("Judged@10", "about what is judged and what is not"),
        ("AP(judged_only=True)", "unjudged documents are left out of the list"),
    ],
)
def test_what_means_nothing_is_refused(name: str, message: str) -> None:
    case: Case = Two(("a",), ("b",), {"a": 1}).case(parse_one(name))
    with pytest.raises(UsageError, match=message):
        difference_bounds(case)


def test_what_goes_which_way() -> None:
    assert way_of(parse_one("RBP(gain=topic)")) == "apart"
    assert way_of(parse_one("SetP(relative=True)")) == "counted"
    assert way_of(parse_one("nDCG(ideal=retrieved)@10")) == "apart"
