"""Everything Cranfield raises on purpose.

CranfieldError                what went wrong and what to do; never a traceback for a user
├── DataError                 a file or table holds something that cannot be used (exit code 1)
│   ├── FormatError           a line or record cannot be read: says file and line
│   ├── CoverageError         judgments and run do not meet: no common topic, a topic missing
│   ├── EngineError           a search engine is down, refuses, or answers what cannot be used
│   └── ClusterError          a Spark cluster is not there, lacks something, or a job on it failed
└── UsageError                the request itself is wrong (exit code 2)
    ├── UnknownMeasureError   no measure of that name; the nearest names are given
    ├── ParameterError        a parameter is unknown or its value impossible
    └── MissingExtraError     an optional library is needed; the message has the install command
"""

from __future__ import annotations

from collections.abc import Iterable


class CranfieldError(Exception):
    """The root of the tree above."""

    exit_code = 1


class DataError(CranfieldError):
    """A file or table holds something that cannot be used."""


class AnotherKindError(DataError):
    """A file is of another kind than what was wanted; the advice is for whoever gave it on the command line.

    >>> error = AnotherKindError("a.run: this looks like a run.", "Are the files in the right order?")
    >>> print(error)
    a.run: this looks like a run. Are the files in the right order?
    >>> error.found
    'a.run: this looks like a run.'
    """

    def __init__(self, found: str, advice: str) -> None:
        super().__init__(f"{found} {advice}")
        self.found = found


class FormatError(DataError):
    """A line or record cannot be read.

    >>> print(FormatError("expected 6 fields, found 5", source="run.txt", line=17))
    run.txt:17: expected 6 fields, found 5
    """

    def __init__(self, reason: str, *, source: str = "", line: int | None = None) -> None:
        where = source if line is None else f"{source}:{line}"
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason
        self.source = source
        self.line = line

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_format_error, (self.reason, self.source, self.line)


def _rebuild_format_error(reason: str, source: str, line: int | None) -> FormatError:
    return FormatError(reason, source=source, line=line)


class CoverageError(DataError):
    """Judgments and run do not meet."""


class EngineError(DataError):
    """A search engine is down, refuses, or answers what cannot be used."""


class ClusterError(DataError):
    """A Spark cluster is not there, lacks something, or a job on it failed."""


class UsageError(CranfieldError):
    """The request itself is wrong."""

    exit_code = 2


class UnknownMeasureError(UsageError):
    """No measure of that name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        bare = name.partition("@")[0].partition("(")[0]
        hint = did_you_mean(bare, known)
        super().__init__(f"unknown measure {name!r}{hint} `cranfield measures` lists them all.")
        self.name = name

    def __reduce__(self) -> tuple[object, ...]:
        return UnknownMeasureError, (self.name, ())


class ParameterError(UsageError):
    """A parameter is unknown or its value impossible."""


class MissingExtraError(UsageError):
    """An optional library is needed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional library: pip install 'cranfield[{extra}]'")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence that offers the nearest known names, or a full stop.

    >>> did_you_mean("nDGC", ["nDCG", "AP"])
    '. Did you mean nDCG?'
    >>> did_you_mean("xyzzy", ["nDCG", "AP"])
    '.'
    """
    import difflib

    by_folded = {candidate.lower(): candidate for candidate in known}
    near = difflib.get_close_matches(name.lower(), by_folded, n=3, cutoff=0.6)
    if not near:
        return "."
    return f". Did you mean {', '.join(by_folded[folded] for folded in near)}?"


def reason(error: OSError) -> str:
    """Why a file could not be written; libraries that only count bytes do not say it.

    >>> reason(OSError(28, "No space left on device"))
    'No space left on device'
    >>> reason(OSError("100 requested and 60 written"))
    '100 requested and 60 written: is the disk full, or the file larger than files may be (ulimit -f)?'
    """
    return error.strerror or f"{error}: is the disk full, or the file larger than files may be (ulimit -f)?"
