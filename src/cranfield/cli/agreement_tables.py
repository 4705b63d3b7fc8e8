"""Agreement of judges as tables for people and as lines for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cranfield.cli.tables import render, wrapped
from cranfield.evaluation.agreement import JudgeAgreement
from cranfield.evaluation.judges import JudgeRankings
from cranfield.stats.agreement.coefficient import FEW_ITEMS, PERCENT, Agreement

MOST_CATEGORIES = 12
MOST_SWAPS = 5
"""Of two judges, named beside the table."""
_SHORT = {
    "percent_agreement": "P(A)",
    "bennett_s": "S",
    "cohen_kappa": "kappa",
    "scott_pi": "pi",
    "fleiss_kappa": "kappa",
    "krippendorff_alpha": "alpha",
    "gwet_ac1": "AC1",
    "gwet_ac2": "AC2",
}


def tables(result: JudgeAgreement, *, by_topic: bool, by_pair: bool, digits: int, most: int) -> Iterator[str]:
    """What was compared, every coefficient, what was asked for besides, and what is to be said about it."""
    yield from _heading(result)
    yield ""
    percent = f"{100 * result.sampling.confidence:g}% interval"
    rows = [
        [
            one.coefficient if one.weights in ("none", "nominal") else f"{one.coefficient} ({one.weights})",
            _number(one.value, digits),
            _interval(one, digits),
            _number(one.observed, digits),
            "" if one.coefficient == PERCENT else _number(one.expected, digits),
            one.band,
        ]
        for one in result.coefficients.values()
    ]
    yield render(["coefficient", "value", percent, "P(A)", "P(E)", "in words"], rows)
    reasons = _reasons((one.coefficient, one) for one in result.coefficients.values())
    if by_topic:
        yield ""
        yield render(
            ["topic", "items", "judges", *(_SHORT[key] for key in result.coefficients)], _topics(result, digits)
        )
        reasons += _reasons((f"topic {topic}", one) for topic, each in result.by_topic.items() for one in each.values())
    if by_pair:
        yield ""
        yield from _pairs(result, digits, most)
        reasons += _reasons((f"{pair.first} and {pair.second}", pair.agreement) for pair in result.by_pair[:most])
    if result.systems is not None:
        yield ""
        yield from _systems(result.systems, digits, most)
    remarks = [*reasons, *result.notes, *([result.systems.sentence] if result.systems is not None else [])]
    yield from [""] if remarks else []
    for said in remarks:
        yield from wrapped(said)


def _pairs(result: JudgeAgreement, digits: int, most: int) -> Iterator[str]:
    shown = result.by_pair[:most]
    rows = [
        [
            pair.first, pair.second, str(pair.agreement.items), _number(pair.agreement.observed, digits),
            _number(pair.agreement.expected, digits), _number(pair.agreement.value, digits), pair.band,
        ]
        for pair in shown
    ]  # fmt: skip
    yield render(["judge", "judge", "items", "P(A)", "P(E)", "Cohen's kappa", "in words"], rows, left=2)
    if any(pair.agreement.items < FEW_ITEMS for pair in shown):
        yield from wrapped(f"Pairs with fewer than {FEW_ITEMS} items in common have no word: so few say little.")
    yield from _more(len(result.by_pair), most)


def _more(there: int, most: int) -> Iterator[str]:
    if there > most:
        yield f"... and {there - most} more pairs; --most {there} shows all"


def _heading(result: JudgeAgreement) -> Iterator[str]:
    labels, used = result.labels, result.used
    of_topics = "" if labels.topics is None else f" in {len(labels.topics)} topic{'s' * (len(labels.topics) != 1)}"
    judges = f"{len(labels.judges)} judge{'s' * (len(labels.judges) != 1)}"
    items = len(labels.topic_of_item)
    yield f"{len(labels)} label{'s' * (len(labels) != 1)} of {items} item{'s' * (items != 1)}{of_topics} by {judges}"
    if len(used) <= MOST_CATEGORIES:
        yield from wrapped(f"categories: {', '.join(f'{name} ({count})' for name, count in used.items())}")
    else:
        yield f"{len(used)} categories"


def _topics(result: JudgeAgreement, digits: int) -> list[list[str]]:
    rows = []
    for topic, each in result.by_topic.items():
        first = each["percent_agreement"]
        values = [_number(one.value, digits) for one in each.values()]
        rows.append([topic, str(first.items), str(first.judges), *values])
    return rows


def _systems(systems: JudgeRankings, digits: int, most: int) -> Iterator[str]:
    yield from wrapped(f"{systems.measure} by the labels of each judge alone, and the rank that follows")
    rows = [
        [run, *(f"{systems.scores[judge][run]:.{digits}f} {systems.ranks[judge][run]:>3}" for judge in systems.judges)]
        for run in sorted(systems.runs, key=lambda run: sum(ranks[run] for ranks in systems.ranks.values()))
    ]
    yield render(["run", *systems.judges], rows)
    yield ""
    shown = systems.pairs[:most]
    pairs = [
        [pair.first, pair.second, str(pair.topics), _number(pair.tau.value, digits), str(len(pair.swapped))]
        for pair in shown
    ]
    if pairs:
        yield render(["judge", "judge", "topics", "tau_b", "pairs of runs swapped"], pairs, left=2)
        yield from _more(len(systems.pairs), most)
    for pair in shown:
        if pair.tau.undefined:
            yield from wrapped(f"{pair.first} and {pair.second}: tau_b is not defined: {pair.tau.undefined}.")
        if pair.swapped:
            named = [f"{better} and {worse}" for better, worse in pair.swapped[:MOST_SWAPS]]
            more = len(pair.swapped) - len(named)
            beside = f"; and {more} more pairs (--format json has all)" if more else ""
            yield from wrapped(f"{pair.first} and {pair.second} swap {'; '.join(named)}{beside}.")


def _reasons(named: Iterator[tuple[str, Agreement]]) -> list[str]:
    """Why values are not defined; those for the same reason stand together."""
    said: dict[str, list[str]] = {}
    for name, one in named:
        if one.undefined:
            said.setdefault(one.undefined, []).append(name)
    lines = []
    for reason, names in said.items():
        distinct = list(dict.fromkeys(names))
        some = ", ".join(distinct[:5]) + (f" and {len(distinct) - 5} more" if len(distinct) > 5 else "")
        lines.append(f"Not defined: {some}: {reason}.")
    return lines


def _interval(one: Agreement, digits: int) -> str:
    if one.interval is None:
        return "-"
    return f"{_number(one.interval.lower, digits)} to {_number(one.interval.upper, digits)}"


def _number(value: float, digits: int) -> str:
    return "-" if math.isnan(value) else f"{value:z.{digits}f}"


# Lines for programs


def tsv(result: JudgeAgreement, *, by_topic: bool, by_pair: bool) -> Iterator[str]:
    """A line for each coefficient, of all labels, of each topic and of each pair of judges; then of runs and judges."""
    yield "\t".join(["of", "first", "second", "coefficient", "value", "lower", "upper", "observed", "expected", "items",
                     "judges", "undefined"])  # fmt: skip
    for key, one in result.coefficients.items():
        yield _line("all", "", "", key, one)
    if by_topic:
        for topic, each in result.by_topic.items():
            for key, one in each.items():
                yield _line("topic", topic, "", key, one)
    if by_pair:
        for pair in result.by_pair:
            yield _line("pair", pair.first, pair.second, "cohen_kappa", pair.agreement)
    if result.systems is not None:
        for judge, scores in result.systems.scores.items():
            for run, value in scores.items():
                yield "\t".join(["run", run, judge, str(result.systems.measure), repr(value), *[""] * 7])
        for two in result.systems.pairs:
            tau = "" if two.tau.undefined else repr(two.tau.value)
            yield "\t".join(["tau", two.first, two.second, "tau_b", tau, *[""] * 6, two.tau.undefined or ""])


def _line(of: str, first: str, second: str, key: str, one: Agreement) -> str:
    """Cells that are not defined are empty, and the last one says why."""
    ends = (one.interval.lower, one.interval.upper) if one.interval else (math.nan, math.nan)
    numbers = (one.value, *ends, one.observed, one.expected)
    cells = ["" if math.isnan(number) else repr(number) for number in numbers]
    return "\t".join([of, first, second, key, *cells, str(one.items), str(one.judges), one.undefined or ""])
