"""Where values come from: what was read, when, and under what rules. `provenance` makes the record of it.

Nothing is hashed unless it is asked for. Of a file its name, size and time of change are written down before it is
read, so that it can be hashed later and still be known to be what was evaluated.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeVar

from cranfield.errors import DataError
from cranfield.evaluation.inputs import is_file, own_name, source_name
from cranfield.measures.profiles import Profile

T = TypeVar("T")
Role = Literal["qrels", "run", "intents", "costs", "reference"]


class Identity(NamedTuple):
    """By what a file is known not to have changed."""

    device: int
    inode: int
    bytes: int
    changed: int

    @classmethod
    def of(cls, status: os.stat_result) -> Identity:
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


class Input(NamedTuple):
    """Something that was read: what it was for, what it is called, and the SHA-256 of it."""

    role: Role
    name: str
    """The path as it was given, `standard input`, or what data in memory goes by."""
    run: str | None = None
    """The name of the run that it is."""
    format: str | None = None
    """The format, where it was named and not recognised."""
    hash_of: Literal["bytes", "content"] = "bytes"
    """What the hash is of: the bytes that were read, packed or not, or of data in memory the text that
    `formats.canonical` describes."""
    sha256: str | None = None
    """None: not known, for what can be read only once, and data in memory, is hashed only if that is asked for."""
    bytes: int | None = None
    identity: Identity | None = None
    """Of a file that can be read again."""

    def hashed(self) -> Input:
        """The same with its hash, if it is a file; DataError if the file has changed since it was read."""
        if self.sha256 is not None or self.identity is None:
            return self
        from cranfield.evaluation.provenance.fingerprints import of_file

        try:
            fingerprint, identity = of_file(self.name)
        except OSError as error:
            raise DataError(f"{self.name}: cannot be hashed: {error.strerror or error}. {_ASK}") from None
        if identity != self.identity:
            raise DataError(f"{self.name}: the file has changed since it was read for evaluation. {_ASK}")
        return self._replace(sha256=fingerprint.sha256, bytes=fingerprint.bytes)

    def to_dict(self) -> dict[str, Any]:
        said = {"role": self.role, "run": self.run, "name": self.name, "format": self.format}
        known = {key: value for key, value in said.items() if value is not None}
        return {**known, "bytes": self.bytes, "sha256": self.sha256, "hash_of": self.hash_of}


_ASK = "With provenance=True (or --format json) hashes are taken during the evaluation."


class Origin(NamedTuple):
    """Where the values of a run come from."""

    profile: Profile
    inputs: tuple[Input, ...]
    time: float
    """When they were made, in seconds since 1970."""
    wanted: bool
    """Whether it was asked for, so that it belongs to what is written down."""

    def also(self, source: Input) -> Origin:
        """The same, with one input more."""
        return self._replace(inputs=(*self.inputs, source))


def read_input(
    role: Role, what: Any, read: Callable[[], T], *, hashed: bool, format: str | None = None, alone: bool = False
) -> tuple[T, Input]:
    """What `read` reads of `what`, and the record of it; `alone` says that there is a core to spare for hashing."""
    source = Input(role, source_name(what, role), format=format)
    if not is_file(what):
        return _read_memory(read, source._replace(name=own_name(what, role), hash_of="content"), hashed)
    try:
        status = os.stat(what) if isinstance(what, (str, os.PathLike)) and source.name != "-" else None
    except (OSError, ValueError):
        status = None  # reading it will say what is wrong
    if status is None or not stat.S_ISREG(status.st_mode):
        return _read_once(read, source._replace(name=_stream_name(what)), hashed)
    source = source._replace(identity=Identity.of(status), bytes=status.st_size)
    if not hashed:
        return read(), source
    from cranfield.evaluation.parallel import beside
    from cranfield.evaluation.provenance.fingerprints import LARGE

    if alone and status.st_size >= LARGE:
        with beside(source.hashed) as wait:
            return read(), wait()
    return read(), source.hashed()


def _read_memory(read: Callable[[], T], source: Input, hashed: bool) -> tuple[T, Input]:
    data = read()
    if not hashed:
        return data, source
    from cranfield.evaluation.provenance.fingerprints import of_content

    fingerprint = of_content(data)
    return data, source._replace(sha256=fingerprint.sha256, bytes=fingerprint.bytes)


def _read_once(read: Callable[[], T], source: Input, hashed: bool) -> tuple[T, Input]:
    if not hashed:
        return read(), source
    from cranfield.evaluation.provenance.fingerprints import Hasher
    from cranfield.formats.files import hearing_streams

    hasher = Hasher()
    with hearing_streams(hasher.write):
        data = read()
    return data, source._replace(sha256=hasher.fingerprint.sha256, bytes=hasher.fingerprint.bytes)


def _stream_name(what: Any) -> str:
    if isinstance(what, (str, os.PathLike)):
        return "standard input" if os.fspath(what) == "-" else os.fspath(what)
    return str(getattr(what, "name", "file object"))
