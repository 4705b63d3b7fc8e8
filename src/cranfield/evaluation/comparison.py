"""What comparing runs with a baseline gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cranfield.errors import CranfieldError
from cranfield.evaluation.compared import Compared
from cranfield.evaluation.coverage import some
from cranfield.evaluation.gate import Verdict
from cranfield.evaluation.result import Evaluation
from cranfield.evaluation.significance import Significance
from cranfield.evaluation.slices import SliceDifference, Slices
from cranfield.measures import Measure, parse_one
from cranfield.stats.many_systems.anova import TwoWayAnova
from cranfield.stats.many_systems.corrections import Adjusted
from cranfield.stats.many_systems.tukey import Tukey
from cranfield.stats.significance.outcome import as_json

SCHEMA = "cranfield.comparison/1"


@dataclass(frozen=True, eq=False)
class Comparison:
    """Runs beside a baseline: for each measure and run the means, their difference and what tests say about it."""

    evaluation: Evaluation
    """The values of all runs, the baseline first, with their coverage."""
    baseline: str
    measures: tuple[Measure, ...]
    rows: tuple[Compared, ...]
    """One for each measure and run; with `all_pairs` for each measure and pair of runs."""
    significance: Significance
    family: str
    """What was corrected for together, in words."""
    adjusted: Mapping[str, Adjusted]
    """By name of the test, the p-values of the family."""
    not_compared: Mapping[str, str]
    """Measures that have no numbers to compare, and why."""
    all_pairs: bool
    change: Mapping[str, str]
    """What was changed, by name of the run, where that was said."""
    tukey: Mapping[Measure, tuple[TwoWayAnova, Tukey]]
    """All systems at once, by measure, if asked for."""
    slices: Slices | None
    by_slice: tuple[SliceDifference, ...]
    verdicts: tuple[Verdict, ...]
    """What became of the requirements, if there are any."""

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs other than the baseline."""
        return tuple(self.evaluation)[1:]

    @property
    def comparisons(self) -> int:
        """The size of the family."""
        return next(iter(self.adjusted.values())).comparisons

    @property
    def passed(self) -> bool:
        """Whether no requirement failed."""
        return all(verdict.met is not False for verdict in self.verdicts)

    def __getitem__(self, key: tuple[str | Measure, str] | tuple[str | Measure, str, str]) -> Compared:
        """`comparison[measure, run]`, or `comparison[measure, run, other]` of all pairs; measures in any spelling."""
        try:
            wanted = str(parse_one(key[0]))
        except CranfieldError:
            raise KeyError(key) from None
        other = key[2] if len(key) == 3 else self.baseline
        for row in self.rows:
            if (str(row.measure), row.run, row.baseline) == (wanted, key[1], other):
                return row
        raise KeyError(f"{wanted}, {key[1]} against {other} was not compared")

    @property
    def family_sentence(self) -> str:
        """How many comparisons there were, what was done about their number, and how many are significant."""
        if not self.comparisons:
            return "no comparison was tested"
        alpha, several = self.significance.alpha, len(self.adjusted) > 1
        first = next(iter(self.adjusted.values()))
        words = f"{self.family}: {self.comparisons} comparison{'s' if self.comparisons > 1 else ''}"
        if first.method == "none":
            words += f", not corrected: if no run differs, {alpha * self.comparisons:.2g} look significant by chance"
        elif self.comparisons > 1:
            where = " in each test" if several else ""
            words += f", {first.method} correction{where}, which keeps {first.controls} at {alpha:g} or below"
        found = [f"{name} {int(one.significant(alpha).sum())}" for name, one in self.adjusted.items()]
        words += f". Significant at {alpha:g}: {', '.join(found)}"
        lacking = {one.undefined for one in self.adjusted.values() if one.undefined}
        words += "".join(f"; {reason}" for reason in sorted(lacking))
        return words + (". Choose one test before you look: the best of several promises nothing" if several else "")

    @property
    def assumptions(self) -> dict[str, str]:
        """What each test assumes, by its full name."""
        tested = next((row.tests for row in self.rows if row.tests), {})
        return {one.outcome.test: one.outcome.assumed for one in tested.values()}

    @property
    def notes(self) -> list[str]:
        """What is to be said beside the numbers: about topics, measures and slices."""
        notes = [f"{names}: {sentence}" for names, sentence in self.evaluation.coverage_sentences()]
        said = {}
        for row in self.rows:
            if row.left_out:
                topics = "topic" if len(row.left_out) == 1 else "topics"
                said[row.run, row.baseline] = (
                    f"{row.run} and {row.baseline}: left out {len(row.left_out)} {topics} that only one of them has "
                    f"({some(row.left_out)}); their means are over {len(row.topics)}"
                )
        notes += [*said.values(), *self.evaluation.depth_notes()]
        if self.slices:
            notes.append(self.slices.sentence())
        notes += [f"{measure}: not compared, {reason}" for measure, reason in self.not_compared.items()]
        notes += [f"{measures}: {warning}" for measures, warning in self.evaluation.measure_notes()]
        if any(measure.definition.aggregate == "geometric" for measure in self.measures):
            notes.append("geometric means: tests look at logarithms, and intervals are of the ratio of the means")
        if any(measure.definition.aggregate == "sum" for measure in self.measures):
            notes.append("counts are means over topics here, not sums")
        return notes

    def records(self) -> list[dict[str, Any]]:
        """A flat record for each measure, run and test, as tsv has lines; None is not defined."""
        return [record for row in self.rows for record in _records(row)]

    def to_dict(self, *, by_query: bool = False) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        first = next(iter(self.evaluation.values()))
        whole: dict[str, Any] = {
            "schema": SCHEMA,
            "profile": first.profile,
            "settings": dict(first.settings),
            "baseline": self.baseline,
            "runs": list(self.runs),
            "measures": [str(measure) for measure in self.measures],
            "change": dict(self.change),
            "significance": self.significance.to_dict(),
            "family": {
                "of": self.family,
                "comparisons": self.comparisons,
                "significant": {
                    name: int(adjusted.significant(self.significance.alpha).sum())
                    for name, adjusted in self.adjusted.items()
                },
                "sentence": self.family_sentence,
            },
            "coverage": {name: run.coverage.to_dict() for name, run in self.evaluation.items()},
            "comparisons": [row.to_dict(by_query=by_query) for row in self.rows],
            "notes": self.notes,
        }
        if self.slices:
            whole["slices"] = {name: list(topics) for name, topics in self.slices.topics.items()}
            whole["by_slice"] = [one.to_dict() for one in self.by_slice]
        if self.verdicts:
            whole["requirements"] = [verdict.to_dict() for verdict in self.verdicts]
            whole["passed"] = self.passed
        if self.tukey:
            whole["tukey"] = {
                str(measure): {"anova": anova.to_dict(), "tukey": tukey.to_dict()}
                for measure, (anova, tukey) in self.tukey.items()
            }
        return whole

    def __repr__(self) -> str:
        return "\n".join([*(row.sentence for row in self.rows), self.family_sentence])


def _records(row: Compared) -> list[dict[str, Any]]:
    same: dict[str, Any] = {
        "measure": str(row.measure),
        "run": row.run,
        "baseline": row.baseline,
        "topics": len(row.topics),
        "baseline_mean": row.baseline_mean,
        "mean": row.mean,
        "difference": row.difference,
        "wins": row.wins,
        "ties": row.equal,
        "losses": row.losses,
    }
    records = []
    for name, found in row.tests.items() or [("", None)]:
        outcome, interval = (found.outcome, row.interval_of(name)) if found else (None, None)
        effect = next(iter(outcome.effects.items()), ("", None)) if outcome else ("", None)
        record = {
            **same,
            "test": name,
            "lower": interval and interval.lower,
            "upper": interval and interval.upper,
            "statistic": outcome and outcome.statistic,
            "p": outcome and outcome.p,
            "adjusted_p": found and found.adjusted,
            "effect": effect[0],
            "effect_size": effect[1],
            "significant": found and found.significant,
            "undefined": (outcome.undefined if outcome else row.not_tested) or "",
        }
        records.append(as_json(record))
    return records
