"""The kinds of drawings: which options say something about each, and how it is made from judgments and runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import UsageError, did_you_mean
from cranfield.measures import Measure
from cranfield.report.other_words import OTHER_WORDS

if TYPE_CHECKING:
    from cranfield.curves.topic_scores import TopicScores
    from cranfield.evaluation.comparison import Comparison
    from cranfield.report.drawing import AnyChart

DEFAULT_MEASURE = "AP"
CORRELATED_MEASURES = ("AP", "nDCG@10", "P@10", "RR", "R@100")


class Request(NamedTuple):
    """What is to be drawn."""

    kind: str
    qrels: Any
    runs: Mapping[str, Any]
    measures: tuple[str | Measure, ...]
    said: Mapping[str, Any]
    """The options of the kind that were given."""
    common: Mapping[str, Any]
    """Those of every evaluation."""

    def measure(self) -> str | Measure:
        """The one measure of the drawing."""
        if len(self.measures) > 1:
            panelled = ", ".join(name for name, kind in KINDS.items() if kind.panels)
            raise UsageError(
                f"{self.kind} shows one measure, found {', '.join(map(str, self.measures))}: draw one for each; "
                f"{panelled} have a panel for each measure"
            )
        return self.measures[0]

    def only(self, *names: str) -> dict[str, Any]:
        """Those of these options that were given."""
        return {name: self.said[name] for name in names if name in self.said}


class Kind(NamedTuple):
    """A kind of drawing."""

    meaning: str
    options: tuple[str, ...]
    """The options that say something, besides those of every evaluation."""
    draw: Callable[[Request], AnyChart]
    least_runs: int = 1
    most_runs: int | None = None
    measured: bool = True
    """Whether measures are named."""
    joined: bool = False
    """Whether runs are looked up once for many points, which not every option of an evaluation allows."""
    panels: bool = False
    """Whether several measures are panels of one drawing."""
    usual: tuple[str, ...] = (DEFAULT_MEASURE,)
    """The measures, where measures can be named and none is."""

    @property
    def of_any_measure(self) -> bool:
        """Whether it draws whatever measures one has."""
        return self.measured and self.usual == (DEFAULT_MEASURE,)


def _recall_precision(request: Request) -> AnyChart:
    from cranfield.curves import recall_precision as numbers
    from cranfield.report.charts.recall_precision_lines import recall_precision

    levels = {"levels": request.said["at"]} if "at" in request.said else {}
    found = numbers(request.qrels, request.runs, **levels, **_bands(request), **request.common)
    return recall_precision(found, **request.only("form", "topic", "highlight"))


def _roc(request: Request) -> AnyChart:
    from cranfield.curves import hull as hull_of
    from cranfield.curves import join
    from cranfield.curves import roc as numbers
    from cranfield.report.charts.roc_lines import roc

    population = request.only("over", "documents")
    targets = request.only("fpr", "tpr")
    with_hull = len(request.runs) > 1 and not request.only("topic", "average") and population.get("over") != "retrieved"
    if targets and not with_hull:
        raise UsageError(
            "fpr and tpr ask for a point of the convex hull, which is that of the averages of several runs"
        )
    if not with_hull:
        average = request.only("average")
        found = numbers(request.qrels, request.runs, **average, **population, **request.common)
        return roc(found, **request.only("topic", "highlight"))
    joined = join(request.qrels, request.runs, measures="AUC", **request.common)
    hull = hull_of(joined, **targets, **population)
    return roc(numbers(joined, average="cutoff", **population), hull=hull, **request.only("highlight"))


def _cutoff(request: Request) -> AnyChart:
    from cranfield.curves import cutoff as numbers
    from cranfield.report.charts.cutoff_lines import cutoff

    found = numbers(
        request.qrels,
        request.runs,
        request.measures,
        **_cutoffs(request),
        **_bands(request),
        **request.common,
    )
    return cutoff(found, **request.only("linear", "highlight"))


def _by_rank(request: Request) -> AnyChart:
    from cranfield.curves import by_rank as numbers
    from cranfield.report.charts.cutoff_lines import cutoff

    found = numbers(
        request.qrels, request.runs, **_cutoffs(request), **_bands(request), **request.only("beta"), **request.common
    )
    return cutoff(found, **request.only("linear", "highlight"))


def _gain(request: Request) -> AnyChart:
    from cranfield.curves import gain as numbers
    from cranfield.report.charts.cutoff_lines import cutoff

    measure = request.measure()
    found = numbers(request.qrels, request.runs, measure, **_cutoffs(request), **_bands(request), **request.common)
    return cutoff(found, **request.only("linear", "highlight"))


def _thresholds(request: Request) -> AnyChart:
    from cranfield.curves import thresholds as numbers
    from cranfield.report.charts.threshold_lines import thresholds

    return thresholds(numbers(request.qrels, request.runs, **request.only("beta"), **request.common))


def _cutoffs(request: Request) -> dict[str, Any]:
    return {"cutoffs": request.said["at"]} if "at" in request.said else {}


def _bands(request: Request) -> dict[str, Any]:
    return {"bands": request.said["band"]} if "band" in request.said else {}


def _topic_scores(request: Request, **more: Any) -> TopicScores:
    from cranfield.curves import per_topic as numbers

    return numbers(request.qrels, request.runs, request.measure(), **more, **request.common)


def _per_topic(request: Request) -> AnyChart:
    from cranfield.report.charts.per_topic_scores import per_topic

    order = request.said.get("order", "score" if len(request.runs) == 1 else "mean")
    return per_topic(_topic_scores(request, order=order, **_bands(request)), **request.only("highlight"))


def _box(request: Request) -> AnyChart:
    from cranfield.report.charts.score_distributions import box

    return box(_topic_scores(request), **request.only("highlight"))


def _violin(request: Request) -> AnyChart:
    from cranfield.report.charts.score_distributions import violin

    return violin(_topic_scores(request), **request.only("highlight"))


def _means(request: Request) -> AnyChart:
    from cranfield.evaluation.evaluator import Evaluator
    from cranfield.report.charts.run_means import means

    evaluator = Evaluator(request.qrels, request.measures, **{"intervals": "t", **request.common})
    evaluation = evaluator.evaluate_all(list(request.runs.values()), names=list(request.runs))
    return means(evaluation, evaluation.measures, **request.only("highlight"))


_TESTS = ("tests", "alternative", "correction", "alpha", "resamples", "seed")


def _comparison(request: Request, *, all_pairs: bool = False) -> Comparison:
    from cranfield.evaluation.compare import compare

    names = list(request.runs)
    baseline = request.said.get("baseline", names[0])
    if baseline not in request.runs:
        raise UsageError(f"the baseline {baseline!r} is none of the runs{did_you_mean(baseline, names)}")
    others = {name: run for name, run in request.runs.items() if name != baseline}
    told = request.only(*_TESTS)
    first = {baseline: request.runs[baseline]}
    return compare(request.qrels, first, others, request.measure(), all_pairs=all_pairs, **told, **request.common)


def _difference(request: Request) -> AnyChart:
    from cranfield.report.charts.difference_bars import difference

    return difference(_comparison(request))


def _scatter(request: Request) -> AnyChart:
    from cranfield.report.charts.two_runs import scatter

    return scatter(_comparison(request))


def _matrix(request: Request) -> AnyChart:
    from cranfield.report.charts.p_value_matrix import matrix

    return matrix(_comparison(request, all_pairs=True))


def _correlation(request: Request) -> AnyChart:
    from cranfield.evaluation.correlation import correlate
    from cranfield.report.charts.order_correlation import correlation

    coefficient = request.said.get("coefficient", "tau_b")
    found = correlate(
        request.qrels,
        dict(request.runs),
        request.measures,
        coefficients=coefficient,
        **request.only("other_qrels", "slices", "alpha", "resamples", "seed"),
        **request.common,
    )
    return correlation(found, coefficient, **request.only("form", "highlight"))


def _coverage(request: Request) -> AnyChart:
    from cranfield.curves.judged_shares import judged_by_rank
    from cranfield.report.charts.judged_coverage import coverage

    return coverage(judged_by_rank(request.qrels, request.runs, **request.common), **request.only("highlight"))


def _discount(request: Request) -> AnyChart:
    from cranfield.curves.discounts import DEFAULT_MEASURES, rank_weights
    from cranfield.report.charts.rank_discounts import discount

    depth = request.common.get("depth")
    return discount(rank_weights(request.measures or DEFAULT_MEASURES, **({} if depth is None else {"depth": depth})))


_LINES = ("at", "band", "highlight")

KINDS: Mapping[str, Kind] = {
    "means": Kind(
        "the mean of each run, with what is open about it; a panel for each measure",
        ("highlight",), _means, panels=True,
    ),
    "recall-precision": Kind(
        "precision against recall, averaged over topics, or of one topic",
        (*_LINES, "form", "topic"), _recall_precision, measured=False, joined=True,
    ),
    "roc": Kind(
        "true against false positive rate, with equal error rates and the hull",
        ("highlight", "topic", "over", "documents", "average", "fpr", "tpr"), _roc, measured=False, joined=True,
    ),
    "cutoff": Kind(
        "any measure against its cutoff; a panel for each measure", (*_LINES, "linear"), _cutoff, panels=True,
        usual=("nDCG",),
    ),
    "by-rank": Kind("precision, recall and F by rank", (*_LINES, "linear", "beta"), _by_rank, measured=False),
    "gain": Kind(
        "gain and discounted gain by rank, beside the best possible", (*_LINES, "linear"), _gain, usual=("nDCG",)
    ),
    "thresholds": Kind(
        "precision, recall and F over thresholds of the score", ("beta",), _thresholds, measured=False, joined=True
    ),
    "per-topic": Kind("the score of each topic: bars, dumbbells or dots", ("band", "highlight", "order"), _per_topic),
    "difference": Kind(
        "what topics gain and lose against the first run, sorted", (*_TESTS, "baseline"), _difference, least_runs=2
    ),
    "scatter": Kind("two runs against each other, topic by topic", (*_TESTS, "baseline"), _scatter, 2, 2),
    "box": Kind("how scores are distributed: boxes, with topics as points", ("highlight",), _box),
    "violin": Kind("how scores are distributed: violins, with topics as points", ("highlight",), _violin),
    "matrix": Kind("every run against every other: p-values", _TESTS, _matrix, least_runs=2),
    "correlation": Kind(
        "how alike measures put runs in order: coefficients, or runs as points (--form scatter)",
        ("highlight", "form", "coefficient", "other_qrels", "slices", "alpha", "resamples", "seed"),
        _correlation, least_runs=2, usual=CORRELATED_MEASURES,
    ),
    "coverage": Kind(
        "how far judgments reach, by rank", ("highlight",), _coverage, measured=False, joined=True
    ),
    "discount": Kind("what weight measures give to each rank (takes no files)", (), _discount, 0, 0, usual=()),
}  # fmt: skip
"""By the name that `cranfield plot` and `plot` know them by."""


def kind_named(name: str) -> Kind:
    """The kind of this name; an error that offers what draws it, or the nearest, if there is none."""
    if name not in KINDS:
        known = OTHER_WORDS.get(name.lower().replace("_", "-"))
        offered = f". Did you mean {known}?" if known else did_you_mean(name, KINDS)
        raise UsageError(f"there is no plot {name!r}{offered} There are: {', '.join(KINDS)}")
    return KINDS[name]
