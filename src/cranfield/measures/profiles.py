"""Profiles: every choice on which evaluation tools differ, in one place.

>>> profile("trec_eval-9").single_precision
True
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from cranfield.errors import UsageError, did_you_mean

Missing = Literal["zero", "skip", "error"]


class Profile(NamedTuple):
    """What a tool does where the definition of a measure leaves room."""

    name: str
    single_precision: bool
    """Whether scores are compared as 32-bit floats, so that 100.00000001 ties with 100.0."""
    missing: Missing
    """A judged topic the run lacks: scored zero, left out of the mean, or an error."""
    missing_if_complete: Missing
    """The same where all judged topics are asked for (-c)."""
    lists_missing: bool
    """Whether a topic the run lacks has lines of its own among the topics."""
    recall_rounding: Literal["ceil", "add-0.9", "nearest"]
    """How many documents a recall level of a fractional number of relevant documents asks for."""
    whole_grades: bool
    """Whether grades must be whole numbers."""
    lacks: frozenset[str] = frozenset()
    """Names in trec_eval's measure sets that this version does not have."""


PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            name="cranfield",
            single_precision=False,
            missing="zero",
            missing_if_complete="zero",
            lists_missing=True,
            recall_rounding="ceil",
            whole_grades=False,
        ),
        Profile(
            name="trec_eval-9",
            single_precision=True,
            missing="skip",
            missing_if_complete="zero",
            lists_missing=False,
            recall_rounding="add-0.9",
            whole_grades=True,
            lacks=frozenset({"rbp", "rbp_resid", "unj"}),
        ),
        Profile(
            name="trec_eval-10",
            single_precision=False,
            missing="error",
            missing_if_complete="zero",
            lists_missing=True,
            recall_rounding="nearest",
            whole_grades=True,
        ),
    )
}


def profile(name: str | Profile) -> Profile:
    """The profile of this name."""
    if isinstance(name, Profile):
        return name
    if name not in PROFILES:
        hint = did_you_mean(name, PROFILES)
        raise UsageError(f"unknown profile {name!r}{hint} There are: {', '.join(PROFILES)}")
    return PROFILES[name]
