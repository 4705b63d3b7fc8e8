"""Rank-biased overlap against its definition, written out here, and against published values."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.errors import DataError, ParameterError
from cranfield.stats import rank_biased_overlap
from cranfield.stats.correlation.paired_rankings import PairedRankings
from cranfield.stats.correlation.ties import RankedLists

Ties = list[set[str]]
"""A list of items, best first; items of a set are tied."""


def ties(text: str) -> Ties:
    """`a (b c)` as [{a}, {b, c}]."""
    return [set(part.strip("()").split()) for part in re.findall(r"\([^)]*\)|\w+", text)]


@st.composite
def lists(draw: st.DrawFn, most: int = 12, tied: bool = True) -> Ties:
    items = draw(st.permutations("abcdefghijklmnop"))[: draw(st.integers(1, most))]
    cut = [True] + [not tied or draw(st.booleans()) for _ in items[1:]]
    return [set(items[begin:end]) for begin, end in itertools.pairwise([*np.flatnonzero(cut).tolist(), len(items)])]


persistence = st.sampled_from([0.1, 0.5, 0.8, 0.9])
HORIZON = 240
"""Below this depth is less than 1e-10 of the weight, with the p above."""


def infinite(p: float, agreement: Any) -> float:
    """The sum of the definition, to a great depth."""
    return (1 - p) * math.fsum(p ** (d - 1) * agreement(d) for d in range(1, HORIZON))


# Without ties: the definition applied to lists that go on.


def completed(a: Sequence[str], b: Sequence[str], *, best: bool) -> tuple[list[str], list[str]]:
    """Both lists to a great depth, going on with as many or as few common items as there can be."""
    short, long = sorted((list(a), list(b)), key=len)
    for depth in range(len(short) + 1, HORIZON):
        if not best:
            short.append(f"short {depth}")
            if depth > len(long):
                long.append(f"long {depth}")
            continue
        free = [item for item in long[:depth] if item not in short]
        short.append(free[0] if free else f"new {depth}")
        if depth > len(long):
            free = [item for item in short if item not in long]
            long.append(free[0] if free else f"other {depth}")
    return short, long


def overlaps(a: Sequence[str], b: Sequence[str]) -> list[int]:
    """The overlap at depths 0, 1, 2, ..."""
    seen: set[str] = set()
    counts = [0]
    for x, y in zip(a, b, strict=True):
        both = len({x, y} & seen) + (x == y)
        seen |= {x, y}
        counts.append(counts[-1] + both)
    return counts


@given(lists(most=8, tied=False), lists(most=8, tied=False), persistence)
@settings(max_examples=40)
def test_bounds_are_what_the_lists_could_go_on_to_be(a: Ties, b: Ties, p: float) -> None:
    x, y = ([next(iter(tie)) for tie in one] for one in (a, b))
    found = rank_biased_overlap(x, y, p)
    worst, best = (overlaps(*completed(x, y, best=best)) for best in (False, True))
    assert found.minimum == pytest.approx(infinite(p, lambda d: worst[d] / d), abs=1e-9)
    assert found.maximum == pytest.approx(infinite(p, lambda d: best[d] / d), abs=1e-9)
    assert found.residual == pytest.approx(found.maximum - found.minimum)


@given(lists(tied=False), lists(tied=False), persistence)
@settings(max_examples=100)
def test_extrapolation_by_equation_32(a: Ties, b: Ties, p: float) -> None:
    """Webber, Moffat and Zobel, equation (32)."""
    S, L = sorted(([next(iter(tie)) for tie in one] for one in (a, b)), key=len)
    s, long = len(S), len(L)
    X = [len(set(S[:d]) & set(L[:d])) for d in range(long + 1)]
    first = math.fsum(X[d] / d * p**d for d in range(1, long + 1))
    second = math.fsum(X[s] * (d - s) / (s * d) * p**d for d in range(s + 1, long + 1))
    expected = (1 - p) / p * (first + second) + ((X[long] - X[s]) / long + X[s] / s) * p**long
    for variant in "abw":
        assert rank_biased_overlap(a, b, p, ties=variant).extrapolated == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("p", "depth", "weight"), [(0.9, 10, 0.86), (0.98, 50, 0.86)])
def test_the_weight_of_the_top(p: float, depth: int, weight: float) -> None:
    """Webber, Moffat and Zobel, section 4.2: with p = .9 the first 10 ranks have 86 % of the weight; .98 and 50 are close.

    The minimum of two equal lists is the weight of their ranks.
    """
    top = list(range(depth))
    assert rank_biased_overlap(top, top, p).minimum == pytest.approx(weight, abs=0.01)


# With ties: Corsi and Urbano's definitions, by what each item counts at each depth.


def counts(ranking: Ties, variant: str, depth: int) -> dict[str, float]:
    """What each item counts at this depth."""
    found: dict[str, float] = {}
    place = 1
    for tie in ranking:
        top, bottom = place, place + len(tie) - 1
        if depth >= top:
            share = 1.0 if variant == "w" or depth >= bottom else (depth - top + 1) / len(tie)
            found |= dict.fromkeys(tie, share)
        place = bottom + 1
    return found


def by_definition(a: Ties, b: Ties, p: float, variant: str) -> tuple[float, float, float]:
    """Extrapolated, minimum, maximum."""
    short, long = sorted((a, b), key=lambda ranking: sum(map(len, ranking)))
    s, end = sum(map(len, short)), sum(map(len, long))
    in_short = set().union(*short)
    common = len(in_short & set().union(*long))
    at_s = 0.0

    def agreement(d: int, kind: str) -> float:
        if d > end:
            overlap = {"ext": (common + (end - s) * at_s) * d / end, "min": common, "max": 2 * d - end - s + common}[
                kind
            ]
            return min(overlap / d, 1.0)
        of_short, of_long = counts(short, variant, d), counts(long, variant, d)
        overlap = sum(of_short[item] * of_long[item] for item in of_short.keys() & of_long.keys())
        if d > s and kind != "min":
            others = sorted((share for item, share in of_long.items() if item not in in_short), reverse=True)
            lacking = d - s
            overlap += sum(others[:lacking]) if kind == "max" else lacking * at_s * sum(others) / len(others)
        size, squares = (d, d) if d > s else (sum(of_short.values()), sum(x * x for x in of_short.values()))
        if variant == "w":
            return 2 * overlap / (size + sum(of_long.values()))
        return overlap / d if variant == "a" else overlap / math.sqrt(squares * sum(x * x for x in of_long.values()))

    at_s = agreement(s, "min")
    return tuple(infinite(p, lambda d, kind=kind: agreement(d, kind)) for kind in ("ext", "min", "max"))  # type: ignore[return-value]


@given(lists(), lists(), persistence, st.sampled_from("abw"))
@settings(max_examples=100)
def test_ties_by_definition(a: Ties, b: Ties, p: float, variant: str) -> None:
    found = rank_biased_overlap(a, b, p, ties=variant)
    assert tuple(found) == pytest.approx(by_definition(a, b, p, variant), abs=1e-9)


@given(st.data(), st.integers(1, 5), persistence)
@settings(max_examples=40)
def test_variant_a_is_the_mean_over_all_orders(data: st.DataObject, n: int, p: float) -> None:
    a, b = (data.draw(lists(most=5)) for _ in range(2))
    size = min(sum(map(len, a)), sum(map(len, b)))
    a, b = (list(itertools.islice(cut(one, size), size)) for one in (a, b))
    each = [rank_biased_overlap(x, y, p) for x in linear(a) for y in linear(b)]
    found = rank_biased_overlap(a, b, p, ties="a")
    for at in range(3):
        assert found[at] == pytest.approx(sum(one[at] for one in each) / len(each), abs=1e-9)


def cut(ranking: Ties, size: int) -> Any:
    """The first so many items of a list, its last tie cut."""
    for tie in ranking:
        if size > 0:
            yield set(sorted(tie)[:size])
        size -= len(tie)


def linear(ranking: Ties) -> list[list[str]]:
    """All orders of a list with ties."""
    ways = itertools.product(*(list(itertools.permutations(sorted(tie))) for tie in ranking))
    return [list(itertools.chain(*way)) for way in ways]


# Values published with M. Corsi, J. Urbano, The treatment of ties in rank-biased overlap, SIGIR 2024: the example of the
# authors' program (seven digits), then rows of its test data. Extrapolated, minimum, maximum for w, a and b.
PUBLISHED = [
    (
        "red (blue green) yellow pink", "(blue red) white (yellow black purple) green", 0.95,
        (0.7068257, 0.3429684, 0.9049857), (0.6922853, 0.3310519, 0.8930692), (0.7207131, 0.3509163, 0.9129336),
    ),
    (
        "i13 (i1 i4 i5 i6)", "i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2", 0.92238320668128,
        (0.117578490431637, 0.0763135264223449, 0.53999366118093),
        (0.114619469221414, 0.0733545052121218, 0.537945108035391),
        (0.11474835409049, 0.0734833900811979, 0.538589532380772),
    ),
    (
        "(i4 i7 i15) (i2 i11) i8 i18", "i4 i8 i17 i11 (i2 i3 i5 i7 i9 i13 i14)", 0.955836875418683,
        (0.601671359995661, 0.310498723372055, 0.820912519608734),
        (0.584235464666522, 0.295503371358027, 0.805839323150565),
        (0.632087129618464, 0.322093781902212, 0.833840285843908),
    ),
    (
        "(i5 i20) (i3 i8 i10 i11) i13", "(i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12 i13)", 0.956020041658117,
        (0.640387430188247, 0.323506576285529, 0.805416533963823),
        (0.536528176569959, 0.26353157133526, 0.741980233847526),
        (0.650587440650316, 0.324674914963379, 0.806877156763621),
    ),
    (
        "(i3 i17) (i2 i10) i6", "(i5 i8 i12) (i1 i15) (i3 i4 i9 i17) (i7 i13 i14)", 0.910821537247598,
        (0.120675124842583, 0.0989691241859761, 0.495680111976355),
        (0.103731122635625, 0.0820251219790182, 0.486020786926011),
        (0.105546655341171, 0.0838406546845639, 0.491804734670077),
    ),
    (
        "i6 i5 (i2 i4 i7)", "i4 i18 i2 (i1 i5 i6 i7 i9 i14 i15 i17) i13 i11", 0.984365085297715,
        (0.734068963712944, 0.172811297273872, 0.938656144671167),
        (0.680057896807246, 0.161475073718017, 0.926540408667145),
        (0.747819806375568, 0.169727262584421, 0.937170943665285),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("x", "y", "p", "w", "a", "b"), PUBLISHED)
def test_published_values(x: str, y: str, p: float, w: Any, a: Any, b: Any) -> None:
    precision = 5e-8 if p == 0.95 else 1e-9
    for variant, expected in (("w", w), ("a", a), ("b", b)):
        assert tuple(rank_biased_overlap(ties(x), ties(y), p, ties=variant)) == pytest.approx(expected, abs=precision)


# What must hold for all lists


@given(lists(), lists(), persistence, st.sampled_from("abw"))
@settings(max_examples=100)
def test_properties(a: Ties, b: Ties, p: float, variant: str) -> None:
    found = rank_biased_overlap(a, b, p, ties=variant)
    assert -1e-12 <= found.minimum <= found.extrapolated + 1e-12 <= found.maximum + 2e-12 <= 1 + 3e-12
    assert tuple(rank_biased_overlap(b, a, p, ties=variant)) == pytest.approx(tuple(found), abs=1e-12)
    renamed = [[{ord(item) for item in tie} for tie in one] for one in (a, b)]
    assert tuple(rank_biased_overlap(renamed[0], renamed[1], p, ties=variant)) == pytest.approx(tuple(found), abs=1e-12)
    scored = [{item: float(-place) for place, tie in enumerate(one) for item in tie} for one in (a, b)]
    assert tuple(rank_biased_overlap(scored[0], scored[1], p, ties=variant)) == pytest.approx(tuple(found), abs=1e-12)


@given(lists(), persistence, st.sampled_from("bw"))
def test_a_list_and_itself(a: Ties, p: float, variant: str) -> None:
    found = rank_biased_overlap(a, a, p, ties=variant)
    assert [found.extrapolated, found.maximum] == pytest.approx([1, 1])


@given(st.lists(st.tuples(lists(), lists()), min_size=1, max_size=6), st.sampled_from("abw"))
@settings(max_examples=50)
def test_many_lists_at_once(pairs: list[tuple[Ties, Ties]], variant: str) -> None:
    sides = []
    for side in (0, 1):
        begins = [at == 0 for pair in pairs for tie in pair[side] for at in range(len(tie))]
        offset = np.cumsum([0, *(sum(map(len, pair[side])) for pair in pairs)])
        sides.append(RankedLists.from_begins(np.array(begins), offset))
    items = [
        [(n, item) for n, pair in enumerate(pairs) for tie in pair[side] for item in sorted(tie)] for side in (0, 1)
    ]
    matches = [(items[0].index(entry), row, entry[0]) for row, entry in enumerate(items[1]) if entry in items[0]]
    row_a, row_b, owner = np.array(matches, dtype=np.int64).reshape(-1, 3).T
    together = PairedRankings(sides[0], sides[1], owner, row_a, row_b).overlaps(0.9, variant)
    for number, (a, b) in enumerate(pairs):
        alone = rank_biased_overlap(a, b, 0.9, ties=variant)
        assert tuple(values[number] for values in together) == pytest.approx(tuple(alone), abs=1e-12)


# Not defined, and wrong input


@pytest.mark.parametrize("other", [[], ["a", "b"]])
def test_an_empty_list(other: list[str]) -> None:
    """Nothing is known: anything from nothing to complete agreement is possible."""
    found = rank_biased_overlap([], other)
    assert math.isnan(found.extrapolated)
    assert [found.minimum, found.maximum] == pytest.approx([0, 1])


@pytest.mark.parametrize("p", [0, 1, -0.5, 1.5, math.nan, "0.9"])
def test_persistence_out_of_range(p: Any) -> None:
    with pytest.raises(ParameterError, match=r"p must be a number above 0 and below 1, not "):
        rank_biased_overlap(["a"], ["a"], p)


def test_an_unknown_treatment_of_ties() -> None:
    with pytest.raises(ParameterError, match="ties must be one of a, b, w, not 'c'"):
        rank_biased_overlap(["a"], ["a"], ties="c")


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (["a", "b", "a"], "the second list: an item stands in it twice"),
        (["a", {"b", "a"}], "the second list: an item stands in it twice"),
        ({"a", "b"}, "the second list: a set has no order"),
        ("ab", "the second list: expected items, best first, or a dict of scores, found 'ab'"),
        ([["a"]], "the second list: items must be text, numbers or the like"),
        ({"a": math.nan}, "the second list, item 1: nan has no place in an order"),
    ],
)
def test_wrong_input(second: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        rank_biased_overlap(["a"], second)
