"""Reading `cranfield.toml`: what is unknown, missing or of the wrong kind is an error that says the line."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn, cast

from cranfield.engines import ENGINES
from cranfield.engines.configuration import refuse_secrets
from cranfield.errors import DataError, FormatError, ParameterError, UnknownMeasureError, did_you_mean
from cranfield.experiments.finding import FILE
from cranfield.experiments.workspace import GivenRun, System, Workspace
from cranfield.formats import run_name
from cranfield.formats.collections.reading import Ways
from cranfield.formats.toml_lines import TomlLines, dotted, error_line

VERSION = 1
KEYS = (
    *("version", "name", "collection", "topics", "qrels", "scale", "measures"),
    *("systems", "search", "reading", "splits"),
)
SEARCH_KEYS = ("fields", "k")

Table = Mapping[str, Any]


def read_workspace(path: str | os.PathLike[str]) -> Workspace:
    """The workspace in a folder, or that a `cranfield.toml` describes."""
    file = Path(os.path.abspath(path))
    if file.is_dir():
        file /= FILE
    return _Reader(file).workspace()


class _Reader:
    """One file, and what to say of it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.source = min(str(file), os.path.relpath(file), key=len)
        try:
            text = file.read_bytes().decode("utf-8")
            self.content: dict[str, Any] = tomllib.loads(text)
        except OSError as error:
            advice = " `cranfield init` makes one." if isinstance(error, FileNotFoundError) else ""
            raise DataError(f"{self.source}: cannot be read: {error.strerror or error}.{advice}") from None
        except UnicodeDecodeError:
            raise FormatError("this is no text in UTF-8; expected TOML", source=self.source) from None
        except tomllib.TOMLDecodeError as error:
            raise FormatError(f"this is no TOML: {error}", source=self.source, line=error_line(error)) from None
        self.lines = TomlLines(text)

    def workspace(self) -> Workspace:
        self.check_version()
        self.check_keys((), KEYS)
        systems = self.table("systems")
        fields, k = self.search(("search",), self.table("search"), ((), 1000))
        return Workspace(
            root=self.file.parent,
            name=self.text("name") or self.file.parent.name,
            collection=self.text("collection") or self.lacks("collection", "a folder or file of documents"),
            topics=self.text("topics"),
            qrels=self.text("qrels"),
            scale=self.text("scale"),
            measures=self.measures(),
            systems={name: self.system(name, (fields, k)) for name in systems},
            splits=self.table("splits"),
            reading=self.reading(),
            lines=self.lines,
        )

    def check_version(self) -> None:
        version = self.content.get("version")
        if version is None:
            self.lacks("version", f"version = {VERSION}")
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            self.fail(("version",), f"is {version!r}; this cranfield reads version {VERSION}")
        if version > VERSION:
            self.fail(
                ("version",),
                f"is {version}, and this cranfield reads version {VERSION}: it was written for a later one "
                "(pip install --upgrade cranfield)",
            )

    def check_keys(self, above: tuple[str, ...], known: Iterable[str]) -> None:
        known = list(known)
        for name in self.at(above):
            if name not in known:
                near = did_you_mean(name, known)
                self.fail((*above, name), f"there is no such key{near} There are: {', '.join(known)}")

    def measures(self) -> tuple[str, ...]:
        from cranfield.measures import parse_all

        found = self.texts(("measures",))
        try:
            parse_all(found)
        except UnknownMeasureError as error:
            self.fail(("measures",), str(error))
        return found

    def system(self, name: str, usual: tuple[tuple[str, ...], int]) -> System:
        above = ("systems", name)
        if not re.fullmatch(r"\w[\w.+-]*", name):
            self.fail(above, "the name of a system is also that of its files: letters, digits and . + - _")
        table = self.table(*above)
        if "run" in table:
            return System.of_run(name, self.given_run(name, table))
        engine = table.get("engine")
        if not isinstance(engine, str):
            self.fail(above, f'there is no engine = "...", and no run = "...". Engines are {", ".join(ENGINES)}')
        if engine not in ENGINES:
            near = did_you_mean(engine, ENGINES)
            self.fail((*above, "engine"), f"unknown engine {engine!r}{near} There are: {', '.join(ENGINES)}")
        parameters = {key: value for key, value in table.items() if key not in ("engine", "search")}
        refuse_secrets(parameters, lambda path: self.where((*above, *path.split("."))))
        fields, k = self.search((*above, "search"), self.table(*above, "search"), usual)
        return System(name, engine, parameters, fields, k)

    def given_run(self, name: str, table: Table) -> GivenRun:
        """A run that was made elsewhere, in the place of an engine."""
        above = ("systems", name)
        if "engine" in table:
            self.fail(above, "has both engine and run: it is searched here, or is a run that was made elsewhere")
        self.check_keys(above, ("run", "sha256"))
        file, sha256 = (table.get(key) for key in ("run", "sha256"))
        if not isinstance(file, str) or not file.strip():
            self.fail((*above, "run"), f"is {file!r}; expected the name of a file")
        if run_name(file) != name:
            self.fail(
                (*above, "run"), f"is {file!r}: tables name runs by their files, so call the system {run_name(file)}"
            )
        if sha256 is not None and not re.fullmatch("[0-9a-f]{64}", str(sha256)):
            self.fail((*above, "sha256"), f"is {sha256!r}; expected 64 digits from 0 to f, as sha256sum prints them")
        return GivenRun(file, sha256)

    def search(
        self, above: tuple[str, ...], table: Table, usual: tuple[tuple[str, ...], int]
    ) -> tuple[tuple[str, ...], int]:
        """The fields of topics that are searched for, and how many documents are wanted."""
        self.check_keys(above, SEARCH_KEYS)
        fields, k = usual
        if "fields" in table:
            fields = self.texts((*above, "fields"))
        if "k" in table:
            k = table["k"]
            if isinstance(k, bool) or not isinstance(k, int) or k < 1:
                self.fail((*above, "k"), f"is {k!r}; expected a whole number of at least 1")
        return fields, k

    def reading(self) -> Ways:
        """How files are read: `[reading]` has what the options of commands that read files are called."""
        table = self.table("reading")
        if not table:
            return {}
        from cranfield.formats import documents, topics
        from cranfield.formats.documents.encodings import known_encoding

        words = {"documents_format": documents.FORMATS, "topics_format": topics.FORMATS, "ids": documents.IDS}
        self.check_keys(("reading",), Ways.__annotations__)
        for key, value in table.items():
            if not isinstance(value, str):
                self.fail(("reading", key), f"is {value!r}; expected a text")
            if key in words and value not in words[key]:
                there = f"{did_you_mean(value, words[key])} There are: {', '.join(words[key])}"
                self.fail(("reading", key), f"is {value!r}, which is not known{there}")
            if key == "encoding":
                try:
                    known_encoding(value)
                except ParameterError as error:
                    self.fail(("reading", key), str(error))
        return cast(Ways, dict(table))

    def at(self, keys: Iterable[str]) -> Table:
        table: Any = self.content
        for key in keys:
            table = table.get(key, {})
        return table  # type: ignore[no-any-return]

    def table(self, *keys: str) -> Table:
        found = self.at(keys)
        if not isinstance(found, Mapping):
            self.fail(keys, f"is {found!r}; expected a table, [{dotted(keys)}]")
        return found

    def text(self, key: str) -> str | None:
        value = self.content.get(key)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            self.fail((key,), f"is {value!r}; expected a text")
        return value

    def texts(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        value = self.at(keys[:-1]).get(keys[-1], ())
        if isinstance(value, str) or not all(isinstance(item, str) for item in _items(value)):
            self.fail(keys, f'is {value!r}; expected a list of texts, such as ["..."]')
        return tuple(value)

    def lacks(self, key: str, expected: str) -> NoReturn:
        raise FormatError(f"there is no {key} = ...; expected {expected}", source=self.source)

    def fail(self, keys: tuple[str, ...], reason: str) -> NoReturn:
        raise FormatError(f"{dotted(keys)}: {reason}", source=self.source, line=self.lines.of(*keys))

    def where(self, keys: tuple[str, ...]) -> str:
        line = self.lines.of(*keys)
        return f"{self.source}:{line}: {dotted(keys)}" if line else f"{self.source}: {dotted(keys)}"


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
