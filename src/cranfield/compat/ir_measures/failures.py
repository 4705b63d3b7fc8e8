"""Errors of Cranfield that are also what ir_measures raises in their place, for scripts that catch those."""

from __future__ import annotations

from cranfield.errors import ParameterError, UnknownMeasureError, UsageError


class MeasureSyntaxError(UsageError, ValueError):
    """A text is not a measure."""


class UnknownNameError(UnknownMeasureError, NameError):
    """There is no measure of that name."""

    name: str


class InvalidParameterError(ParameterError, AssertionError):
    """A measure lacks a parameter, or does not take one, or not with that value."""


class UnsupportedError(UsageError, ValueError):
    """A measure cannot be computed, or judgments or a run are in no shape that is known."""
