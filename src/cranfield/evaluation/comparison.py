"""What comparing runs with a baseline gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.errors import CranfieldError
from cranfield.evaluation.compared import Compared
from cranfield.evaluation.coverage import some
from cranfield.evaluation.gate import Verdict
from cranfield.evaluation.identical_runs import identical_notes
from cranfield.evaluation.result import Evaluation
from cranfield.evaluation.significance import Significance
from cranfield.evaluation.slices import SliceDifference, Slices
from cranfield.measures import Measure, parse_one
from cranfield.stats.many_systems.anova import TwoWayAnova
from cranfield.stats.many_systems.corrections import Adjusted
from cranfield.stats.many_systems.tukey import Tukey
from cranfield.stats.significance.outcome import Outcome, as_json
from cranfield.stats.significance.paired_tests import RANDOM_TESTS
from cranfield.stats.wording import interval_name

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
    baseline_again: bool = False
    """Whether the baseline's file was also among the runs, and left out there."""

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs other than the baseline."""
        return tuple(self.evaluation)[1:]

    @property
    def comparisons(self) -> int:
        """The size of the family."""
        return next(iter(self.adjusted.values())).comparisons

    @property
    def has_p(self) -> bool:
        """Whether a test of the family has a p-value."""
        return any(bool(np.isfinite(one.p).any()) for one in self.adjusted.values())

    @property
    def passed(self) -> bool | None:
        """Whether no requirement failed; None where nothing was required."""
        return all(verdict.met is not False for verdict in self.verdicts) if self.verdicts else None

    @property
    def first_test(self) -> Outcome | None:
        """An outcome of the test that sentences and intervals are from; none where no measure was tested."""
        return next((row.first.outcome for row in self.rows if row.first), None)

    @property
    def interval_name(self) -> str:
        """What stands above the intervals of differences."""
        return interval_name(self.significance.level, self.first_test.interval_kind if self.first_test else "")

    def __getitem__(self, key: str | Measure | tuple[str | Measure, str] | tuple[str | Measure, str, str]) -> Compared:
        """`comparison[measure, run]`, or `comparison[measure, run, other]` of all pairs; measures in any spelling.

        Where one run is compared, `comparison[measure]` will do.
        """
        measure, *names = key if isinstance(key, tuple) else (key,)
        run = names[0] if names else self.runs[0] if len(self.runs) == 1 else "which run"
        other = names[1] if len(names) == 2 else self.baseline
        try:
            wanted = str(parse_one(measure))
        except CranfieldError:
            wanted = str(measure)
        for row in self.rows:
            if (str(row.measure), row.run, row.baseline) == (wanted, run, other):
                return row
        raise KeyError(
            f"{wanted}, {run} against {other}: not compared. Measures: {', '.join(map(str, self.measures))}; runs: "
            f"{', '.join(self.runs)}; ask for [measure, run], of all pairs for [measure, run, other]"
        )

    @property
    def family_sentence(self) -> str:
        """How many comparisons there were, what was done about their number, and how many are significant."""
        if not self.has_p:
            reasons = dict.fromkeys(row.first.outcome.undefined for row in self.rows if row.first)
            return "no comparison was tested" + "".join(f": {reason}" for reason in reasons if reason)
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
        tested = next((row.tests for row in self.rows if row.tests), {}) if self.has_p else {}
        return {one.outcome.test: one.outcome.assumed for one in tested.values()}

    @property
    def test_notes(self) -> list[str]:
        """What is to be said about the tests: their random numbers, and what does not fit together."""
        notes = [f"{test}: {note}" for test, note in self.random_notes]
        first, significance = self.first_test, self.significance
        if first and first.interval_kind:
            notes.append(
                f"the {interval_name(significance.level, first.interval_kind)} is found in another way than the p of "
                f"the {first.test}, and the two need not agree"
            )
        if self.has_p and self.comparisons > 1 and significance.correction != "none":
            notes.append(
                "intervals are not corrected for the number of comparisons: one may leave out 0 where the corrected p "
                "is not significant"
            )
        if self.tukey and first:
            notes.append(
                "Tukey's test and the others need not agree: it has one critical difference for all pairs, which is "
                "hard on pairs of similar systems, whose differences vary little"
            )
        return notes

    @property
    def run_notes(self) -> list[str]:
        """What is to be said about the runs as they were given."""
        again = [f"{self.baseline}: the baseline is also among the runs, and left out there"]
        alike = identical_notes(self.evaluation, [(row.baseline, row.run) for row in self.rows])
        return [*(again if self.baseline_again else []), *alike, *self.evaluation.depth_notes()]

    @property
    def random_notes(self) -> list[tuple[str, str]]:
        """How many samples tests with random numbers took, with what seed, and what that means for p."""
        tested = [row.tests[name].outcome for name in RANDOM_TESTS for row in self.rows if name in row.tests]
        said = [(one.test, note) for one in tested for note in one.notes if not one.undefined]
        some_are_exact = "p is exact where few topics differ, over all choices of signs"
        return list(dict.fromkeys((test, some_are_exact if " exact" in note else note) for test, note in said))

    @property
    def notes(self) -> list[str]:
        """What is to be said beside the numbers: about topics, measures and slices."""
        notes = [*self.test_notes, *(f"{names}: {said}" for names, said in self.evaluation.coverage_sentences())]
        said = {}
        for row in self.rows:
            if row.left_out:
                topics = "topic" if len(row.left_out) == 1 else "topics"
                said[row.run, row.baseline] = (
                    f"{row.run} and {row.baseline}: left out {len(row.left_out)} {topics} that only one of them has "
                    f"({some(row.left_out)}); their means are over {len(row.topics)}"
                )
        notes += [*said.values(), *self.run_notes]
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
        pairs = {
            (measure, one["second"], one["first"]): {**one, "undefined": tukey.undefined or ""}
            for measure, (_, tukey) in self.tukey.items()
            for one in tukey.pairs()
        }
        records = []
        for row in self.rows:
            records += _records(row)
            if (row.measure, row.run, row.baseline) in pairs:
                records.append(_tukey_record(row, pairs[row.measure, row.run, row.baseline]))
        return records

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
        if first.origin is not None and first.origin.wanted:
            whole["provenance"] = self.evaluation.provenance.to_dict()
        return whole

    def __repr__(self) -> str:
        return "\n".join([*(row.sentence for row in self.rows), self.family_sentence])


def _same(row: Compared) -> dict[str, Any]:
    """What the records of all tests have."""
    return {
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


def _tukey_record(row: Compared, pair: Mapping[str, Any]) -> dict[str, Any]:
    """Of a pair in Tukey's test, which has the baseline first; its p is for all pairs of the measure."""
    bounds = np.array([-pair["upper"], -pair["lower"]])
    lower, upper = (np.exp(bounds) if row.is_geometric else bounds).tolist()
    record = {
        **_same(row),
        "test": "tukey",
        "lower": lower,
        "upper": upper,
        "statistic": None,
        "p": None,
        "adjusted_p": pair["p"],
        "effect": "",
        "effect_size": None,
        "significant": pair["significant"],
        "undefined": pair["undefined"],
    }
    whole: dict[str, Any] = as_json(record)
    return whole


def _records(row: Compared) -> list[dict[str, Any]]:
    records = []
    for name, found in row.tests.items() or [("", None)]:
        outcome, interval = (found.outcome, row.interval_of(name)) if found else (None, None)
        effect = next(iter(outcome.effects.items()), ("", None)) if outcome else ("", None)
        record = {
            **_same(row),
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
