"""What runs are scored against: judgments with the costs and intents that go with them, read and checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from cranfield.data.frames import as_qrels
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.strings import decode
from cranfield.errors import DataError, FormatError, UsageError
from cranfield.evaluation.inputs import is_file, source_name
from cranfield.evaluation.provenance.origin import Input, Role, read_input
from cranfield.formats import iter_records, read_preferences, read_qrels
from cranfield.measures import Measure
from cranfield.measures.profiles import Profile

if TYPE_CHECKING:
    from cranfield.data.costs import Costs
    from cranfield.data.subtopics import Subtopics

RELEVANCE = {"qrels": "qrels", "qrels_jg": "groups", "prefs": "preferences", "qrels_prefs": "preferences"}
"""The kinds of relevance information, by trec_eval's names, and what measures each can give."""

T = TypeVar("T")


class JudgmentsGiven(NamedTuple):
    """What was read, and the record of it."""

    qrels: Qrels | Preferences
    subtopics: Subtopics | None
    """The judgments by subtopic, where a measure looks at these."""
    costs: Costs | None
    inputs: tuple[Input, ...]


def read_judgments(
    qrels: Any,
    rules: Mapping[Measure, Profile],
    *,
    profile: Profile,
    relevance: str,
    format: str | None,
    intents: Any,
    costs: Any,
    default_cost: float | None,
    hashed: bool,
) -> JudgmentsGiven:
    """Read judgments, intents and costs, each a file or in memory, and check that the measures can do with them."""
    reading = _Reading(tuple(rules), profile, relevance, hashed)
    listed = reading.costs(costs, default_cost)
    judged, subtopics = reading.judgments(qrels, format, intents)
    if isinstance(judged, Qrels):
        _check(judged, rules, profile, source_name(qrels, judged.name))
    return JudgmentsGiven(judged, subtopics, listed, reading.inputs)


def check_measures(measures: Sequence[Measure], relevance: str, *, intents: bool) -> None:
    """An error if a measure cannot be computed from such judgments, or none of them needs the intents."""
    for measure in measures:
        measure.check_parameters()
        needs = "qrels" if measure.definition.needs == "subtopics" else measure.definition.needs
        if needs not in ("anything", RELEVANCE[relevance]):
            fitting = " or ".join(f"-R {name}" for name, gives in RELEVANCE.items() if gives == needs)
            raise UsageError(
                f"{measure} cannot be computed from {relevance!r}: it needs {fitting} "
                f"(relevance={next(n for n, gives in RELEVANCE.items() if gives == needs)!r})"
            )
    if intents and _by_subtopic(measures) is None:
        raise UsageError(
            "--intents (intents=) says how likely subtopics are meant, and none of the measures looks at subtopics"
        )


class _Reading:
    """Reads one thing after the other, and writes down what it was."""

    def __init__(self, measures: tuple[Measure, ...], profile: Profile, relevance: str, hashed: bool) -> None:
        self._measures = measures
        self._profile = profile
        self._relevance = relevance
        self._hashed = hashed
        self.inputs: tuple[Input, ...] = ()

    def costs(self, costs: Any, default: float | None) -> Costs | None:
        """What it costs to read documents, if that was said."""
        if costs is None and default is not None:
            raise UsageError("--default-cost (default_cost=) is for documents that --costs does not list; add --costs")
        if costs is None:
            return None
        if self._relevance != "qrels" or not any(measure.looks_at_costs for measure in self._measures):
            raise UsageError(
                "--costs (costs=) says what reading costs, and none of the measures looks at that; TBG, U, BPM, IFT_C2 "
                "and value=EC or ETC do"
            )
        return self._read("costs", costs, partial(_as_costs, costs)).or_else(default)

    def judgments(self, qrels: Any, format: str | None, intents: Any) -> tuple[Qrels | Preferences, Subtopics | None]:
        """The judgments, and by subtopic if a measure needs them so."""
        if not is_file(qrels):
            from cranfield.data.subtopics import Subtopics

            if isinstance(qrels, Subtopics):
                return qrels.qrels, qrels
        if self._relevance == "prefs":
            own = isinstance(qrels, Preferences)
            read = partial(read_preferences, qrels, format=format)
            return self._read("qrels", qrels, lambda: qrels if own else read(), format), None
        judged = self._qrels(qrels, format)
        if self._relevance == "qrels_prefs":
            return Preferences.from_qrels(judged), None
        where = source_name(qrels, judged.name)
        by_subtopic = _by_subtopic(self._measures)
        if by_subtopic is not None:
            subtopics = self._subtopics(judged, where, by_subtopic, intents)
            return subtopics.qrels, subtopics
        if self._relevance == "qrels" and judged.judged_twice:
            query, document = judged.judged_twice
            raise DataError(
                f"{where}: document {document!r} is judged more than once for query {query!r}, under different "
                f"values of the second column. Are these several assessors (-R qrels_jg)? Or subtopics, for diversity "
                f"measures such as alpha_nDCG@20? Beside one of those, the others take the highest grade."
            )
        return judged, None

    def _qrels(self, qrels: Any, format: str | None) -> Qrels:
        read = partial(read_qrels, format=format) if is_file(qrels) else as_qrels
        judged = self._read("qrels", qrels, partial(read, qrels), format)
        if self._profile.whole_grades and (judged.grade != np.floor(judged.grade)).any():
            raise _not_whole(judged, qrels, format, self._profile)
        return judged

    def _subtopics(self, judged: Qrels, where: str, measure: Measure, intents: Any) -> Subtopics:
        """The judgments by subtopic; an error in the name of the measure that needs them if there are no subtopics."""
        if len(judged.iteration_ids) < 2:
            found = "are none" if judged.iteration is None else f"is only {decode(judged.iteration_ids[0])!r}"
            raise DataError(
                f"{where}: {measure} needs judgments by subtopic, and there {found}. Subtopics are named in the second "
                f"column of TREC qrels, or in a column named subtopic."
            )
        from cranfield.data.subtopics import Subtopics

        probabilities = None
        if intents is not None:
            probabilities = self._read("intents", intents, partial(as_intents, intents))
        return Subtopics(judged, probabilities, intents_name=source_name(intents, "intents"))

    def _read(self, role: Role, what: Any, read: Callable[[], T], format: str | None = None) -> T:
        data, source = read_input(role, what, read, hashed=self._hashed, format=format)
        self.inputs = (*self.inputs, source)
        return data


def _check(qrels: Qrels, rules: Mapping[Measure, Profile], profile: Profile, where: str) -> None:
    """An error if there are judgments that a measure, or the tool of the profile, does not take."""
    for measure, its_rules in rules.items():
        refused = refusal(qrels, its_rules)
        if refused is not None:
            raise DataError(f"{where}: {refused}")
        if profile.offer(measure).checked:
            measure.check_judgments(qrels, where)


def _by_subtopic(measures: Sequence[Measure]) -> Measure | None:
    """The first measure that looks at subtopics."""
    return next((measure for measure in measures if measure.definition.needs == "subtopics"), None)


def _not_whole(qrels: Qrels, given: Any, format: str | None, profile: Profile) -> DataError:
    """The error for a grade that is a fraction, with its line where the judgments come from a file."""
    row = int(np.flatnonzero(qrels.grade != np.floor(qrels.grade))[0])
    reason = (
        f"grade {qrels.grade[row]:g} of document {decode(qrels.documents[row])!r} is not a whole number, which "
        f"{profile.name} needs. The cranfield profile takes fractions."
    )
    if isinstance(given, (str, os.PathLike)) and os.fspath(given) != "-":
        for source, piece in iter_records("qrels", given, format=format):
            odd = np.flatnonzero(piece.columns.numbers["relevance"] == qrels.grade[row])
            if len(odd):
                return FormatError(reason, source=source.name, line=int(piece.place[odd[0]]))
    return FormatError(reason, source=qrels.name)


def _as_costs(costs: Any) -> Costs:
    from cranfield.data.costs import Costs
    from cranfield.formats.costs import read_costs

    if is_file(costs):
        return read_costs(costs)
    return costs if isinstance(costs, Costs) else Costs.from_dict(costs)


def as_intents(intents: Any) -> Mapping[Any, Any]:
    """How likely each subtopic is meant: from a file, or as it is."""
    if is_file(intents):
        from cranfield.formats.intents import read_intents

        return read_intents(intents)
    if not isinstance(intents, Mapping):
        raise UsageError(f"intents is {type(intents).__name__}, not a file or {{query: {{subtopic: probability}}}}")
    return intents


def refusal(qrels: Qrels, rules: Profile) -> str | None:
    """Why a tool would not take these judgments, in words that follow their name; None if it would."""
    tool, grade = rules.tool, qrels.grade
    if rules.whole_grades and (grade != np.floor(grade)).any():
        row = int(np.flatnonzero(grade != np.floor(grade))[0])
        return (
            f"grade {grade[row]:g} of document {decode(qrels.documents[row])!r} is not a whole number, which {tool} "
            f"needs. The cranfield profile takes fractions."
        )
    lowest, highest = rules.least_grade, rules.highest_grade
    low = np.zeros(0, dtype=np.int64) if lowest is None else np.flatnonzero(grade < lowest)
    high = np.zeros(0, dtype=np.int64) if highest is None else np.flatnonzero(grade > highest)
    if len(low) or len(high):
        row = int((low if len(low) else high)[0])
        bound = f"below {lowest:g}" if len(low) else f"above {highest:g}"
        return f"grade {grade[row]:g} of document {decode(qrels.documents[row])!r} is {bound}, where {tool} stops."
    without = np.flatnonzero(qrels.count(1) == 0)
    if rules.without_relevant == "error" and len(without):
        return f"query {qrels.queries[without[0]]!r} has no relevant document, where {tool} divides by 0."
    return None
