"""Which of many runs cannot be told apart, as letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.evaluation.compared import mean_over_topics
from cranfield.evaluation.comparison import Comparison
from cranfield.measures import Measure
from cranfield.stats.many_systems.letters import groups

EXPLAINED = "Runs that share a letter cannot be told apart."


class Lettered(NamedTuple):
    """The runs of a measure with their letters, the best first."""

    header: tuple[str, str, str]
    """What stands above the names, the means and the letters."""
    rows: tuple[tuple[str, str, str], ...]
    sentence: str
    """What the letters are from, and what they mean."""


def lettered(comparison: Comparison, digits: int) -> Iterator[Lettered]:
    """By the test of all pairs and by Tukey's, if these were asked for."""
    yield from _lettered_pairs(comparison, digits)
    yield from lettered_by_tukey(comparison, digits)


def _lettered_pairs(comparison: Comparison, digits: int) -> Iterator[Lettered]:
    if comparison.all_pairs and comparison.first_test:
        for measure in comparison.measures:
            order, means, letters = letters_of_pairs(comparison, measure)
            names = list(comparison.evaluation)
            if letters:
                header = str(measure), "mean", letters_header(comparison)
                yield Lettered(header, _rows(order, names, means, letters, digits), f"{_by(comparison)}. {EXPLAINED}")


def lettered_by_tukey(comparison: Comparison, digits: int) -> Iterator[Lettered]:
    """By Tukey's test of all systems at once, if that was asked for."""
    for measure, (anova, tukey) in comparison.tukey.items():
        mean = "mean of logarithms" if measure.definition.aggregate == "geometric" else "mean"
        order = _best_first(tukey.means.tolist(), measure)
        rows = _rows(order, tukey.names, tukey.means.tolist(), tukey.groups.letters, digits)
        sentence = f"{anova.sentence} {tukey.sentence} {EXPLAINED}"
        yield Lettered((str(measure), mean, "letters (Tukey)"), rows, sentence)


def letters_header(comparison: Comparison) -> str:
    """What stands above letters of the first test."""
    return f"letters ({comparison.significance.tests[0]})"


def letters_of_pairs(comparison: Comparison, measure: Measure) -> tuple[list[int], list[float], Sequence[str]]:
    """The order of the runs, best first, their means, and their letters by the first test; none if there is no test."""
    place = {name: at for at, name in enumerate(comparison.evaluation)}
    means = [mean_over_topics(measure, np.asarray(run.columns[measure])) for run in comparison.evaluation.values()]
    different = np.zeros((len(place), len(place)), dtype=np.bool_)
    rows = [row for row in comparison.rows if row.measure == measure]
    for row in rows:
        first, second = place[row.run], place[row.baseline]
        different[first, second] = different[second, first] = row.significant
    heights = np.array(means) if measure.more_is_better is not False else -np.array(means)
    letters = groups(heights, different).letters if any(row.first for row in rows) else ()
    return _best_first(means, measure), means, letters


def _best_first(means: Sequence[float], measure: Measure) -> list[int]:
    order: list[int] = np.argsort(
        np.array(means) * (1 if measure.more_is_better is False else -1), kind="stable"
    ).tolist()
    return order


def _rows(
    order: Sequence[int], names: Sequence[str], means: Sequence[float], letters: Sequence[str], digits: int
) -> tuple[tuple[str, str, str], ...]:
    return tuple((names[at], f"{means[at]:.{digits}f}", letters[at]) for at in order)


def _by(comparison: Comparison) -> str:
    assert comparison.first_test
    correction = comparison.significance.correction
    corrected = "not corrected" if correction == "none" else f"{correction} correction"
    return f"Letters by the {comparison.first_test.test}, {corrected}"
