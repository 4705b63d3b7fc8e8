"""A result that was written down: what `evaluate --format json` printed, read back and checked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, get_args

from cranfield.data.strings import decode
from cranfield.errors import CranfieldError, DataError, FormatError
from cranfield.evaluation.best_possible import NAME as BEST_POSSIBLE
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.judgments_given import RELEVANCE
from cranfield.evaluation.provenance.origin import Input, Role
from cranfield.evaluation.result import SCHEMA
from cranfield.formats.files import open_source
from cranfield.measures import Measure, parse_one

_NAMED_FILES = frozenset({"intents", "costs"})
"""Settings that name a file."""
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class RecordedRun:
    """What is written down about a run."""

    name: str
    values: Mapping[str, Any]
    """Under `mean`, `per_query` and whatever else has values."""
    coverage: Mapping[str, Any]

    @property
    def is_best_possible(self) -> bool:
        """Whether it is not a run but the best ranking there could be."""
        return self.name == BEST_POSSIBLE


@dataclass(frozen=True)
class RecordedResult:
    """Values, and how they were made."""

    name: str
    """What messages call it."""
    path: str | None
    profile: str
    settings: Mapping[str, Any]
    measures: tuple[Measure, ...]
    runs: tuple[RecordedRun, ...]
    standardised: bool
    provenance: Mapping[str, Any]
    """The record as it stands; empty if there is none."""
    inputs: tuple[Input, ...]

    @classmethod
    def read(cls, result: Any) -> RecordedResult:
        """From a path, `-`, a file object, or what `Evaluation.to_dict` gives."""
        if isinstance(result, Mapping):
            return cls._checked(result, "the result", None)
        if not is_file(result):
            raise DataError(
                f"a result is a file that `cranfield evaluate --format json` wrote, or what to_dict() gives, not "
                f"{type(result).__name__}"
            )
        with open_source(result) as source:
            path = os.fspath(result) if isinstance(result, (str, os.PathLike)) and os.fspath(result) != "-" else None
            return cls._checked(_parsed(decode(source.read()), source.name), source.name, path)

    @classmethod
    def _checked(cls, whole: Any, name: str, path: str | None) -> RecordedResult:
        _check_schema(whole, name)
        look = _Reader(name)
        settings = look.at(whole, "settings", Mapping)
        coverage = look.at(whole, "coverage", Mapping)
        runs = look.at(whole, "runs", list)
        provenance = look.at(whole, "provenance", Mapping, {})
        if not runs:
            raise look.error("it has no run")
        return cls(
            name=name,
            path=path,
            profile=look.at(whole, "profile", str),
            settings=look.settings(settings, provenance),
            measures=look.measures(look.at(whole, "measures", list)),
            runs=tuple(look.run(run, coverage) for run in runs),
            standardised=look.at(whole, "standardised", bool, False),
            provenance=provenance,
            inputs=tuple(look.input(one) for one in look.at(provenance, "inputs", list, [])),
        )

    @property
    def version(self) -> str | None:
        """Of the package that made it."""
        version = self.provenance.get("cranfield")
        return version if isinstance(version, str) else None

    @property
    def keywords(self) -> dict[str, Any]:
        """The settings that `Evaluator` takes, but for what has to be read."""
        formats = {"qrels_format": self._format("qrels"), "run_format": self._format("run")}
        return {**{name: value for name, value in self.settings.items() if name not in _NAMED_FILES}, **formats}

    def _format(self, role: Role) -> str | None:
        return next((source.format for source in self.inputs if source.role == role), None)

    def needs(self, role: Role) -> bool:
        """Whether something of this role was read."""
        said = role in _NAMED_FILES and role in self.settings
        return role == "qrels" or said or (role == "reference" and self.standardised)

    def input(self, role: Role, run: str | None = None) -> Input | None:
        """The record of what was read, if there is one; of a run by its name."""
        found = (source for source in self.inputs if source.role == role and source.run == run)
        return next(found, None)

    def contradictions(self) -> list[str]:
        """Where the record says something else than the result itself: someone has edited one of the two."""
        profile = self.provenance.get("profile", {})
        stand_twice = {
            "profile": (self.profile, profile.get("name") if isinstance(profile, Mapping) else profile),
            "settings": (self.settings, self.provenance.get("settings")),
            "measures": ([str(measure) for measure in self.measures], self.provenance.get("measures")),
        }
        if not self.provenance:
            return []
        return [f"{key} and provenance.{key} differ" for key, (first, second) in stand_twice.items() if first != second]


def _parsed(text: str, name: str) -> Any:
    from cranfield.formats.json_values import load

    if not text.strip():
        raise FormatError("the file is empty", source=name)
    try:
        return load(text)
    except ValueError as error:
        reason, line = getattr(error, "msg", str(error)), getattr(error, "lineno", None)
        if not text.lstrip().startswith("{") or reason == "Extra data":
            raise FormatError(
                "this is not JSON, and so no result of `cranfield evaluate --format json`. The result comes first, "
                "then judgments and runs.",
                source=name,
            ) from None
        whole = text.rstrip().endswith("}")
        advice = "Was it edited by hand?" if whole else "It ends too early: was it cut off?"
        raise FormatError(f"this is not valid JSON: {reason}. {advice}", source=name, line=line) from None


def _check_schema(whole: Any, name: str) -> None:
    known, _, version = SCHEMA.rpartition("/")
    found = whole.get("schema") if isinstance(whole, Mapping) else None
    if not isinstance(found, str) or not found.startswith("cranfield."):
        raise DataError(
            f"{name}: this is no result of `cranfield evaluate --format json`, which has a schema {SCHEMA!r}"
        )
    kind, _, its_version = found.rpartition("/")
    if kind != known:
        raise DataError(f"{name}: this has the schema {found!r}; verify reads {SCHEMA!r}, which evaluate writes")
    if its_version != version:
        raise DataError(
            f"{name}: the schema is {found!r}, and this version of Cranfield knows {SCHEMA!r}. Take the version that "
            f"wrote it."
        )


class _Reader:
    """Takes a result apart; what is not as it should be is an error that says where."""

    def __init__(self, name: str) -> None:
        self._name = name

    def error(self, reason: str) -> DataError:
        return DataError(f"{self._name}: {reason}. Was it edited by hand?")

    def at(self, whole: Mapping[str, Any], key: str, kind: type, otherwise: Any = None) -> Any:
        value = whole.get(key, otherwise)
        if not isinstance(value, kind):
            found = "missing" if key not in whole else f"{type(value).__name__}"
            raise self.error(f"{key!r} is {found}; expected {_KINDS[kind]}")
        return value

    def settings(self, settings: Mapping[str, Any], provenance: Mapping[str, Any]) -> Mapping[str, Any]:
        known = {*signature(Evaluator).parameters, *_NAMED_FILES}
        for key in settings:
            if key not in known:
                made = f" It was made by version {provenance['cranfield']}." if "cranfield" in provenance else ""
                raise DataError(f"{self._name}: this version does not know the setting {key!r}.{made}")
        if settings.get("relevance", "qrels") not in RELEVANCE:
            raise self.error(f"relevance is {settings['relevance']!r}; expected one of {', '.join(RELEVANCE)}")
        return settings

    def measures(self, names: Iterable[Any]) -> tuple[Measure, ...]:
        """The measures; what a name does not say is the default, whatever a profile would say in its place."""
        try:
            measures = [parse_one(str(name)) for name in names]
        except CranfieldError as error:
            raise DataError(f"{self._name}: {error}") from None
        return tuple(replace(measure, named=frozenset(measure.definition.parameters)) for measure in measures)

    def run(self, run: Any, coverage: Mapping[str, Any]) -> RecordedRun:
        if not isinstance(run, Mapping) or not isinstance(run.get("name"), str):
            raise self.error("one of 'runs' has no name")
        values = {key: value for key, value in run.items() if key not in ("name", "tag")}
        if not values or not all(isinstance(value, Mapping) for value in values.values()):
            raise self.error(f"run {run['name']!r} has no values")
        return RecordedRun(run["name"], values, coverage.get(run["name"], {}))

    def input(self, one: Any) -> Input:
        if (
            not isinstance(one, Mapping)
            or one.get("role") not in get_args(Role)
            or not isinstance(one.get("name"), str)
        ):
            raise self.error("one of 'provenance.inputs' has no role and name")
        sha256 = one.get("sha256")
        if not (sha256 is None or (isinstance(sha256, str) and _SHA256.fullmatch(sha256))):
            raise self.error(f"{one['name']}: 'sha256' is {sha256!r:.70}; expected 64 hexadecimal digits")
        hash_of = one.get("hash_of", "bytes")
        if hash_of not in ("bytes", "content"):
            raise self.error(f"{one['name']}: 'hash_of' is {hash_of!r}; expected 'bytes' or 'content'")
        return Input(one["role"], one["name"], one.get("run"), one.get("format"), hash_of, sha256, one.get("bytes"))


_KINDS: Mapping[type, str] = {Mapping: "an object", list: "a list", str: "text", bool: "true or false"}
