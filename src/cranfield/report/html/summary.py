"""A report in a few sentences: what is better, how sure that is, and what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.evaluation.compared import Compared, why_not_tested
from cranfield.measures import Measure
from cranfield.report import findings
from cranfield.report.html.contents import ReportContents
from cranfield.report.html.obstacles import obstacles
from cranfield.stats import wording
from cranfield.stats.wording import number, numbers

_MOST_NAMED = 4


@dataclass(frozen=True)
class Summary:
    """What a reader should know who reads nothing else."""

    headline: str
    better: tuple[str, ...]
    sure: tuple[str, ...]
    obstacles: tuple[str, ...]


def summarise(contents: ReportContents) -> Summary:
    """The summary of a report."""
    in_the_way = tuple(obstacles(contents))
    if contents.comparison is None:
        return _of_one(contents, in_the_way)
    if len(contents.runs) == 2:
        return _of_two(contents, in_the_way)
    return _of_many(contents, in_the_way)


# One run


def _of_one(contents: ReportContents, in_the_way: tuple[str, ...]) -> Summary:
    name, run = next(iter(contents.evaluation.items()))
    measure = contents.measure
    topics = _topics(len(run.queries))
    headline = f"{name} has {measure} {number(run.mean[str(measure)])} over {topics}."
    others = [other for other in run.measures if other != measure and other.definition.aggregate != "none"]
    better = [f"Beside it {_join([f'{other} {number(run.mean[str(other)])}' for other in others])}."] if others else []
    better.append("It is compared with nothing: give two runs or more to know what is better.")
    interval = contents.intervals[name][measure]
    if interval.topics is None:
        sure = f"No interval for the mean: {interval.missing['topics']}."
    else:
        sure = (
            f"Over all topics of this kind, of which these are a sample, the mean may lie anywhere from "
            f"{number(interval.topics.lower)} to {number(interval.topics.upper)} ({100 * interval.topics.level:g} % "
            f"interval)."
        )
    return Summary(headline, tuple(better), (sure,), in_the_way)


# Two runs


def _of_two(contents: ReportContents, in_the_way: tuple[str, ...]) -> Summary:
    (row,) = contents.against_baseline(contents.measure).values()
    if not row.difference:
        same = "on every topic" if row.equal == len(row.topics) else "on average"
        headline = f"{row.run} and {row.baseline} have the same {row.measure} {same}: {number(row.mean)}."
        return Summary(headline, _other_measures(contents, row), _sure(row), in_the_way)
    winner, loser, high, low = _sides(row)
    counts = f"{winner} is better on {_topics(_wins(row))}, equal on {row.equal}, worse on {_losses(row)}"
    both = " against ".join(numbers(high, low))
    headline = f"{winner} is better than {loser}: {row.measure} {both}"
    if not row.significant:
        headline = f"{winner} has the better {row.measure}, {both} of {loser}, but that may be chance"
    return Summary(f"{headline}.", (f"{counts}.", *_other_measures(contents, row)), _sure(row), in_the_way)


def _sides(row: Compared) -> tuple[str, str, float, float]:
    """The better and the worse of the two, and their means."""
    if _is_better(row):
        return row.run, row.baseline, row.mean, row.baseline_mean
    return row.baseline, row.run, row.baseline_mean, row.mean


def _is_better(row: Compared) -> bool:
    return (row.difference > 0) == (row.measure.more_is_better is not False)


def _wins(row: Compared) -> int:
    """Topics on which the better of the two is better."""
    return (row.wins if _is_better(row) else row.losses) or 0


def _losses(row: Compared) -> int:
    return (row.losses if _is_better(row) else row.wins) or 0


def _sure(row: Compared) -> tuple[str, ...]:
    """What the test says, and between which differences the true one may lie."""
    assert row.first is not None
    outcome = row.first.outcome
    if outcome.undefined:
        return (f"No test: {outcome.undefined}.",)
    found = wording.p_value(outcome.p)
    if row.first.is_corrected:
        adjusted = wording.p_value(row.first.adjusted)
        found += f"; {adjusted} after {row.first.correction} correction for {row.first.comparisons} comparisons"
    question = outcome.question if row.measure.more_is_better else outcome.question.other_way()
    chance = question.chance(row.run, row.baseline, p=outcome.p, higher=outcome.wins, lower=outcome.losses)
    size = f"{row.run} minus {row.baseline} is {findings.signed(row.difference)}"
    interval = row.interval
    if interval is not None and not row.is_geometric:
        size += f" ({wording.interval(interval.lower, interval.upper, interval.level, outcome.interval_kind)})"
    elif interval is not None:
        size = (
            f"The ratio of the means is {row.mean / row.baseline_mean:.3g} ({100 * interval.level:g} % interval: "
            f"{interval.lower:.3g} to {interval.upper:.3g})"
        )
    return (
        f"{size.replace(' of the difference:', '')}.",
        f"{chance[0].upper()}{chance[1:]} ({outcome.test}, {found}).",
    )


def _other_measures(contents: ReportContents, row: Compared) -> tuple[str, ...]:
    """Whether the other measures prefer the same run."""
    same: list[str] = []
    other: list[str] = []
    for measure in _tested(contents):
        found = contents.against_baseline(measure).get(row.run)
        if found is None or measure == row.measure or not found.difference or not row.difference:
            continue
        # In the order of the headline: the run that has the better value there comes first.
        means = (found.mean, found.baseline_mean) if _is_better(row) else (found.baseline_mean, found.mean)
        side = same if _is_better(found) == _is_better(row) else other
        side.append(f"{measure} ({' against '.join(numbers(*means))}, {_verdict(found)})")
    sentences = []
    if same:
        sentences.append(f"{_join(same)} {'says' if len(same) == 1 else 'say'} the same.")
    if other:
        says = "says" if len(other) == 1 else "say"
        sentences.append(f"{_join(other)} {says} the opposite: which run is better depends on the measure.")
    return tuple(sentences)


def _verdict(row: Compared) -> str:
    if row.first is None or row.first.outcome.undefined:
        return "not tested"
    return "significant" if row.significant else "not significant"


def _tested(contents: ReportContents) -> list[Measure]:
    measures = contents.comparison.measures if contents.comparison else ()
    return [measure for measure in measures if why_not_tested(measure) is None]


# Many runs


def _of_many(contents: ReportContents, in_the_way: tuple[str, ...]) -> Summary:
    measure, baseline = contents.measure, contents.baseline
    means = contents.means(measure)
    best = contents.best_first[0]
    rows = contents.against_baseline(measure)
    if len({round(mean, 12) for mean in means.values()}) == 1:
        headline = f"All {len(means)} runs have the same {measure}: {number(means[best])}."
        return Summary(headline, (), (), in_the_way)
    highest, of_baseline = numbers(means[best], means[baseline])
    headline = f"{best} has the best {measure} of {len(means)} runs: {highest}"
    if best == baseline:
        headline += ". It is the baseline, and no run is better"
    elif rows[best].significant:
        headline += f". It is better than the baseline {baseline} ({of_baseline})"
    else:
        headline += f". That it is better than the baseline {baseline} ({of_baseline}) may be chance"
    better = [row.run for row in rows.values() if row.significant and _is_better(row)]
    worse = [row.run for row in rows.values() if row.significant and not _is_better(row)]
    rest = len(rows) - len(better) - len(worse)
    told = [
        f"By {measure}, of {len(rows)} runs compared with {baseline}, {_named(better, 'better')}, "
        f"{_named(worse, 'worse')}, and {rest} cannot be told from it."
    ]
    told += _other_verdicts(contents, better, worse)
    told += _top_group(contents, best)
    told += _other_best(contents, best)
    sure = _sure(rows[best]) if best != baseline else ()
    tests = contents.comparison.first_test if contents.comparison else None
    if best == baseline and contents.comparison is not None and tests is not None:
        sure = (f"{contents.comparison.family_sentence} ({tests.test}).",)
    return Summary(f"{headline}.", tuple(told), sure, in_the_way)


def _other_verdicts(contents: ReportContents, better: list[str], worse: list[str]) -> list[str]:
    """Where another measure finds runs significantly better or worse of which the first one does not say so."""
    sentences = []
    for measure in _tested(contents):
        if measure == contents.measure:
            continue
        rows = [row for row in contents.against_baseline(measure).values() if row.significant]
        sides = (
            ([row.run for row in rows if _is_better(row)], better, "better"),
            ([row.run for row in rows if not _is_better(row)], worse, "worse"),
        )
        parts = [_beyond(names, known, word) for names, known, word in sides if set(names) - set(known)]
        if parts:
            sentences.append(f"By {measure}, {_join(parts)}, of which {contents.measure} does not say so.")
    return sentences


def _beyond(names: list[str], known: list[str], word: str) -> str:
    """How many runs there are, and which of them are not among those that are known."""
    new = [name for name in names if name not in known]
    if len(new) == len(names):
        return _named(names, word)
    listed = _join(new) if len(new) <= _MOST_NAMED else f"{len(new)} runs"
    return f"{len(names)} are significantly {word}, among them {listed}"


def _named(names: list[str], word: str) -> str:
    if not names:
        return f"none is significantly {word}"
    are = "is" if len(names) == 1 else "are"
    listed = f" ({', '.join(names)})" if len(names) <= _MOST_NAMED else ""
    return f"{len(names)} {are} significantly {word}{listed}"


def _top_group(contents: ReportContents, best: str) -> list[str]:
    """Which runs cannot be told from the best, all pairs judged at once."""
    tukey = contents.tukey
    if tukey is None or tukey.undefined:
        return []
    apart = {
        tukey.names[other]
        for first, second, differs in zip(tukey.first, tukey.second, tukey.significant, strict=True)
        for one, other in ((first, second), (second, first))
        if differs and tukey.names[one] == best
    }
    alike = [name for name in contents.best_first if name != best and name not in apart]
    if not alike:
        return [f"{best} stands apart from all others ({tukey.test})."]
    direct = contents.against_baseline(contents.measure).get(best)
    if direct is not None and direct.significant:
        # Of the baseline the test of this one pair has the word, which is not as hard to pass as one of all pairs.
        alike = [name for name in alike if name != contents.baseline]
    if not alike:
        return []
    if len(alike) > _MOST_NAMED:
        alike = [*alike[: _MOST_NAMED - 1], f"{len(alike) - _MOST_NAMED + 1} others"]
    return [f"{_join(alike)} cannot be told from {best} ({tukey.test}, all pairs at once)."]


def _other_best(contents: ReportContents, best: str) -> list[str]:
    """Measures by which another run is the best."""
    others = []
    for measure in _tested(contents):
        means = contents.means(measure)
        sign = 1.0 if measure.more_is_better else -1.0
        first = max(means, key=lambda name: sign * means[name])
        if sign * means[first] > sign * means[best] + 1e-12:
            higher, lower = numbers(means[first], means[best])
            others.append(f"by {measure} {first} ({higher}, {best} {lower})")
    return [f"Other measures have another best run: {_join(others)}."] if others else []


# Words


def _topics(count: int) -> str:
    return f"{count} topic{'s' * (count != 1)}"


def _join(parts: list[str]) -> str:
    """
    >>> _join(["a"]), _join(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
