"""The ledger of a workspace: every look at the test topics, and what was tuned on others; a chain of files by hashes.

An entry is a file `ledger/HASH.json`, named by the hash of what is in it, and names the entries that were the last when
it was made, its parents. So an entry that is edited does not fit its name, one that is gone is missed by those that
followed, and two branches of a repository that both made entries merge without conflict: the next entry has two
parents. The last entries, which nobody names yet, are the heads; they are quoted in reports, by which even they are
missed.

It guards against accidents and forgetting, not against malice: who wants to can make the whole chain anew.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from cranfield.errors import DataError, FormatError
from cranfield.evaluation.provenance.record import utc_time
from cranfield.formats.schema import Schema
from cranfield.formats.writing import writing

_SCHEMA = Schema("cranfield.ledger", 1, "an entry of a ledger")
NAME_LENGTH = 16
"""How many digits of its hash the name of an entry has."""
CAUTION = "The ledger guards against accidents and forgetting, not against malice."

Kind = Literal["split", "look", "tune"]


@dataclass(frozen=True)
class RunSeen:
    """A run that was looked at."""

    name: str
    sha256: str


@dataclass(frozen=True)
class TopicsSeen:
    """Topics that were looked at, or set apart."""

    split: str
    count: int
    sha256: str
    """Of their names in byte order, one on each line."""
    names: tuple[str, ...] = ()
    """In byte order; an entry that does not have them is about topics that are not known."""

    def overlap(self, names: Iterable[str]) -> bool:
        """Whether some of these are among them, as far as is known.

        >>> TopicsSeen.of("test", ["q2", "q1"]).overlap(["q3"])
        False
        """
        return not self.names or not frozenset(names).isdisjoint(self.names)

    @classmethod
    def of(cls, split: str, names: Iterable[str]) -> TopicsSeen:
        """
        >>> TopicsSeen.of("test", ["q2", "q1"]).count
        2
        """
        lines = sorted(name.encode("utf-8", "surrogateescape") for name in names)
        sha256 = hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
        return cls(split, len(lines), sha256, tuple(line.decode("utf-8", "surrogateescape") for line in lines))


@dataclass(frozen=True)
class Entry:
    """What was done, when and with what."""

    kind: Kind
    what: str
    """The command."""
    topics: TopicsSeen
    qrels: str
    """The SHA-256 of the judgments."""
    runs: tuple[RunSeen, ...] = ()
    measures: tuple[str, ...] = ()
    time: str = ""
    parents: tuple[str, ...] = ()
    """The hashes of the entries that were the last."""

    def to_dict(self) -> dict[str, Any]:
        """As the file has it."""
        content = json.loads(json.dumps(asdict(self)))
        if not self.topics.names:
            del content["topics"]["names"]
        return {"schema": _SCHEMA.name, "version": _SCHEMA.version, **content}

    @cached_property
    def sha256(self) -> str:
        """Of the content, by which the entry is known."""
        return _hash(self.to_dict())


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with a ledger."""

    kind: Literal["edited", "missing", "unlinked"]
    entry: str
    """The name of the entry."""
    said: str


@dataclass(frozen=True)
class Ledger:
    """The entries of a workspace by their names, and the files that are none."""

    entries: Mapping[str, Entry]
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """By name, why."""

    @property
    def heads(self) -> tuple[str, ...]:
        """The hashes of the entries that no other names as its parent."""
        named = {name_of(parent) for entry in self.entries.values() for parent in entry.parents}
        return tuple(sorted(entry.sha256 for name, entry in self.entries.items() if name not in named))

    @property
    def in_order(self) -> list[Entry]:
        """Parents before children, earlier before later."""
        return [self.entries[name] for name in self.names_in_order]

    @property
    def names_in_order(self) -> list[str]:
        """The names of the entries as their files have them, in that order."""
        waiting = {
            name: {name_of(parent) for parent in entry.parents if name_of(parent) in self.entries}
            for name, entry in self.entries.items()
        }
        children: dict[str, list[str]] = {}
        for name, parents in waiting.items():
            for parent in parents:
                children.setdefault(parent, []).append(name)
        ready = [(self.entries[name].time, name) for name, parents in waiting.items() if not parents]
        heapq.heapify(ready)
        found = []
        while ready:
            _, name = heapq.heappop(ready)
            found.append(name)
            for child in children.get(name, ()):
                waiting[child].discard(name)
                if not waiting[child]:
                    heapq.heappush(ready, (self.entries[child].time, child))
        return found

    @property
    def looks(self) -> list[Entry]:
        """Those in which test topics were looked at."""
        return [entry for entry in self.in_order if entry.kind == "look"]

    def problems(self, *, known: Iterable[str] = (), quoted: Iterable[str] = ()) -> list[Problem]:
        """Entries that were edited, are missing, or do not hang together with the others.

        `known` are hashes of entries that have to be there, because the split names them, and `quoted` those of heads
        that stand in reports.
        """
        found = [Problem("edited", name, f"it cannot be read: {why}") for name, why in sorted(self.unreadable.items())]
        found += [
            Problem("edited", name, f"what is in it has the hash {name_of(entry.sha256)}, and not its name")
            for name, entry in sorted(self.entries.items())
            if name_of(entry.sha256) != name
        ]
        named: dict[str, str] = {}
        for name, entry in sorted(self.entries.items()):
            for parent in entry.parents:
                named.setdefault(name_of(parent), f"{name} names it as its parent")
        named |= {name_of(entry): "the split names it" for entry in known}
        named |= {name_of(head): "a report quotes it" for head in quoted}
        found += [
            Problem("missing", name, f"there is no such entry, and {why}")
            for name, why in sorted(named.items())
            if name not in self.entries and name not in self.unreadable
        ]
        begun = self._roots_of(map(name_of, known)) or set(self._first_root)
        return found + [
            Problem("unlinked", name, "it has no parent, and is not the entry that the ledger began with")
            for name, entry in sorted(self.entries.items())
            if not entry.parents and name not in begun
        ]

    @property
    def _first_root(self) -> list[str]:
        roots = sorted((entry.time, name) for name, entry in self.entries.items() if not entry.parents)
        return [name for _, name in roots[:1]]

    def _roots_of(self, names: Iterable[str]) -> set[str]:
        """The entries without parents from which these descend."""
        roots, waiting, seen = set(), list(names), set()
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.entries:
                continue
            seen.add(name)
            parents = self.entries[name].parents
            waiting += map(name_of, parents)
            roots |= set() if parents else {name}
        return roots


def name_of(sha256: str) -> str:
    """The name of the entry with this hash."""
    return sha256[:NAME_LENGTH]


def read_ledger(folder: Path) -> Ledger:
    """The ledger in a folder; an empty one where there is none. What cannot be read is in `unreadable`."""
    entries: dict[str, Entry] = {}
    unreadable: dict[str, str] = {}
    for file in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        try:
            entries[file.stem] = _parsed(file.read_bytes())
        except OSError as error:
            unreadable[file.stem] = error.strerror or str(error)
        except (FormatError, TypeError, KeyError, AttributeError) as error:
            unreadable[file.stem] = str(error) or type(error).__name__
    return Ledger(entries, unreadable)


def add_entry(folder: Path, entry: Entry) -> Entry:
    """Write an entry behind the heads of the ledger; what was there is never touched."""
    whole = Entry(**{**_fields(entry), "time": utc_time(time.time()), "parents": read_ledger(folder).heads})
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be made: {error.strerror or error}") from None
    with writing(folder / f"{name_of(whole.sha256)}.json") as out:
        out.write(json.dumps(whole.to_dict(), indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
    return whole


def _fields(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__dataclass_fields__}


def _parsed(content: bytes) -> Entry:
    whole = _SCHEMA.parse(content, "")
    return Entry(
        **{
            **whole,
            "topics": TopicsSeen(**{**whole["topics"], "names": tuple(map(str, whole["topics"].get("names", ())))}),
            "runs": tuple(RunSeen(**run) for run in whole["runs"]),
            "measures": tuple(whole["measures"]),
            "parents": tuple(map(str, whole["parents"])),
        }
    )


def _hash(content: Mapping[str, Any]) -> str:
    """Of the content and not of its bytes: what a repository does to the ends of lines changes nothing."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
