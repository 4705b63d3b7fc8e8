"""Measures and judgments prepared once, for many runs: what every evaluator does, however it computes."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from cranfield.compat.ir_measures.measure import Measure
from cranfield.compat.ir_measures.records import CalcResults, CwlMetric, Metric


class Evaluator:
    """Scores runs by some measures and judgments.

    Who computes in a way of their own writes `_iter_calc`, which may leave queries out: they count 0.
    """

    def __init__(self, measures: Collection[Measure], qrel_qids: Collection[str]) -> None:
        self.measures = measures
        self.qrel_qids = qrel_qids

    def _iter_calc(self, run: Any) -> Iterator[Metric | CwlMetric]:
        raise NotImplementedError

    def iter_calc(self, run: Any) -> Iterator[Metric | CwlMetric]:
        """The value of each measure for each judged query."""
        missing = set(itertools.product(self.measures, self.qrel_qids))
        for metric in self._iter_calc(run):
            missing.discard((metric.measure, metric.query_id))
            yield metric
        for measure, query in sorted(missing, key=lambda pair: (str(pair[0]), pair[1])):
            yield Metric(query, measure, measure.DEFAULT)

    def calc(self, run: Any) -> CalcResults:
        """The means (or sums), and the values they are made of."""
        values = list(self.iter_calc(run))
        aggregators = {measure: measure.aggregator() for measure in self.measures}
        for metric in values:
            aggregators[metric.measure].add(metric.value)
        return CalcResults({measure: each.result() for measure, each in aggregators.items()}, values)

    def calc_aggregate(self, run: Any) -> dict[Measure, float]:
        """The mean of each measure over the judged queries, or the sum of a count."""
        means: dict[Measure, float] = self.calc(run).aggregated
        return means


class FallbackEvaluator(Evaluator):
    """Several evaluators as one, the measures in the order in which they were named."""

    def __init__(self, measures: Sequence[Measure], evaluators: Sequence[Evaluator]) -> None:
        super().__init__(measures, evaluators[0].qrel_qids)
        self.evaluators = evaluators

    def iter_calc(self, run: Any) -> Iterator[Metric | CwlMetric]:
        from cranfield.compat.ir_measures.inputs import repeatable

        again = repeatable(run)
        for evaluator in self.evaluators:
            yield from evaluator.iter_calc(again)
