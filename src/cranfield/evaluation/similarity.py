"""Two runs beside each other, query by query: how alike are their lists?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.frames import as_run
from cranfield.data.run import Run
from cranfield.data.strings import Floats, Ints, decode
from cranfield.errors import CoverageError, UsageError, did_you_mean
from cranfield.evaluation.coverage import some
from cranfield.evaluation.inputs import check_depth, is_file, is_several, run_names
from cranfield.evaluation.matched_lists import MatchedLists, in_pieces
from cranfield.evaluation.parallel import fork_map
from cranfield.formats import read_run
from cranfield.stats.correlation.paired_lists import PairedLists
from cranfield.stats.correlation.rank_biased_overlap import check

SCHEMA = "cranfield.similarity/1"
DEFAULT_MEASURES = ("rbo", "rbo_min", "rbo_max", "tau_b", "tau_ap_b", "spearman", "overlap", "common")
DOCUMENTS = ("common", "union")
"""Which documents the correlations look at."""

_CORRELATIONS: dict[str, Callable[[PairedLists], Floats]] = {
    "tau_a": PairedLists.tau_a,
    "tau_b": PairedLists.tau_b,
    "gamma": PairedLists.gamma,
    "tau_ap_a": PairedLists.tau_ap_a,
    "tau_ap_b": PairedLists.tau_ap_b,
    "spearman": PairedLists.spearman_rho,
}
MEASURES = ("rbo", "rbo_min", "rbo_max", *_CORRELATIONS, "overlap", "jaccard", "common")
_OTHER_NAMES = {"rbo_ext": "rbo", "tau": "tau_b", "kendall": "tau_b", "tau_ap": "tau_ap_b", "rho": "spearman"}


@dataclass(frozen=True, eq=False)
class Similarity:
    """How alike the lists of two runs are.

    `columns` has for each measure one value for each of `queries`, nan where it is not defined (a correlation needs two
    documents that both runs have, and not all of them tied).
    """

    names: tuple[str, str]
    measures: tuple[str, ...]
    queries: tuple[str, ...]
    """The queries that both runs have."""
    columns: dict[str, Floats]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    """Queries that only one of the runs has; they are left out."""
    documents: tuple[int, int]
    """How many documents the runs have for the queries of both."""
    common: int
    """How many of these they have in common."""
    most_documents: tuple[int, int]
    """How many documents the runs have for the topic that has most."""
    tied_documents: tuple[int, int]
    """How many documents of the runs share their score with another of the same topic."""
    settings: dict[str, Any]
    """How the values were made: p, ties, depth, documents."""

    @cached_property
    def mean(self) -> dict[str, float]:
        """The mean of each measure over the queries for which it is defined; nan if there is none."""
        return {
            name: float(np.nansum(values)) / self.defined[name] if self.defined[name] else math.nan
            for name, values in self.columns.items()
        }

    @cached_property
    def defined(self) -> dict[str, int]:
        """For how many queries each measure is defined."""
        return {name: int(np.count_nonzero(~np.isnan(values))) for name, values in self.columns.items()}

    @cached_property
    def per_query(self) -> dict[str, dict[str, float]]:
        """`{query: {measure: value}}`."""
        columns = [(name, values.tolist()) for name, values in self.columns.items()]
        return {query: {name: values[row] for name, values in columns} for row, query in enumerate(self.queries)}

    def __getitem__(self, measure: str) -> dict[str, float]:
        """The values of one measure by query."""
        name = _name(measure)
        if name not in self.columns:
            raise KeyError(f"there is no value of {measure}; there are values of {', '.join(self.columns)}")
        return dict(zip(self.queries, self.columns[name].tolist(), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        return {
            "schema": SCHEMA,
            "runs": list(self.names),
            "settings": dict(self.settings),
            "measures": list(self.measures),
            "topics": len(self.queries),
            "topics_only_in_first": list(self.only_first),
            "topics_only_in_second": list(self.only_second),
            "documents": list(self.documents),
            "documents_in_common": self.common,
            "most_documents_for_a_topic": list(self.most_documents),
            "tied_documents": list(self.tied_documents),
            "mean": _without_nan(self.mean),
            "topics_defined": self.defined,
            "per_query": {query: _without_nan(values) for query, values in self.per_query.items()},
        }

    def sentence(self) -> str:
        """What was compared, in a line."""
        first, second = self.names
        parts = [f"topics: {len(self.queries)} in both"]
        for name, queries in ((first, self.only_first), (second, self.only_second)):
            if queries:
                parts[0] += f", {len(queries)} only in {name} ({some(queries)}: left out)"
        parts.append(f"documents: {_both(self.documents)}, at most {_both(self.most_documents)} a topic")
        parts.append(f"{self.common} in common")
        parts.append(f"tied scores: {_both(self.tied_documents)}" if any(self.tied_documents) else "no tied scores")
        if any(name.startswith("rbo") for name in self.measures):
            parts.append(f"rbo: p = {self.settings['p']:g}, ties {self.settings['ties']}")
        if _CORRELATIONS.keys() & self.measures:
            which = "common documents" if self.settings["documents"] == "common" else "documents of either"
            parts.append(f"correlations: {which}")
        return "; ".join(parts)

    def depth_notes(self) -> list[str]:
        """What is to be said where one run has more documents for a topic than the other, and all of them count."""
        least, most = sorted(self.most_documents)
        if least == most or self.settings["depth"] is not None:
            return []
        return [
            f"the runs differ in depth, {least} and {most} documents a topic; "
            f"-M {least} compares them at the same depth"
        ]

    def __repr__(self) -> str:
        width = max(map(len, self.measures))
        lines = [f"{name:<{width}}  {self.mean[name]:.4f}" for name in self.measures]
        return "\n".join([f"{self.names[0]} and {self.names[1]}", *lines, self.sentence(), *self.depth_notes()])


def similarity(
    first: Any,
    second: Any,
    measures: str | Iterable[str] = DEFAULT_MEASURES,
    *,
    p: float = 0.9,
    ties: str = "b",
    depth: int | None = None,
    documents: str = "common",
    run_format: str | None = None,
) -> Similarity:
    """Compare the lists of two runs, query by query.

    Runs are paths, file objects, `Run`, dicts of dicts, lists of tuples, or pandas, polars and Arrow tables. Equal
    scores are ties. `depth` looks at the first so many documents of each list only; a tie there is cut as lists are
    ranked everywhere, by document identifier.

    Measures: `rbo` (rank-biased overlap, extrapolated), `rbo_min` and `rbo_max` (its bounds), with persistence `p` and
    the treatment of `ties` that `stats.rank_biased_overlap` explains; the correlations `tau_a`, `tau_b`, `gamma`,
    `tau_ap_a` (the first run is the truth), `tau_ap_b` and `spearman`; `overlap` (common documents over the length of
    the longer list), `jaccard` (over all documents of either list) and `common` (their number).

    A correlation needs documents that both lists order. With `documents="common"` those in only one list are left out;
    with `documents="union"` they are tied below the end of the list that lacks them.

    >>> a = {"q1": {"d1": 3, "d2": 2, "d3": 1}}
    >>> b = {"q1": {"d1": 9, "d3": 8, "d2": 7, "d4": 6}}
    >>> similarity(a, b, ["tau_b", "jaccard"]).mean  # of three pairs two agree: (2 - 1) / 3; three of four documents
    {'tau_b': 0.3333333333333333, 'jaccard': 0.75}
    >>> round(similarity(a, b, "tau_b", documents="union").mean["tau_b"], 4)  # d4 is last in both: (5 - 1) / 6
    0.6667
    """
    wanted = tuple(dict.fromkeys(_name(measure) for measure in ([measures] if isinstance(measures, str) else measures)))
    if not wanted:
        raise UsageError("no measure is named")
    check(p, ties)
    depth = check_depth(depth)
    if documents not in DOCUMENTS:
        raise UsageError(f"documents must be one of {', '.join(DOCUMENTS)}, not {documents!r}")
    for run in (first, second):
        if is_several(run):
            raise UsageError("two runs are compared: expected one run on each side, found several")
    names = run_names([first, second])
    a, b = (_load(run, name, run_format) for run, name in zip((first, second), names, strict=True))
    queries = [query for query in a.query_ids if query in b.position]
    if not queries:
        raise CoverageError(
            f"{names[0]} and {names[1]} have no topic in common ({some(a.queries)}; {some(b.queries)}). "
            f"Are these the right files?"
        )
    at_a = np.array([a.position[query] for query in queries])
    at_b = np.array([b.position[query] for query in queries])
    settings: dict[str, Any] = {"p": p, "ties": ties, "depth": depth, "documents": documents}
    tasks = [
        partial(_compare, a, b, at_a[piece], at_b[piece], wanted, **settings) for piece in in_pieces(a, b, at_a, at_b)
    ]
    parts = fork_map(tasks)
    return Similarity(
        names=(names[0], names[1]),
        measures=wanted,
        queries=tuple(map(decode, queries)),
        columns={name: np.concatenate([part.columns[name] for part in parts]) for name in wanted},
        only_first=tuple(decode(query) for query in a.query_ids if query not in b.position),
        only_second=tuple(decode(query) for query in b.query_ids if query not in a.position),
        documents=_pair(sum, [part.documents for part in parts]),
        common=sum(part.common for part in parts),
        most_documents=_pair(max, [part.most for part in parts]),
        tied_documents=_pair(sum, [part.tied for part in parts]),
        settings=settings,
    )


class _Part(NamedTuple):
    """The values for some of the queries, and what `Similarity` says of documents."""

    columns: dict[str, Floats]
    documents: tuple[int, int]
    common: int
    most: tuple[int, int]
    tied: tuple[int, int]


def _compare(
    a: Run,
    b: Run,
    query_a: Ints,
    query_b: Ints,
    wanted: Sequence[str],
    *,
    p: float,
    ties: str,
    depth: int | None,
    documents: str,
) -> _Part:
    lists = MatchedLists(a, b, query_a, query_b, depth)
    common, length_a, length_b = lists.common, lists.length_a, lists.length_b
    columns: dict[str, Floats] = {
        "overlap": common / np.maximum(length_a, length_b),
        "jaccard": common / (length_a + length_b - common),
        "common": common.astype(np.float64),
    }
    if any(name.startswith("rbo") for name in wanted):
        overlaps = lists.rankings().overlaps(p, ties)
        columns |= {"rbo": overlaps.extrapolated, "rbo_min": overlaps.minimum, "rbo_max": overlaps.maximum}
    correlations = _CORRELATIONS.keys() & wanted
    if correlations:
        paired = lists.common_documents() if documents == "common" else lists.all_documents()
        columns |= {name: _CORRELATIONS[name](paired) for name in correlations}
    return _Part(
        {name: columns[name] for name in wanted},
        (int(length_a.sum()), int(length_b.sum())),
        int(common.sum()),
        (int(length_a.max()), int(length_b.max())),
        lists.tied,
    )


def _load(run: Any, name: str, format: str | None) -> Run:
    return read_run(run, format=format) if is_file(run) else as_run(run, name=name)


def _name(measure: str) -> str:
    """The one name of a measure that may be spelled in several ways."""
    folded = measure.lower().replace("-", "_")
    name = _OTHER_NAMES.get(folded, folded)
    if name not in MEASURES:
        hint = did_you_mean(measure, MEASURES)
        raise UsageError(f"unknown measure of similarity {measure!r}{hint} There are: {', '.join(MEASURES)}")
    return name


def _pair(fold: Callable[[Iterable[int]], int], pairs: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """One pair from several: the sums of their numbers, or the highest."""
    return fold(first for first, _ in pairs), fold(second for _, second in pairs)


def _both(counts: tuple[int, int]) -> str:
    return f"{counts[0]} and {counts[1]}"


def _without_nan(values: dict[str, float]) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else value for name, value in values.items()}
