"""How the orders of systems compare, as tables and as tab-separated lines."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.cli.tables import render, wrapped
from cranfield.evaluation.correlated import Correlated, Correlations
from cranfield.report.tables.comparison_cells import probability
from cranfield.stats.correlation.system_correlation import SystemCorrelation

SHOWN = ("correlations", "swaps", "systems")
"""What can be shown, the first unless told otherwise."""

_SWAP = (
    *("better", "worse", "difference_first", "difference_second", "p_first", "p_second"),
    *("significant_first", "significant_second"),
)
_PLACES = ("better_place_first", "worse_place_first", "better_place_second", "worse_place_second")


def tsv(found: Correlations, show: str) -> Iterator[str]:
    """One table, with all digits; what is not known is nan or -, and the remark says why."""
    return {"correlations": _tsv_correlations, "swaps": _tsv_swaps, "systems": _tsv_systems}[show](found)


def _tsv_correlations(found: Correlations) -> Iterator[str]:
    yield "first\tsecond\tcoefficient\tsystems\tvalue\tlower\tupper\tremark"
    for pair in found:
        for name, one in pair.coefficients.items():
            bounds = f"{one.interval.lower!r}\t{one.interval.upper!r}" if one.interval else "nan\tnan"
            where = f"{pair.first.label}\t{pair.second.label}\t{name}\t{one.systems}"
            yield f"{where}\t{one.value!r}\t{bounds}\t{_remark(one)}"


def _tsv_swaps(found: Correlations) -> Iterator[str]:
    yield "\t".join(["first", "second", *_SWAP, *_PLACES])
    for pair in found:
        for swap in pair.swaps:
            cells = [getattr(swap, name) for name in _SWAP]
            shown = ["-" if cell is None else repr(cell) if isinstance(cell, float) else str(cell) for cell in cells]
            numbers = map(str, [*swap.places_first, *swap.places_second])
            yield "\t".join([pair.first.label, pair.second.label, *shown, *numbers])


def _tsv_systems(found: Correlations) -> Iterator[str]:
    yield "ranking\tsystem\tscore\tplace"
    for ranking in found.rankings:
        for system, score in ranking.scores.items():
            yield f"{ranking.label}\t{system}\t{score!r}\t{ranking.places[system]}"


def table(found: Correlations, show: str, *, digits: int, most: int) -> Iterator[str]:
    """Tables for people, with what they rest on below."""
    if show == "systems":
        yield from _table_of_systems(found, digits)
    elif show == "swaps":
        for pair in found:
            yield from _table_of_swaps(pair, digits, most)
    else:
        yield from _table_of_correlations(found, digits)
    for note in found.notes:
        yield from wrapped(note)


def _table_of_correlations(found: Correlations, digits: int) -> Iterator[str]:
    rows = []
    for pair in found:
        for name, one in pair.coefficients.items():
            numbers = [one.value, one.interval.lower, one.interval.upper] if one.interval else [one.value]
            cells = ["-" if one.undefined else f"{number:z.{digits}f}" for number in numbers]
            rows.append([pair.first.label, pair.second.label, name, *cells, *["-"] * (3 - len(cells))])
    yield render(["first", "second", "coefficient", "value", "from", "to"], rows, left=3)
    yield ""
    level = f"{100 * (1 - found.settings['alpha']):g} %"
    for how, names in found.intervals.items():
        yield from wrapped(f"{level} intervals of {', '.join(names)}: {how}")
    for how, names in found.without_interval.items():
        yield from wrapped(f"no interval of {', '.join(names)}: {how}")
    for why, names in found.undefined.items():
        yield from wrapped(f"{', '.join(names)}: not defined, because {why}")
    for pair in found:
        yield from wrapped(pair.sentence)


def _table_of_swaps(pair: Correlated, digits: int, most: int) -> Iterator[str]:
    """For each swap the two systems, and below them what the first ranking says of them, and what the second says."""
    yield from wrapped(pair.sentence)
    yield ""
    if pair.swaps:
        shown = pair.swaps[:most]
        rows = [["by", "places", "difference", *(["p", "significant"] if pair.tested else [])]]
        for swap in shown:
            for ranking, places, difference, p in (
                (pair.first, swap.places_first, swap.difference_first, swap.p_first),
                (pair.second, swap.places_second, swap.difference_second, swap.p_second),
            ):
                row = [ranking.label, f"{places[0]}, {places[1]}", f"{difference:+.{digits}f}"]
                rows.append([*row, *(_tested(p, pair.alpha) if pair.tested else [])])
        label, *numbers = (max(map(len, column)) for column in zip(*rows, strict=True))
        lines = [
            "  ".join(["", row[0].ljust(label), *(cell.rjust(w) for cell, w in zip(row[1:], numbers, strict=True))])
            for row in rows
        ]
        yield lines[0]
        for at, swap in enumerate(shown):
            yield f"{swap.better}, {swap.worse}"
            yield from lines[2 * at + 1 : 2 * at + 3]
        yield ""
        yield from wrapped("Places are those of the two systems; differences are the first system minus the second.")
        if len(pair.swaps) > most:
            yield f"... and {len(pair.swaps) - most} more; --most {len(pair.swaps)} shows all"
    yield ""


def _tested(p: float | None, alpha: float) -> list[str]:
    return ["-", "-"] if p is None else [probability(p, 4), "yes" if p < alpha else "no"]


def _table_of_systems(found: Correlations, digits: int) -> Iterator[str]:
    header = ["system"]
    for ranking in found.rankings:
        header += [ranking.label, "place"]
    first = found.rankings[0]
    rows = []
    for system in sorted(first.systems, key=lambda name: (first.places[name], name)):
        row = [system]
        for ranking in found.rankings:
            row += [f"{ranking.scores[system]:.{digits}f}", str(ranking.places[system])]
        rows.append(row)
    yield render(header, rows)
    yield ""


def _remark(one: SystemCorrelation) -> str:
    if one.undefined:
        return f"not defined: {one.undefined}"
    return one.interval.method if one.interval else f"no interval: {one.no_interval}"
