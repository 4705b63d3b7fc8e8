"""The documents of the demonstration, as JSON lines on standard output: the docstrings of the standard library.

`material.py` runs this file as a program, by `python -I`: it imports every public module of the standard library, which
would leave traces in a process that goes on. So nothing of Cranfield is imported here.

A document has an `id`, its words as `name`, the docstring as `text`, and the first line of that as `title`. Judgments
are about ids, so that these rules must not change:

- A module is called by its name (`csv`), and the module of paths `os.path` on every system that has it as `posixpath`.
- A function or class is called by the module and its name (`csv.DictReader`), or by its name alone if it is built in
  (`sorted`). A module has the functions and classes that its `__all__` lists; without one, those that it defines or has
  from a module whose name begins with an underscore.
- A method or property is called by its class and its name (`str.split`), if the class defines it itself.
- What several modules export has one id: that with the module of the fewest dots; among these the module that defines
  it; then the first in alphabetical order.
- What begins with an underscore and is in no `__all__`, and what has no docstring, is no document.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple

_LEFT_OUT = {
    # Importing them does something.
    *("__main__", "antigravity", "site", "this"),
    # Programs, tests, and what is there for other systems or by its other name.
    *(
        "ensurepip",
        "idlelib",
        "lib2to3",
        "pydoc_data",
        "rlcompleter",
        "test",
        "tkinter",
        "turtle",
        "turtledemo",
        "venv",
    ),
    *("ctypes.macholib", "genericpath", "msilib", "multiprocessing.dummy", "ntpath", "nturl2path", "posix", "readline"),
    # Gone in later versions, or on their way.
    *("asynchat", "asyncore", "distutils", "imp", "smtpd", "sre_compile", "sre_constants", "sre_parse"),
}
_TESTS = {"test", "tests"}
_WITHOUT_SUBMODULES = {"encodings"}
_OTHER_NAMES = {"posixpath": "os.path"}


class Module(NamedTuple):
    """A module under its name, with its public functions and classes."""

    name: str
    module: ModuleType
    members: list[tuple[str, Any]]


class _Place(NamedTuple):
    """Where an object is exported; the least is where its id comes from."""

    dots: int
    elsewhere: bool
    """Whether another module defines it."""
    module: str
    name: str


def iter_modules(names: Iterable[str], package: str = "") -> Iterator[tuple[str, ModuleType]]:
    """The public modules among these that can be imported here, each with those below it."""
    for name in sorted(names):
        full = package + name
        if name.startswith("_") or full in _LEFT_OUT or name in _TESTS:
            continue
        module = _imported(full)
        if module is None:
            continue
        yield _OTHER_NAMES.get(full, full), module
        if hasattr(module, "__path__") and name not in _WITHOUT_SUBMODULES:
            yield from iter_modules([below.name for below in pkgutil.iter_modules(module.__path__)], f"{full}.")


def _imported(name: str) -> ModuleType | None:
    """The module; None if this system lacks what it needs."""
    try:
        return importlib.import_module(name)
    except Exception:  # whatever it is that keeps one module away, the others are there
        return None


def members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The public functions and classes of a module, in alphabetical order."""
    listed = getattr(module, "__all__", None)
    for name in sorted(listed if listed is not None else (name for name in vars(module) if name[:1] != "_")):
        found = getattr(module, name, None)
        if not (inspect.isroutine(found) or inspect.isclass(found)):
            continue
        home = getattr(found, "__module__", None) or module.__name__
        if listed is not None or home == module.__name__ or home.startswith("_"):
            yield name, found


def text(documented: object) -> str:
    """The docstring without its indentation; empty if there is none."""
    docstring = getattr(documented, "__doc__", None)
    return inspect.cleandoc(docstring).strip() if isinstance(docstring, str) else ""


def words(identifier: str) -> str:
    """The words of a name, for those who search by words.

    >>> words("collections.OrderedDict.move_to_end")
    'collections Ordered Dict move to end'
    """
    parts = (part for part in re.split(r"[._]+", identifier) if part)
    return " ".join(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", part) for part in parts)


def places(modules: Iterable[Module]) -> dict[int, _Place]:
    """Where each object has its id from, by its identity."""
    best: dict[int, _Place] = {}
    for one in modules:
        for name, found in one.members:
            elsewhere = getattr(found, "__module__", None) != one.module.__name__
            place = _Place(one.name.count("."), elsewhere, one.name, name)
            best[id(found)] = min(place, best.get(id(found), place))
    return best


def docstrings(modules: Sequence[Module]) -> Iterator[tuple[str, str]]:
    """Ids and texts; an id may come again, and then the first one counts."""
    best = places(modules)
    for one in modules:
        yield one.name, text(one.module)
        for name, found in one.members:
            place = best[id(found)]
            if (place.module, place.name) != (one.name, name):
                continue
            identifier = name if one.name == "builtins" else f"{one.name}.{name}"
            yield identifier, text(found)
            if inspect.isclass(found):
                yield from _of_class(identifier, found)


def _of_class(identifier: str, found: type) -> Iterator[tuple[str, str]]:
    """The methods and properties that a class defines itself."""
    for name, value in sorted(vars(found).items()):
        plain = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
        if not name.startswith("_") and (inspect.isroutine(plain) or inspect.isdatadescriptor(plain)):
            yield f"{identifier}.{name}", text(plain)


def main() -> None:
    """Print the documents."""
    warnings.simplefilter("ignore")
    imported = list(iter_modules(sys.stdlib_module_names))
    # Some modules have their members only when others have been imported: so all first.
    modules = [Module(name, module, list(members(module))) for name, module in imported]
    written: set[str] = set()
    for identifier, found in docstrings(modules):
        if found and identifier not in written:
            written.add(identifier)
            first_line = found.partition("\n")[0].strip()
            document = {"id": identifier, "title": first_line, "name": words(identifier), "text": found}
            sys.stdout.write(json.dumps(document) + "\n")


if __name__ == "__main__":
    main()
