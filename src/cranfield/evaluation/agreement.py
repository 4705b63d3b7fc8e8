"""How far judges agree, in every coefficient; by topic, by pair of judges; and whether it matters for systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.categories import Categories
from cranfield.data.judge_labels import JudgeLabels, as_judge_labels
from cranfield.data.strings import Bools, Ints
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.judges import DEFAULT_MEASURE, JudgeRankings, rankings_by_judge
from cranfield.formats.judge_labels import read_judge_labels, read_labels_of_one
from cranfield.measures import Measure
from cranfield.stats.agreement.coefficient import Agreement, Coefficient, Kinds, Sampling, assess, assess_rows
from cranfield.stats.agreement.cohen_kappa import cohen_coefficient, pi_coefficient
from cranfield.stats.agreement.disagreement_weights import Weights, name_of
from cranfield.stats.agreement.fleiss_kappa import fleiss_coefficient, percent_coefficient, s_coefficient
from cranfield.stats.agreement.gwet_ac1 import ac_coefficient
from cranfield.stats.agreement.judge_pairs import PairAgreement, PairedLabels, pair_agreements
from cranfield.stats.agreement.krippendorff_alpha import alpha_coefficient
from cranfield.stats.agreement.label_counts import LabelCounts, grouped

SCHEMA = "cranfield.agreement/1"


@dataclass(frozen=True, eq=False)
class _View:
    """Items as some coefficients see them."""

    kinds: Kinds
    coefficients: dict[str, Coefficient]
    item: Ints
    """The number of each item that is looked at, and its kind."""
    kind: Ints


@dataclass(frozen=True, eq=False)
class JudgeAgreement:
    """How far judges agree."""

    labels: JudgeLabels
    categories: Categories
    weights: Weights
    level: str
    sampling: Sampling
    systems: JudgeRankings | None = None
    """The order of systems by the labels of each judge alone, if runs were given."""

    @cached_property
    def coefficients(self) -> dict[str, Agreement]:
        """Percent agreement, S (P(E) = 1/k), Cohen's kappa and Scott's pi of two judges or Fleiss' kappa of more,
        Krippendorff's alpha, and Gwet's AC1 (AC2, with weights); with intervals."""
        found: dict[str, Agreement] = {}
        for view in self._views:
            found |= assess(view.coefficients, view.kinds, self.sampling)
        return {key: found[key] for key in self._keys}

    @cached_property
    def by_topic(self) -> dict[str, dict[str, Agreement]]:
        """The same for each topic, without intervals; empty if there are no topics."""
        if self.labels.topics is None:
            return {}
        topics, n = self.labels.topics, len(self.labels.judges)
        present = np.unique(self.labels.topic_of_item[self.labels.item] * n + self.labels.judge)
        judges = np.bincount(present // n, minlength=len(topics)).tolist()
        found: dict[str, list[Agreement]] = {key: [] for key in self._keys}
        for view in self._views:
            group = self.labels.topic_of_item[view.item]
            compared = np.bincount(group[self._compared[view.item]], minlength=len(topics)).tolist()
            for times in grouped(group, view.kind, len(topics), len(view.kinds.times)):
                for key, coefficient in view.coefficients.items():
                    rows = slice(len(found[key]), len(found[key]) + len(times))
                    disagreement = coefficient.disagreement(times)
                    found[key] += assess_rows(coefficient, disagreement, compared[rows], judges[rows], self.categories)
        return {topic: {key: found[key][at] for key in self._keys} for at, topic in enumerate(topics)}

    @cached_property
    def by_pair(self) -> tuple[PairAgreement, ...]:
        """Cohen's kappa of each two judges who have an item in common, without intervals; judge-2 before judge-10."""
        return pair_agreements(self.labels, self.categories, self.weights)

    @cached_property
    def _compared(self) -> Bools:
        """For each item, whether it has labels of two judges or more."""
        return np.bincount(self.labels.item, minlength=len(self.labels.topic_of_item)) > 1

    @cached_property
    def _views(self) -> tuple[_View, ...]:
        weights, level = self.weights, self.level
        counts = LabelCounts.from_judges(self.labels, self.categories)
        coefficients = {
            "percent_agreement": percent_coefficient(counts, None),
            "bennett_s": s_coefficient(counts, weights),
            "fleiss_kappa": fleiss_coefficient(counts, weights),
            "krippendorff_alpha": alpha_coefficient(counts, level),
            "gwet_ac1" if weights is None else "gwet_ac2": ac_coefficient(counts, weights),
        }
        views = [_View(counts, coefficients, np.arange(len(counts.kind)), counts.kind)]
        if len(self.labels.judges) == 2:
            del coefficients["fleiss_kappa"]
            paired = PairedLabels.of(self.labels, self.categories)
            cohen = {"cohen_kappa": cohen_coefficient(paired.pairs, weights)}
            both = paired.pairs.counts(paired.kind)
            views += [
                _View(paired.pairs, cohen, paired.item, paired.kind),
                _View(both, {"scott_pi": pi_coefficient(both, weights)}, paired.item, both.kind),
            ]
        return tuple(views)

    @property
    def _keys(self) -> list[str]:
        order = ("percent_agreement", "bennett_s", "cohen_kappa", "scott_pi", "fleiss_kappa")
        asked = [key for view in self._views for key in view.coefficients]
        return sorted(asked, key=lambda key: order.index(key) if key in order else len(order))

    @property
    def used(self) -> dict[str, int]:
        """How many labels fall into each category."""
        counts = np.bincount(self.labels.places(self.categories), minlength=len(self.categories))
        return dict(zip(self.categories.names, counts.tolist(), strict=True))

    @property
    def notes(self) -> list[str]:
        """What is to be said beside the values."""
        return list(self._notes())

    def _notes(self) -> Iterator[str]:
        if len(self.labels.judges) == 1:
            yield (
                f"All labels are by one judge, {self.labels.judges[0]!r}. Agreement needs a file for each judge, or "
                f"one file that names them."
            )
        if self.labels.negative:
            yield f"{self.labels.negative} negative grades say that a document was not judged; they are left out."
        alone = int(np.count_nonzero(~self._compared))
        if alone:
            yield f"{alone} of {len(self._compared)} items have the label of one judge only."
        if self.weights is not None and self.level == "nominal":
            yield (
                "Weights are those of S, kappa, pi and AC2. Alpha goes by the level of the labels, which is nominal: "
                "with --level ordinal or interval (level=) it counts how far apart they are."
            )
        unused = [name for name, count in self.used.items() if not count]
        if unused:
            yield f"Nobody used {', '.join(unused)}."
        wanted = self.sampling.resamples
        lacking = [result for result in self.coefficients.values() if result.interval and result.resamples < wanted]
        if lacking:
            each_of = ", ".join(f"{wanted - result.resamples} of {result.coefficient}" for result in lacking)
            yield f"Intervals leave out samples of items in which there is no value, of {wanted}: {each_of}."

    @property
    def settings(self) -> dict[str, Any]:
        """How the values were made."""
        return {"weights": name_of(self.weights), "level": self.level, **self.sampling._asdict()}

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        labels = self.labels
        return {
            "schema": SCHEMA,
            "settings": self.settings,
            "labels": {
                "labels": len(labels),
                "items": len(self._compared),
                "items_compared": int(self._compared.sum()),
                "judges": list(labels.judges),
                "topics": None if labels.topics is None else len(labels.topics),
                "categories": self.used,
            },
            "coefficients": {key: result.to_dict() for key, result in self.coefficients.items()},
            "by_topic": {
                topic: {key: result.to_dict() for key, result in results.items()}
                for topic, results in self.by_topic.items()
            },
            "by_pair": [
                {"first": pair.first, "second": pair.second, **pair.agreement.to_dict()} for pair in self.by_pair
            ],
            **({} if self.systems is None else {"systems": self.systems.to_dict()}),
            "notes": self.notes,
        }

    def __getitem__(self, coefficient: str) -> Agreement:
        return self.coefficients[coefficient]

    def __repr__(self) -> str:
        return "\n".join(result.sentence for result in self.coefficients.values())


def agreement(
    labels: Any,
    *,
    weights: Weights = None,
    level: str = "nominal",
    scale: Sequence[Any] | None = None,
    runs: Any = None,
    measure: str | Measure = DEFAULT_MEASURE,
    run_format: str | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> JudgeAgreement:
    """How far judges agree, beyond what chance gives.

    Labels are a file of all judges' labels, files with the labels of one judge each (in a list, or in a dict by the
    name of the judge), `JudgeLabels`, `Qrels` whose second column is the judge, `{judge: {item: label}}`,
    `{judge: {query: {document: grade}}}`, tuples (item, judge, label) or a dataframe. `weights` (linear, quadratic or a
    table) are those of S, kappa, pi and AC2, `level` (nominal, ordinal, interval, ratio) is that of alpha; percent
    agreement has neither. `scale` lists the categories, lowest first, where they are words or some were not used. With
    `runs`, systems are ranked by the labels of each judge alone.

    >>> result = agreement({"ann": {1: "R", 2: "I", 3: "R", 4: "R"}, "bob": {1: "R", 2: "I", 3: "I", 4: "R"}})
    >>> round(result["cohen_kappa"].value, 4)  # P(A) = 3/4, P(E) = 3/4 · 2/4 + 1/4 · 2/4 = 1/2
    0.5
    """
    read = _labels(labels)
    result = JudgeAgreement(
        read,
        read.categories(scale),
        weights,
        level,
        Sampling(resamples, confidence, seed),
        None if runs is None else rankings_by_judge(read, runs, measure, run_format=run_format),
    )
    _ = result.coefficients  # so that what is wrong is said here
    return result


def _labels(labels: Any) -> JudgeLabels:
    if is_file(labels):
        return read_judge_labels(labels)
    if isinstance(labels, (list, tuple)) and labels and all(map(is_file, labels)):
        return read_judge_labels(*labels)
    if isinstance(labels, Mapping) and labels and all(map(is_file, labels.values())):
        return JudgeLabels.joined({str(judge): read_labels_of_one(file, str(judge)) for judge, file in labels.items()})
    return as_judge_labels(labels)
