"""Making the values of a result again, to see whether it still holds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from cranfield.errors import DataError, ParameterError, UsageError
from cranfield.evaluation.best_possible import best_possible
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.provenance.inputs_to_verify import InputsToVerify
from cranfield.evaluation.provenance.origin import Input, Role
from cranfield.evaluation.provenance.recorded_result import RecordedResult, RecordedRun
from cranfield.evaluation.provenance.verification import TOLERANCE, InputCheck, Values, Verification
from cranfield.evaluation.result import Evaluation, RunEvaluation
from cranfield.evaluation.zscores import read_reference, standardise
from cranfield.measures import parse_all
from cranfield.measures.profiles import PROFILES, Profile

_VERSIONS = ("cranfield", "python", "numpy")


def verify(
    result: Any,
    qrels: Any = None,
    runs: Any = None,
    *,
    intents: Any = None,
    costs: Any = None,
    reference: Any = None,
    profile: Profile | None = None,
    tolerance: float = TOLERANCE,
    values_only: bool = False,
) -> Verification:
    """Make the values of a result again, with the measures, settings and profile it names, and compare.

    `result` is what `cranfield evaluate --format json` wrote, or what `Evaluation.to_dict` gave. Judgments and runs
    have any shape that `evaluate` takes. A run is known by its hash, or else by its name; runs of the result that are
    not among those given are not checked. What is not given at all is looked for under the names that the result has,
    here and in the folder of the result.

    It holds if every value is off by no more than `tolerance` (times the value, where that is above 1) and no input
    has changed; with `values_only` inputs may have. `reference` is what -Z was, and `profile` is needed where the
    result was made with one that does not come with this package.

    >>> from cranfield.evaluation.evaluate import evaluate
    >>> qrels, run = {"q1": {"d1": 1}}, {"q1": {"d2": 2.0, "d1": 1.0}}
    >>> written = evaluate(qrels, [run], "RR", provenance=True).to_dict()
    >>> verify(written, qrels, run).holds
    True
    >>> verify(written, qrels, {"q1": {"d1": 2.0, "d2": 1.0}}).differences[0].off  # 1 - 1/2
    0.5
    """
    if not 0 <= tolerance < math.inf:
        raise UsageError(f"tolerance is {tolerance}; expected a number from 0 up")
    recorded = RecordedResult.read(result)
    given = InputsToVerify(recorded, {"qrels": qrels, "intents": intents, "costs": costs, "reference": reference}, runs)
    evaluator = _evaluator(recorded, given, profile or _profile(recorded))
    found = _evaluated(evaluator, recorded, given)
    matched = given.match({name: _input(run, "run") for name, run in found.items() if not run.ideal})
    pairs = [(run, found[name]) for run in recorded.runs for name in found if matched.get(name, name) == run.name]
    values, not_known = Values(tolerance), []
    for then, now in pairs:
        not_known += _compare(values, then, now)
    record = Evaluation(tuple(found.values())).provenance.to_dict()
    return Verification(
        name=recorded.name,
        runs=tuple(then.name for then, _ in pairs),
        not_checked=tuple(run.name for run in recorded.runs if run.name not in {then.name for then, _ in pairs}),
        inputs=tuple(_checks(recorded, given, pairs)),
        values=values.count,
        differences=values.by_size(),
        largest=values.largest,
        tolerance=tolerance,
        values_only=values_only,
        contradictions=tuple(recorded.contradictions()),
        made_with={key: str(recorded.provenance[key]) for key in _VERSIONS if key in recorded.provenance},
        versions={key: record[key] for key in _VERSIONS},
        rules_changed=_rules_changed(recorded.provenance.get("profile", {}), record["profile"]),
        not_known=tuple(dict.fromkeys(not_known)),
        time=recorded.provenance.get("time"),
    )


def _profile(recorded: RecordedResult) -> Profile:
    if recorded.profile not in PROFILES:
        raise UsageError(
            f"{recorded.name} was made with a profile {recorded.profile!r}, which is not one of {', '.join(PROFILES)}; "
            f"in Python, profile= takes it"
        )
    return PROFILES[recorded.profile]


def _evaluator(recorded: RecordedResult, given: InputsToVerify, profile: Profile) -> Evaluator:
    """What evaluates as then."""
    try:
        return Evaluator(
            given["qrels"],
            # A recorded name says it all: the profile has nothing to add to it.
            [measure(**measure.parameters) for measure in parse_all(recorded.measures)],
            profile=profile,
            intents=given["intents"],
            costs=given["costs"],
            provenance=True,
            **recorded.keywords,
        )
    except ParameterError as error:
        raise DataError(f"{recorded.name}: {error}") from None


def _evaluated(evaluator: Evaluator, recorded: RecordedResult, given: InputsToVerify) -> dict[str, RunEvaluation]:
    """The runs by the names they have now, and what is best possible if the result has that."""
    found = dict(evaluator.evaluate_all(list(given.runs.values()), names=list(given.runs)))
    for run in recorded.runs:
        if run.is_best_possible:
            found[run.name] = best_possible(evaluator)
    if not recorded.standardised:
        return found
    means = read_reference(given["reference"], hashed=True)
    return {name: standardise(run, means) for name, run in found.items()}


def _compare(values: Values, then: RecordedRun, now: RunEvaluation) -> list[str]:
    """Hold every value of a run against what it is now; gives the parts that are not made now."""
    made = now.to_dict()
    for part, recorded in then.values.items():
        if part in made:
            values.compare(then.name, part, recorded, made[part])
    if then.coverage:
        values.compare(then.name, "coverage", then.coverage, now.coverage.to_dict())
    return [part for part in then.values if part not in made]


def _checks(
    recorded: RecordedResult, given: InputsToVerify, pairs: list[tuple[RecordedRun, RunEvaluation]]
) -> Iterator[InputCheck]:
    """Every input of which there is a record, beside what was read now."""
    first = pairs[0][1]
    for source in recorded.inputs:
        if source.role != "run" and recorded.needs(source.role):
            yield InputCheck(source, given.comparable(source, _input(first, source.role), given[source.role]))
    for then, now in pairs:
        read = recorded.input("run", then.name)
        if read is not None:
            yield InputCheck(read, given.comparable(read, _input(now, "run"), given.runs[now.name]))


def _input(run: RunEvaluation, role: Role) -> Input:
    assert run.origin is not None
    return next(source for source in run.origin.inputs if source.role == role)


def _rules_changed(then: Any, now: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """What a profile says otherwise than it did, rules and parameters of measures."""
    if not isinstance(then, Mapping):
        return {}
    was, rules = _flat(then), _flat(now)
    return {
        key: (was.get(key, "nothing"), rules.get(key, "nothing"))
        for key in dict.fromkeys((*was, *rules))
        if was and was.get(key) != rules.get(key)
    }


def _flat(profile: Mapping[str, Any]) -> dict[str, str]:
    parts = [part for name, part in profile.items() if name != "name" and isinstance(part, Mapping)]
    return {key: str(value) for part in parts for key, value in part.items()}
