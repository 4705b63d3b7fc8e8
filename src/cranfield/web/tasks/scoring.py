"""The scores of a release: every run that stands, held against the hidden judgments once."""

from __future__ import annotations

import gzip
import io
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from cranfield.errors import UsageError
from cranfield.web.projects.models import Membership
from cranfield.web.tasks.models import Submission

if TYPE_CHECKING:
    from cranfield.data.qrels import Qrels
    from cranfield.data.run import Run
    from cranfield.evaluation.result import Evaluation, RunEvaluation
    from cranfield.measures import Measure

USUAL = ("nDCG@10", "AP")


def measures_of(names: Sequence[str]) -> list[str]:
    """Measures as the library writes them; those that say something of the judgments, and not of runs, are refused."""
    from cranfield.measures import parse_all

    found = parse_all(names)
    for measure in found:
        if measure.definition.without_run:
            raise UsageError(f"{measure} follows from the judgments alone, which are hidden; it cannot be released")
        if measure.more_is_better is None:
            raise UsageError(f"{measure}: neither more nor less of it is better; runs cannot be compared by it")
    return [str(measure) for measure in found]


def run_of(submission: Submission) -> Run:
    """What was handed in."""
    from cranfield.formats import read_run

    return read_run(io.BytesIO(gzip.decompress(submission.run)), format="trec", name=submission.name)


def score(
    submissions: Iterable[Submission], qrels: Qrels, measures: Sequence[str], *, per_topic: bool
) -> dict[str, Any]:
    """Means with intervals over topics, what differences between runs mean, and each topic if that is wanted.

    The same numbers as `cranfield evaluate` gives for the files and the judgments.
    """
    from cranfield.evaluation.evaluator import Evaluator

    held = list(submissions)
    if not held:
        raise UsageError("no run stands: there is nothing to score")
    teams = _teams(held)
    names = [str(submission.pk) for submission in held]
    evaluation = Evaluator(qrels, list(measures)).evaluate_all([run_of(each) for each in held], names=names)
    return {
        "topics": len(qrels.queries),
        "measures": [str(measure) for measure in evaluation.measures],
        "less_is_better": [str(measure) for measure in evaluation.measures if not measure.more_is_better],
        "runs": [
            {
                "submission": str(each.pk),
                "participant": each.participant_id,
                "team": teams[each.participant_id],
                "name": each.name,
                **_scores(evaluation[str(each.pk)], per_topic=per_topic),
            }
            for each in held
        ],
        "together": {str(measure): _together(evaluation, measure) for measure in evaluation.measures},
    }


def _teams(submissions: Sequence[Submission]) -> dict[int, str]:
    """What participants are called before others: their group, if they have one, or else their pseudonym."""
    rows = Membership.objects.filter(project=submissions[0].project_id).values_list("user", "group", "pseudonym")
    known = {user: group or pseudonym for user, group, pseudonym in rows}
    return {each.participant_id: known.get(each.participant_id, "organisers") for each in submissions}


def _scores(result: RunEvaluation, *, per_topic: bool) -> dict[str, Any]:
    intervals = {str(measure): one.topics for measure, one in result.intervals().items()}
    found: dict[str, Any] = {
        "means": {name: _number(value) for name, value in result.mean.items()},
        "intervals": {name: None if one is None else [one.lower, one.upper] for name, one in intervals.items()},
        "missing": len(result.coverage.missing),
    }
    if per_topic:
        found["per_topic"] = {
            topic: {name: _number(value) for name, value in values.items()}
            for topic, values in result.per_query.items()
        }
    return found


def _together(evaluation: Evaluation, measure: Measure) -> dict[str, Any] | None:
    """How far two means have to be apart, all pairs judged at once, and letters for runs that cannot be told apart."""
    from cranfield.evaluation.score_matrix import score_matrix
    from cranfield.stats.many_systems.tukey import randomised_tukey_hsd

    if len(evaluation) < 2:
        return None
    matrix = score_matrix(evaluation, measure)
    found = randomised_tukey_hsd(matrix.by_run)
    if found.undefined:
        return {"undefined": found.undefined}
    letters = dict(zip(found.names, found.groups.letters, strict=True))
    return {"critical": _number(found.critical), "test": found.test, "level": found.level, "letters": letters}


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
