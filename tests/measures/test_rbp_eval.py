"""Rank-biased precision and its residual as rbp_eval computes them: every specification of its tests."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf

SPECS = 11
QUERIES = ("1", "2")
DEEPEST = 11

# The options of rbp_eval that its tests use, and how they are said here.
OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("-d")  # depths: the cutoff
OPTIONS.add_argument("-p")  # persistences: p
OPTIONS.add_argument("-r", action="store_true")  # order by the rank column, equal ranks tied: ties_of, in_every_order
OPTIONS.add_argument("-s", action="store_true")  # order by the score, equal scores tied: the same, and the default
OPTIONS.add_argument("-b", type=float)  # grades from x on are relevant: rel
OPTIONS.add_argument("-B", action="store_true")  # grades from 1 on are relevant: rel=1
OPTIONS.add_argument("-f", type=float, default=1.0)  # grades are multiplied by x: gain=linear, gmax=1/x
OPTIONS.add_argument("files", nargs=2)

Ties = dict[str, list[list[str]]]


def ties_of(run: Path, by_rank: bool) -> Ties:
    """The ranking of each query, as lists of documents that tie."""
    rows = [line.split() for line in run.read_text().splitlines()]
    ties: Ties = {query: [] for query in QUERIES}
    for query in QUERIES:
        ranked = sorted((float(row[3]) if by_rank else -float(row[4]), row[2]) for row in rows if row[0] == query)
        ties[query] = [[name for _, name in group] for _, group in groupby(ranked, key=lambda pair: pair[0])]
    return ties


def in_every_order(ties: Ties) -> list[dict[str, dict[str, float]]]:
    """Runs in which each document of a tie stands at each place of the tie equally often.

    RBP adds up the ranks, so the mean over these runs is the mean over all orders, as rbp_eval has it.
    """
    turns = math.lcm(*(len(tie) for query in QUERIES for tie in ties[query]))
    runs = []
    for turn in range(turns):
        ranked = {
            query: [tie[(place + turn) % len(tie)] for tie in ties[query] for place in range(len(tie))]
            for query in QUERIES
        }
        runs.append({query: {name: -float(at) for at, name in enumerate(names)} for query, names in ranked.items()})
    return runs


def to_depth(depth: int, ties: list[list[str]], value: Callable[[int], float]) -> float:
    """A sum to a depth; if that parts a tie, rbp_eval counts the whole tie in proportion to its places above."""
    before = 0
    for tie in ties:
        if depth < before + len(tie):
            share = (depth - before) / len(tie)
            return (1 - share) * (value(before) if before else 0.0) + share * value(before + len(tie))
        before += len(tie)
    return value(depth)


def printed(
    lines: list[str], depths: list[int], persistences: list[float]
) -> Iterator[tuple[str, str, int, float, float]]:
    """Query (or all), what, depth, p and the value of each number in a specification, in the order of README.txt."""
    numbers = iter([float(number) for line in lines for number in line.split()])
    for query in (*QUERIES, "all"):
        yield query, "relevant", 0, 0.0, next(numbers)
        yield query, "retrieved", 0, 0.0, next(numbers)
        for depth in depths:
            yield query, "found", depth, 0.0, next(numbers)
            for p in persistences:
                yield query, "rbp", depth, p, next(numbers)
                yield query, "residual", depth, p, next(numbers)
    assert next(numbers, None) is None


@pytest.mark.real_data
@pytest.mark.parametrize("number", range(1, SPECS + 1))
def test_specification(real_data: Path, number: int) -> None:
    # Oracle: the expected values in the .spec files of rbp_eval's tests.
    folder = real_data / "rbp_eval_test"
    assert len(list(folder.glob("*.spec"))) == SPECS
    lines = [line for line in (folder / f"{number}.spec").read_text().splitlines() if not line.startswith("#")]
    options = OPTIONS.parse_args(lines[0].split())
    depths, persistences = list(map(int, options.d.split(","))), list(map(float, options.p.split(",")))
    ties = ties_of(folder / options.files[1], options.r)

    least = options.b or (1 if options.B else None)
    scale = 1.0 if least else options.f
    gain = f"rel={least}" if least else f"gain=linear,gmax={1 / options.f}"
    relevant = f"NumRel(rel={least})" if least else "IdealDCG(discount=none)"
    found = f"R(rel={least})" if least else "CG"
    names = [found, *(name for p in persistences for name in (f"RBP(p={p},{gain})", f"RBPResidual(p={p})"))]
    evaluator = cf.Evaluator(
        folder / options.files[0], [relevant, "NumRet", *(f"{name}@1..{DEEPEST}" for name in names)]
    )
    results = [evaluator(run) for run in in_every_order(ties)]

    def mean(name: str, query: str) -> float:
        return float(np.mean([result[name][query] for result in results]))

    def ours(query: str, what: str, depth: int, p: float) -> float:
        match what:
            case "relevant":
                return scale * mean(relevant, query)
            case "retrieved":
                return mean("NumRet", query)
            case "found":
                total = mean(relevant, query) if least else options.f
                return to_depth(depth, ties[query], lambda d: total * mean(f"{found}@{d}", query))
            case "rbp":
                return to_depth(depth, ties[query], lambda d: mean(f"RBP(p={p},{gain})@{d}", query))
        unjudged = to_depth(depth, ties[query], lambda d: mean(f"RBPResidual(p={p})@{d}", query) - p**d)
        return unjudged + p**depth

    for query, what, depth, p, expected in printed(lines[1:], depths, persistences):
        value = sum(ours(q, what, depth, p) for q in QUERIES if query in (q, "all"))
        if query == "all" and what in ("rbp", "residual"):
            value /= len(QUERIES)
        # Printed to four places, sometimes cut off rather than rounded (1.1666 for 7/6).
        assert value == pytest.approx(expected, abs=1e-4), (query, what, depth, p)
