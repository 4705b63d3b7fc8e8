"""Which engine is meant: the folder of an index, or a file that says which engine and how it is reached."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cranfield.engines import ENGINES, engine_class, make_engine
from cranfield.engines.engine import Engine
from cranfield.engines.environment import sounds_secret
from cranfield.engines.index_record import FILE, IndexedCollection, is_index, read_index_record
from cranfield.engines.parameters import list_parameters, parameter_names
from cranfield.errors import FormatError, ParameterError, UsageError, did_you_mean
from cranfield.formats.toml_lines import TomlLines


@dataclass(frozen=True)
class Configuration:
    """An engine that can be made: its kind and parameters, and where it is from."""

    kind: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = None
    """Where its index is, if it keeps that in files."""
    collection: IndexedCollection | None = None
    """What was indexed, where that is known."""
    source: str = ""
    """The file or folder it is from."""

    def make(self) -> Engine:
        """The engine."""
        if self.folder is None and engine_class(self.kind).embedded:
            raise UsageError(
                f"{self.source}: the engine {self.kind} keeps its index in a folder: make one with `cranfield index "
                f"--engine {self.source}`, and search that"
            )
        return make_engine(self.kind, self.settings, folder=self.folder)

    def with_settings(self, settings: Mapping[str, Any]) -> Configuration:
        """The same with other parameters."""
        refuse_secrets(settings, lambda path: f"--set {path}")
        return replace(self, settings={**self.settings, **settings})

    def with_texts(self, given: Sequence[str]) -> Configuration:
        """The same with parameters from `name=value` texts; a list may be written with commas.

        >>> Configuration("bm25").with_texts(["fields=title,body", "k1=0.9"]).settings
        {'fields': ['title', 'body'], 'k1': 0.9}
        """
        lists = list_parameters(engine_class(self.kind))
        return self.with_settings(
            {
                name: [part.strip() for part in value.split(",")] if name in lists and isinstance(value, str) else value
                for name, value in parse_settings(given).items()
            }
        )


def open_configuration(location: str | os.PathLike[str]) -> Configuration:
    """The engine that a folder or a file is about."""
    path = Path(location)
    if path.is_dir():
        if not (path / FILE).is_file():
            raise UsageError(f"{path}: there is no index here (no {FILE}): make one with `cranfield index`")
        record = read_index_record(path)
        return Configuration(record.engine, record.settings, path, record.collection, str(path))
    if not path.exists():
        hint = f" {path} is an engine; an index of it is made with `cranfield index`." if str(path) in ENGINES else ""
        raise UsageError(f"{path}: there is no such file or folder.{hint}")
    return read_configuration(path)


def open_engine(location: str | os.PathLike[str], **settings: Any) -> Engine:
    """The engine of an index, or the one that a TOML file describes, perhaps with other parameters."""
    return open_configuration(location).with_settings(settings).make()


def engine_settings(engine: str, given: Sequence[str] = ()) -> tuple[str, dict[str, Any]]:
    """The kind and the parameters of an engine that is named, or described in a file; `given` are `key=value` texts.

    >>> engine_settings("bm25", ["k1=1.2"])
    ('bm25', {'k1': 1.2})
    """
    found = Configuration(engine) if engine in ENGINES else None
    if found is None and not Path(engine).is_file():
        raise UsageError(
            f"unknown engine {engine!r}{did_you_mean(engine, ENGINES)} There are: {', '.join(ENGINES)}; or name a TOML "
            f"file that describes one"
        )
    found = (found or read_configuration(engine)).with_texts(given)
    return found.kind, dict(found.settings)


def read_configuration(path: str | os.PathLike[str]) -> Configuration:
    """The engine that a TOML file describes: `engine = "..."` and its parameters.

    Names that are not known, and secrets that stand there in clear, are errors that say the line.
    """
    source = os.fspath(path)
    try:
        text = Path(path).read_bytes().decode("utf-8")
        content = tomllib.loads(text)
    except OSError as error:
        raise UsageError(f"{source}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise FormatError("this is no text in UTF-8; expected TOML with engine = ...", source=source) from None
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"this is no TOML: {error}", source=source) from None
    lines = TomlLines(text)
    kind = content.pop("engine", None)
    if not isinstance(kind, str):
        raise FormatError(f'there is no engine = "..."; it is one of {", ".join(ENGINES)}', source=source)

    def where(keys: str) -> str:
        line = lines.of(*keys.split("."))
        return f"{source}:{line}: {keys}" if line else f"{source}: {keys}"

    if kind not in ENGINES:
        raise FormatError(
            f"unknown engine {kind!r}{did_you_mean(kind, ENGINES)}", source=source, line=lines.of("engine")
        )
    refuse_secrets(content, where)
    folder = content.pop("folder", None) if engine_class(kind).embedded else None
    known = parameter_names(engine_class(kind))
    for name in content:
        if name not in known:
            there = f"{did_you_mean(name, known)} There are: {', '.join(known)}"
            raise ParameterError(f"{where(name)}: the engine {kind} has no such parameter{there}")
    if folder is None:
        return Configuration(kind, content, source=source)
    if not isinstance(folder, str):
        raise ParameterError(f"{where('folder')} is {folder!r}; expected a text")
    place = Path(source).parent / folder
    indexed = read_index_record(place).collection if is_index(place) else None
    return Configuration(kind, content, place, indexed, source)


def parse_settings(given: Sequence[str]) -> dict[str, Any]:
    """Parameters from `key=value` texts; values as TOML has them, and what is none of these is a text.

    >>> parse_settings(["k1=1.2", "stem=false", "url=http://localhost", 'fields=["title"]', "headers.X-User.env=ME"])
    {'k1': 1.2, 'stem': False, 'url': 'http://localhost', 'fields': ['title'], 'headers': {'X-User': {'env': 'ME'}}}
    """
    settings: dict[str, Any] = {}
    for text in given:
        path, sign, value = text.partition("=")
        keys = path.strip().split(".")
        if not sign or not all(keys):
            raise UsageError(f"--set {text}: expected name=value")
        table = settings
        for key in keys[:-1]:
            table = table.setdefault(key, {})
            if not isinstance(table, dict):
                raise UsageError(f"--set {text}: {key} has a value already")
        table[keys[-1]] = _value(value.strip())
    return settings


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def refuse_secrets(settings: Mapping[str, Any], where: Callable[[str], str]) -> None:
    """An error for a password or the like that stands there in clear; `where` says where a key is."""
    for path, value in _texts(settings):
        name = path.rpartition(".")[2]
        if sounds_secret(name) and path.partition(".")[0] in (name, "headers"):
            raise ParameterError(
                f"{where(path)}: a secret does not belong in a file or on a command line. Put it in an environment "
                f'variable and write {name} = {{env = "NAME"}}'
            )
        if _has_password(value):
            raise ParameterError(
                f"{where(path)}: there is a password in it. Take it out, and give the engine its secret by an "
                f"environment variable"
            )


def _texts(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Every text, with its path; names of environment variables are none."""
    for name, value in table.items():
        path = f"{above}{name}"
        if isinstance(value, Mapping) and list(value) != ["env"]:
            yield from _texts(value, f"{path}.")
        elif isinstance(value, str):
            yield path, value


def _has_password(text: str) -> bool:
    """Whether a text is an address with a password, or a connection string of PostgreSQL with one.

    >>> [
    ...     _has_password(text)
    ...     for text in ("http://me:secret@host/", "host=db password=x", "a question about a password")
    ... ]
    [True, True, False]
    """
    if re.search(r"(?:^|\s)password\s*=\s*\S", text):
        return True
    try:
        return "://" in text and bool(urlsplit(text).password)
    except ValueError:
        return False
