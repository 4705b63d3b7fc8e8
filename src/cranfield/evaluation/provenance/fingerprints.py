"""SHA-256 of what is evaluated: of a file as `sha256sum` prints it, of a stream while it is read, of data in memory."""

from __future__ import annotations

import hashlib
import os
from typing import Any, BinaryIO, NamedTuple, cast

from cranfield.evaluation.provenance.origin import Identity
from cranfield.formats.canonical import write_canonical

LARGE = 4 << 20
"""From this size on it is worth hashing a file in a process of its own."""


class Fingerprint(NamedTuple):
    """The hash of some bytes, and how many they are."""

    sha256: str
    bytes: int


class Hasher:
    """A file to write to that keeps nothing but the hash of what was written.

    >>> hasher = Hasher()
    >>> hasher.write(b"abc")
    3
    >>> hasher.fingerprint  # the first example of FIPS 180-4
    Fingerprint(sha256='ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', bytes=3)
    """

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._bytes = 0

    def write(self, block: bytes | memoryview) -> int:
        self._hash.update(block)
        self._bytes += len(block)
        return len(block)

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(self._hash.hexdigest(), self._bytes)


def of_file(path: str) -> tuple[Fingerprint, Identity]:
    """The hash of a file, and by what it can be recognised; OSError if it cannot be read."""
    with open(path, "rb", buffering=0) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        identity = Identity.of(os.fstat(file.fileno()))
    return Fingerprint(digest, identity.bytes), identity


def of_content(data: Any) -> Fingerprint:
    """The hash of the one text of judgments, a run, preferences, costs or intents (see `formats.canonical`).

    >>> of_content({"q1": {"bird": 0.25, "film": 0.75}}).bytes  # q1 bird 0.25, q1 film 0.75, with two line ends
    26
    """
    hasher = Hasher()
    write_canonical(data, cast(BinaryIO, hasher))
    return hasher.fingerprint
