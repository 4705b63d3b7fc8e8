"""At which line of a TOML file a key is given its value, which `tomllib` does not tell."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from typing import Any

_HEADER = re.compile(r"\s*(?P<list>\[)?\[(?P<path>[^\[\]]+)\]{1,2}\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*(?P<path>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_QUOTES = re.compile(r'"""|' + "'''")

Path = tuple[str, ...]


class TomlLines:
    """The lines of the keys and tables of a TOML file.

    >>> lines = TomlLines("name = 'soup'\\n\\n[systems.bm25]\\nk1 = 0.9\\nsearch = {k = 10}\\n")
    >>> lines.of("systems", "bm25", "k1"), lines.of("systems", "bm25")
    (4, 3)

    What stands inside a line is at that line, and what cannot be seen is nowhere.

    >>> lines.of("systems", "bm25", "search", "k"), lines.of("splits")
    (5, None)

    Of a list of tables, each is found by its number.

    >>> TomlLines("[[grades]]\\nvalue = 1\\n[[grades]]\\nvalue = 0\\n").of("grades", "1", "value")
    4
    """

    def __init__(self, text: str) -> None:
        self._found: dict[Path, int] = {}
        tables: list[Path] = [()]
        listed: Counter[Path] = Counter()
        inside_text = False
        for number, line in enumerate(text.splitlines(), 1):
            if not inside_text:
                if header := _HEADER.match(line):
                    tables = [_path(header["path"])]
                    if header["list"]:  # known by its number, and without one for the first
                        listed[tables[0]] += 1
                        tables.append((*tables[0], str(listed[tables[0]] - 1)))
                    self._note(tables, (), number)
                elif key := _KEY.match(line):
                    self._note(tables, _path(key["path"]), number)
            # A text of several lines begins or ends where its quotes are there an odd number of times.
            inside_text ^= len(_QUOTES.findall(line)) % 2 == 1

    def of(self, *keys: str) -> int | None:
        """The line of a key, or of the nearest table around it; None if neither is to be seen."""
        return next((self._found[keys[:end]] for end in range(len(keys), 0, -1) if keys[:end] in self._found), None)

    def _note(self, tables: Sequence[Path], key: Path, number: int) -> None:
        for path in (table + key for table in tables):
            for end in range(1, len(path) + 1):
                self._found.setdefault(path[:end], number)


def error_line(error: tomllib.TOMLDecodeError) -> int | None:
    """The line at which a file is no TOML; None where that is its end.

    >>> try:
    ...     tomllib.loads("a = 1\\nb = ?")
    ... except tomllib.TOMLDecodeError as error:
    ...     error_line(error)
    2
    """
    found = re.search(r"at line (\d+)", str(error))
    return int(found[1]) if found else None


def _path(dotted: str) -> Path:
    """The parts of a key with dots; one that `tomllib` does not take has none."""
    try:
        table: Any = tomllib.loads(f"{dotted} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    parts: list[str] = []
    while isinstance(table, dict):
        ((name, table),) = table.items()
        parts.append(name)
    return tuple(parts)


def dotted(keys: Sequence[str]) -> str:
    """A key as one writes it.

    >>> dotted(["systems", "bm25", "k1"])
    'systems.bm25.k1'
    """
    return ".".join(key if re.fullmatch(r"[\w-]+", key) else f'"{key}"' for key in keys)
