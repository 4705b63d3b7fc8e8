"""Runs that have no judged topic in common: which topics each has, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.errors import CoverageError
from cranfield.evaluation.coverage import some

MOST_RUNS = 4
"""Of how many runs the topics are named."""


def no_common_topics(topics: Mapping[str, tuple[str, ...]], profile: str) -> CoverageError:
    """The error, from the judged topics of each run.

    >>> str(no_common_topics({"a": ("q1", "q2"), "b": ("q3",)}, "trec_eval-9")).partition(". ")[0]
    'a and b have no judged topic in common, so there is nothing to compare: a has 2 (q1, q2); b has 1 (q3)'
    """
    names = list(topics)
    said = [f"{name} has {len(of)} ({some(of)})" if of else f"{name} has none" for name, of in topics.items()]
    who = " and ".join(names) if len(names) <= 2 else f"the {len(names)} runs"
    more = [f"and {len(names) - MOST_RUNS} runs more"] if len(names) > MOST_RUNS else []
    return CoverageError(
        f"{who} have no judged topic in common, so there is nothing to compare: "
        f"{'; '.join([*said[:MOST_RUNS], *more])}. Topics that a run lacks are left out (profile {profile}). Are "
        f"these runs of the same topics? If so, -c (complete=True) or the profile cranfield count what a run lacks as "
        f"an empty list."
    )
