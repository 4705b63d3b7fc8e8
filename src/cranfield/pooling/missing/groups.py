"""Which runs belong together: those of one participant, of one kind, of one engine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.strings import Ints
from cranfield.errors import DataError, FormatError, UsageError, did_you_mean


@dataclass(frozen=True, eq=False)
class RunGroups:
    """The groups of runs; a run that is in none stands alone, under its own name."""

    names: tuple[str, ...]
    of_run: Ints
    """The number of each run's group."""

    @classmethod
    def alone(cls, runs: Sequence[str]) -> RunGroups:
        """Every run by itself."""
        return cls(tuple(runs), np.arange(len(runs)))

    @classmethod
    def of(cls, runs: Sequence[str], groups: Mapping[str, str]) -> RunGroups:
        """From the group of each run that is in one.

        >>> found = RunGroups.of(["a1", "b", "a2"], {"a1": "team a", "a2": "team a"})
        >>> found.names, found.of_run.tolist()
        (('team a', 'b'), [0, 1, 0])
        """
        label = [groups.get(run, run) for run in runs]
        clash = next((run for run in runs if run not in groups and run in groups.values()), None)
        if clash is not None:
            raise UsageError(f"{clash} is the name of a group and of a run that is not in it; call the group otherwise")
        names = tuple(dict.fromkeys(label))
        number = {name: at for at, name in enumerate(names)}
        return cls(names, np.array([number[name] for name in label], dtype=np.int64))

    @property
    def several(self) -> bool:
        """Whether some group has more than one run."""
        return len(self.names) < len(self.of_run)

    def __len__(self) -> int:
        return len(self.names)


def read_groups(given: Iterable[str], runs: Sequence[str]) -> RunGroups:
    """Groups from texts: `name=prefix`, the runs whose names begin so, or a file with a line `run group` for each run.

    >>> read_groups(["neural=d"], ["bm25", "dense", "dpr"]).names
    ('bm25', 'neural')
    """
    groups: dict[str, str] = {}
    for text in given:
        name, sign, prefix = text.partition("=")
        if sign and not os.path.exists(text):
            found = {run: name for run in runs if prefix and run.startswith(prefix)}
            if not found or not name:
                raise UsageError(
                    f"--groups {text}: no run has a name that begins {prefix!r}. The runs are {', '.join(runs)}"
                    if name and prefix
                    else f"--groups {text}: expected name=prefix, or a file"
                )
        else:
            found = _of_file(text, runs)
        for run, group in found.items():
            if groups.setdefault(run, group) != group:
                raise UsageError(f"--groups: {run} is in {groups[run]} and in {group}; a run has one group")
    return RunGroups.of(runs, groups)


def _of_file(path: str, runs: Sequence[str]) -> dict[str, str]:
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}. --groups takes name=prefix, or a file") from None
    except UnicodeDecodeError:
        raise FormatError("expected lines `run group` in UTF-8", source=path) from None
    known, found = set(runs), dict[str, str]()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t") if "\t" in line else line.split()
        if len(fields) != 2:
            raise FormatError(f"expected a run and its group, found {len(fields)} fields", source=path, line=number)
        run, group = (field.strip() for field in fields)
        if run not in known:
            raise FormatError(f"{run!r} is none of the runs{did_you_mean(run, runs)}", source=path, line=number)
        if found.setdefault(run, group) != group:
            raise FormatError(f"{run} is in {found[run]} and in {group}; a run has one group", source=path, line=number)
    if not found:
        raise FormatError("there is no line `run group` in it", source=path)
    return found
