"""Errors of Cranfield that are also what pytrec_eval raises in their place: a script may go on catching those."""

from __future__ import annotations

from cranfield.errors import DataError, FormatError, ParameterError, UnknownMeasureError, UsageError


class UnsupportedMeasureError(UnknownMeasureError, ValueError):
    """There is no measure of that name in pytrec_eval."""

    def __init__(self, name: str, reason: str) -> None:
        UsageError.__init__(self, reason)
        self.name = name

    def __reduce__(self) -> tuple[object, ...]:
        return UnsupportedMeasureError, (self.name, str(self))


class MeasureParameterError(ParameterError, ValueError):
    """A measure is given a parameter that it does not take."""


class WrongTypeError(UsageError, TypeError):
    """Something is not of the kind that is needed there: dicts of dicts, text, numbers."""


class ScoreError(DataError, ValueError):
    """A score or a grade is a number that cannot be used."""


class LineError(FormatError, ValueError):
    """A line of a run or of judgments cannot be read."""


class RepetitionError(FormatError, AssertionError):
    """A document stands in a run, or in judgments, twice for one query."""
