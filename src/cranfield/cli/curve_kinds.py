"""The kinds of curves that `cranfield curve` has: which options say something about each, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield import curves
from cranfield.errors import UsageError, did_you_mean
from cranfield.report.other_words import OTHER_WORDS

if TYPE_CHECKING:
    from cranfield.data.run import Run

Options = Mapping[str, Any]
"""What was said on the command line, by name of the option."""
DEFAULT_MEASURE = "AP"
"""Of kinds that are of any measure."""


class Kind(NamedTuple):
    """A kind of curve."""

    meaning: str
    options: tuple[str, ...]
    """The options that say something, besides those of every kind."""
    make: Callable[[str, list[str | Run], Options, dict[str, Any]], curves.Curves]
    """From judgments, runs, the options of the kind, and those of every kind."""
    usual: str | None = None
    """The measure, where measures can be named and none is."""


def _by_rank(qrels: str, runs: list[str | Run], said: Options, common: dict[str, Any]) -> curves.Curves:
    return curves.by_rank(qrels, runs, cutoffs=said["at"], beta=said["beta"], bands=said["bands"], **common)


def _gain(qrels: str, runs: list[str | Run], said: Options, common: dict[str, Any]) -> curves.Curves:
    return curves.gain(qrels, runs, _one(said["measures"]), cutoffs=said["at"], bands=said["bands"], **common)


def _cutoff(qrels: str, runs: list[str | Run], said: Options, common: dict[str, Any]) -> curves.Curves:
    return curves.cutoff(qrels, runs, said["measures"], cutoffs=said["at"], bands=said["bands"], **common)


def _recall_precision(qrels: str, runs: list[str | Run], said: Options, common: dict[str, Any]) -> curves.Curves:
    levels = {} if said["at"] is None else {"levels": said["at"]}
    return curves.recall_precision(qrels, runs, bands=said["bands"], **levels, **common)


def _roc(qrels: str, runs: list[str | Run], said: Options, common: dict[str, Any]) -> curves.Curves:
    return curves.roc(qrels, runs, average=said["average"], levels=said["at"], **_population(said), **common)


def _roc_points(qrels: str, runs: list[str | Run], said: Options, common: dict[str, Any]) -> curves.Curves:
    return curves.roc_points(qrels, runs, **_population(said), **common)


def _hull(qrels: str, runs: list[str | Run], said: Options, common: dict[str, Any]) -> curves.Curves:
    return curves.hull(qrels, runs, fpr=said["fpr"], tpr=said["tpr"], **_population(said), **common)


def _thresholds(qrels: str, runs: list[str | Run], said: Options, common: dict[str, Any]) -> curves.Curves:
    return curves.thresholds(qrels, runs, said["at"], most=said["most"], beta=said["beta"], **common)


def _per_topic(qrels: str, runs: list[str | Run], said: Options, common: dict[str, Any]) -> curves.Curves:
    measure = _one(said["measures"])
    return curves.per_topic(qrels, runs, measure, order=said["order"], bands=said["bands"], **common)


def _difference(qrels: str, runs: list[str | Run], said: Options, common: dict[str, Any]) -> curves.Curves:
    if len(runs) < 2:
        raise UsageError("a difference needs two runs: the first is the baseline")
    return curves.differences(qrels, runs[0], runs[1:], _one(said["measures"]), **common)


def _population(said: Options) -> dict[str, Any]:
    return {"over": said["over"], "documents": said["documents"]}


def _one(measures: tuple[str, ...]) -> str:
    if len(measures) > 1:
        raise UsageError(f"this curve is of one measure, found {len(measures)}: {', '.join(measures)}")
    return measures[0]


KINDS = {
    "by-rank": Kind("precision, recall and F after each number of documents", ("at", "beta", "bands"), _by_rank),
    "recall-precision": Kind(
        "precision against recall, interpolated, with break-even points and who dominates whom",
        ("at", "bands", "raw"),
        _recall_precision,
    ),
    "roc": Kind(
        "true against false positive rate, with AUC and equal error rate (vertical average of topics)",
        ("at", "average", "over", "documents"),
        _roc,
    ),
    "roc-points": Kind(
        "a point in ROC space for each run: one system with different settings", ("over", "documents"), _roc_points
    ),
    "hull": Kind(
        "what runs reach in ROC space alone or mixed, and how to mix them (cutoff average)",
        ("fpr", "tpr", "over", "documents"),
        _hull,
    ),
    "thresholds": Kind("precision, recall and F over thresholds of the score", ("at", "beta", "most"), _thresholds),
    "gain": Kind(
        "gain and discounted gain by rank, beside the best possible", ("measures", "at", "bands"), _gain, "nDCG"
    ),
    "cutoff": Kind("any measure against its cutoff", ("measures", "at", "bands"), _cutoff, "nDCG"),
    "per-topic": Kind("the scores of each topic, sorted", ("measures", "order", "bands"), _per_topic, DEFAULT_MEASURE),
    "difference": Kind(
        "differences to the first run on each topic, sorted", ("measures",), _difference, DEFAULT_MEASURE
    ),
}


def kind_named(name: str) -> Kind:
    """The kind of this name; an error that offers what is called so elsewhere, or the nearest, if there is none."""
    if name not in KINDS:
        known = OTHER_WORDS.get(name.lower().replace("_", "-"))
        offered = f". Did you mean {known}?" if known in KINDS else did_you_mean(name, KINDS)
        raise UsageError(f"there is no curve {name!r}{offered} There are: {', '.join(KINDS)}")
    return KINDS[name]
