"""Measures of one's own, written as functions of two DataFrames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cranfield.compat.ir_measures.evaluator import Evaluator
from cranfield.compat.ir_measures.failures import UnsupportedError
from cranfield.compat.ir_measures.measure import Measure, ParamInfo
from cranfield.compat.ir_measures.provider import Provider
from cranfield.compat.ir_measures.records import CwlMetric, Metric
from cranfield.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas

    All = Callable[[pandas.DataFrame, pandas.DataFrame], Iterable[tuple[str, float]]]
    ByQuery = Callable[[pandas.DataFrame, pandas.DataFrame], float]

_CUTOFF = ParamInfo(int, desc="how many documents are looked at")


class RuntimeMeasure(Measure):
    """A measure that was defined by a function."""

    impl: All
    RUN_INPUTS: Sequence[str] = ()
    QREL_INPUTS: Sequence[str] = ()

    def runtime_impl(self, qrels: pandas.DataFrame, run: pandas.DataFrame) -> Iterator[Metric]:
        """The value for each query; the run has its best documents first."""
        if self.params.get("cutoff") is not None:
            run = run.groupby("query_id").head(self.params["cutoff"]).reset_index(drop=True)
        for query, value in type(self).impl(qrels, run):
            yield Metric(query, self, value)

    def __repr__(self) -> str:
        return object.__repr__(self) if self.NAME is None else super().__repr__()

    def _identity(self) -> tuple[Any, ...]:
        return (type(self), *super()._identity())


def define(
    impl: All,
    name: str | None = None,
    support_cutoff: bool = True,
    *,
    run_inputs: Sequence[str] | None = None,
    qrel_inputs: Sequence[str] | None = None,
    pretty_name: str | None = None,
    short_desc: str | None = None,
) -> Measure:
    """A measure from a function of all judgments and the whole run, which gives pairs of a query and its value."""
    kind = type(
        "_RuntimeMeasure",
        (RuntimeMeasure,),
        {
            "impl": staticmethod(impl),
            "NAME": name,
            "__name__": name,
            "SUPPORTED_PARAMS": {"cutoff": _CUTOFF} if support_cutoff else {},
            "RUN_INPUTS": list(run_inputs or ("query_id", "doc_id", "score")),
            "QREL_INPUTS": list(qrel_inputs or ("query_id", "doc_id", "relevance")),
            "PRETTY_NAME": pretty_name,
            "SHORT_DESC": short_desc,
        },
    )
    measure: Measure = kind()
    return measure


def define_byquery(
    impl: ByQuery,
    name: str | None = None,
    support_cutoff: bool = True,
    *,
    run_inputs: Sequence[str] | None = None,
    qrel_inputs: Sequence[str] | None = None,
    pretty_name: str | None = None,
    short_desc: str | None = None,
) -> Measure:
    """A measure from a function of one query's judgments and documents, which gives its value.

    >>> from cranfield.compat.ir_measures import calc_aggregate
    >>> Short = define_byquery(lambda qrels, run: float(len(run) < 3), name="Short")
    >>> calc_aggregate([Short], {"q1": {"d1": 1}}, {"q1": {"d1": 2.0, "d2": 1.0}})
    {Short: 1.0}
    """

    def query_by_query(qrels: pandas.DataFrame, run: pandas.DataFrame) -> Iterator[tuple[str, float]]:
        for query, documents in run.groupby("query_id"):
            yield str(query), impl(qrels[qrels["query_id"] == query], documents)

    return define(
        query_by_query,
        name or getattr(impl, "__name__", repr(impl)),
        support_cutoff,
        run_inputs=run_inputs,
        qrel_inputs=qrel_inputs,
        pretty_name=pretty_name,
        short_desc=short_desc,
    )


class RuntimeEvaluator(Evaluator):
    """Evaluates measures that were defined by functions."""

    def __init__(self, measures: Sequence[Measure], qrels: Any) -> None:
        self._qrels = _sorted(_judgments(qrels), "qrels", {"query_id": True, "doc_id": True})
        super().__init__(measures, set(self._qrels["query_id"].unique()))

    def _iter_calc(self, run: Any) -> Iterator[Metric | CwlMetric]:
        documents = _sorted(_documents(run), "run", {"query_id": True, "score": False, "doc_id": False})
        for measure in self.measures:
            if isinstance(measure, RuntimeMeasure):
                yield from measure.runtime_impl(self._qrels, documents)


class RuntimeProvider(Provider):
    """Computes measures that were defined by functions."""

    NAME = "runtime"

    def _evaluator(self, measures: Sequence[Measure], qrels: Any) -> Evaluator:
        return RuntimeEvaluator(measures, qrels)

    def supports(self, measure: Measure) -> bool:
        measure.validate_params()
        return isinstance(measure, RuntimeMeasure)

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        return _inputs(measures, "RUN_INPUTS")

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        return _inputs(measures, "QREL_INPUTS")


def _inputs(measures: Iterable[Measure], which: str) -> list[str]:
    return list(dict.fromkeys(name for measure in measures for name in getattr(measure, which, ())))


def _judgments(qrels: Any) -> Any:
    from cranfield.compat.ir_measures.inputs import as_qrels, is_frame

    if is_frame(qrels):
        return qrels if "iteration" in qrels.columns else qrels.assign(iteration="0")
    rows = [(query, document, grade, iteration) for query, iteration, document, grade in as_qrels(qrels).rows()]
    return _frame(rows, ["query_id", "doc_id", "relevance", "iteration"])


def _documents(run: Any) -> Any:
    from cranfield.compat.ir_measures.inputs import as_run, is_frame

    if is_frame(run):
        return run
    rows = [(query, document, score) for query, document, _, score in as_run(run).rows()]
    return _frame(rows, ["query_id", "doc_id", "score"])


def _frame(rows: list[Any], columns: list[str]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError:
        raise MissingExtraError("a measure of one's own", "frames") from None
    return pandas.DataFrame(rows, columns=columns)


def _sorted(frame: pandas.DataFrame, kind: str, ascending: dict[str, bool]) -> pandas.DataFrame:
    """Sorted by those of these columns that there are."""
    if "query_id" not in frame.columns:
        raise UnsupportedError(f"{kind}: the DataFrame has no column query_id; it has {', '.join(frame.columns)}")
    by = {name: upwards for name, upwards in ascending.items() if name in frame.columns}
    return frame.sort_values(by=list(by), ascending=list(by.values()))
