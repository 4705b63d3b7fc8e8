"""What tools make of one run: judgments and run read once, and each tool's own rules applied to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.frames import as_run
from cranfield.data.qrels import Qrels
from cranfield.data.strings import decode
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.coverage import Coverage
from cranfield.evaluation.evaluator import Evaluator, Measures
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.judgments_given import refusal
from cranfield.evaluation.ruled_run import RuledRun
from cranfield.evaluation.streaming import RankedRun
from cranfield.evaluation.whydiff.tool_differences import ToolValue
from cranfield.formats import read_run
from cranfield.measures import Measure, parse_all, trec_eval
from cranfield.measures.profile_rules import MISSING, Profile


class Tool(NamedTuple):
    """A tool with what it makes of a measure: the measure with its parameters, and its rules for it."""

    name: str
    measure: Measure
    rules: Profile
    stops: bool
    """Whether it stops where topics are missing, and these rules are what it does when told to go on."""


class Trial:
    """A run to which the rules of tools are applied."""

    def __init__(self, qrels: Any, run: Any, measures: Measures, *, ranks: bool, **options: Any) -> None:
        """Read judgments and run once; `ranks` keeps the rank column. `options` are those of `Evaluator`."""
        if "profile" in options:
            raise UsageError("tools are named by profiles=, several of them, not by profile=")
        named = list(measures) if isinstance(measures, Iterable) and not isinstance(measures, str) else [measures]
        self.measures = parse_all(named)
        without_mean = [measure for measure in self.measures if measure.definition.aggregate == "none"]
        if without_mean:
            raise UsageError(f"{without_mean[0]} has no mean, so there is nothing to compare")
        self.evaluator = Evaluator(qrels, self.measures, **options)
        if not isinstance(self.evaluator.qrels, Qrels) or self.evaluator.relevance != "qrels":
            raise UsageError(f"tools are compared by judgments of documents, not by {self.evaluator.relevance}")
        self.qrels = self.evaluator.qrels
        format = self.evaluator.run_format
        self.run = read_run(run, format=format, ranks=ranks) if is_file(run) else as_run(run)
        self.ruled: RuledRun = self.evaluator.ruled(self.run)
        extra = tuple(decode(query) for query in self.run.query_ids if query not in self.qrels.position)
        self.coverage = Coverage.of(RankedRun(self.ruled.reranking.rankings, self.run.tag, extra))
        self.coverage.require_common_topics(self.qrels.queries, self.run.name)

    def tool(self, profile: Profile, measure: Measure) -> Tool:
        """What a tool makes of a measure; an error if it cannot say a number."""
        if profile.tool.startswith("trec_eval") and not trec_eval.has(measure, profile.lacks):
            raise UsageError(f"{profile.tool} has no {measure.name}")
        adapted = profile.adapt(self.evaluator.adapt(measure))
        rules = profile.for_measure(adapted)
        refused = refusal(self.qrels, rules)
        if refused is not None:
            raise DataError(refused)
        adapted.check_parameters()
        if profile.offer(measure).checked:
            adapted.check_judgments(self.qrels)
        stops = rules.missing == "error" and bool(self.coverage.missing) and not self.evaluator.complete
        if self.evaluator.complete or rules.missing == "error":
            rules = rules._replace(missing=rules.missing_if_complete)
        return Tool(profile.name, adapted, rules, stops)

    def value(self, tool: Tool) -> ToolValue:
        """The number that a tool gives."""
        mean = self.ruled.mean(tool.measure, tool.rules)
        low, high = self.tie_range(tool)
        rules = tool.rules
        note = f"{rules.tool} stops where topics are missing; here they {MISSING.in_words(rules)}" if tool.stops else ""
        return ToolValue(
            tool.name,
            str(tool.measure),
            mean if rules.places is None else round(mean, rules.places),
            rules.places,
            int(np.count_nonzero(self.ruled.counted(rules))),
            low,
            high,
            note,
        )

    def tie_range(self, tool: Tool) -> tuple[float, float] | tuple[None, None]:
        """The lowest and the highest mean, where a tool leaves the order of tied documents open; else None.

        Of such tools all measures are highest with the better one of two tied documents first.
        """
        if tool.rules.ties != "any":
            return None, None
        counted = self.ruled.counted(tool.rules)
        worst, best = (self.ruled.values(tool.measure, tool.rules, order=order)[counted] for order in ("worst", "best"))
        low, high = (tool.measure.aggregate(choose(worst, best)) for choose in (np.minimum, np.maximum))
        return (None, None) if low == high else (low, high)
