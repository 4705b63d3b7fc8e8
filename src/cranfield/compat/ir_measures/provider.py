"""What every provider does, in ir_measures someone who computes measures."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from cranfield.compat.ir_measures.deprecation import warn_deprecated
from cranfield.compat.ir_measures.evaluator import Evaluator
from cranfield.compat.ir_measures.failures import UnsupportedError
from cranfield.compat.ir_measures.measure import Measure
from cranfield.compat.ir_measures.records import CalcResults, CwlMetric, Metric


class Provider:
    """Computes some measures. Who computes in a way of their own writes `_evaluator` and `supports`."""

    NAME: str = ""
    SUPPORTED_MEASURES: Sequence[Measure] = ()

    def _evaluator(self, measures: Sequence[Measure], qrels: Any) -> Evaluator:
        raise NotImplementedError

    def evaluator(self, measures: Iterable[Measure], qrels: Any) -> Evaluator:
        """Measures and judgments prepared for many runs."""
        wanted = list(dict.fromkeys(measures))
        for measure in wanted:
            if not isinstance(measure, Measure):
                raise UnsupportedError(f"{measure!r:.60} is not a measure; parse_measure makes one of a name")
        return self._evaluator(wanted, qrels)

    def iter_calc(self, measures: Iterable[Measure], qrels: Any, run: Any) -> Iterator[Metric | CwlMetric]:
        """The value of each measure for each judged query."""
        return self.evaluator(measures, qrels).iter_calc(run)

    def calc_aggregate(self, measures: Iterable[Measure], qrels: Any, run: Any) -> dict[Measure, float]:
        """The mean of each measure over the judged queries, or the sum of a count.

        >>> from cranfield.compat import ir_measures
        >>> from cranfield.compat.ir_measures import RR, P
        >>> ir_measures.calc_aggregate([RR, P @ 2], {"q1": {"d1": 1}}, {"q1": {"d2": 0.9, "d1": 0.8}})
        {RR: 0.5, P@2: 0.5}
        """
        return self.evaluator(measures, qrels).calc_aggregate(run)

    def calc(self, measures: Iterable[Measure], qrels: Any, run: Any) -> CalcResults:
        """The means (or sums), and the values they are made of."""
        return self.evaluator(measures, qrels).calc(run)

    @contextlib.contextmanager
    def calc_ctxt(self, measures: Iterable[Measure], qrels: Any) -> Iterator[Callable[[Any], Iterator[Any]]]:
        """The old form of `evaluator`."""
        warn_deprecated("calc_ctxt", "evaluator")
        yield self.evaluator(measures, qrels).iter_calc

    def supports(self, measure: Measure) -> bool:
        """Whether it computes the measure."""
        measure.validate_params()
        return any(measure.NAME == one.NAME for one in self.SUPPORTED_MEASURES)

    def is_available(self) -> bool:
        """Whether what it needs is installed: here nothing has to be."""
        return True

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """What the measures need to know of the documents of a run."""
        return ["query_id", "doc_id", "score"]

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """What the measures need to know of the judgments."""
        return ["query_id", "doc_id", "relevance"]
