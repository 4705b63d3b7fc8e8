"""Functions of the user's own, named in a configuration as `module:function` or `file.py:function`."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from cranfield.errors import EngineError, ParameterError, did_you_mean
from cranfield.evaluation.provenance.fingerprints import of_file


def find_callable(parameter: str, named: object) -> Callable[..., Any]:
    """The function of this name; one that is given as such is taken as it is.

    >>> find_callable("function", "math:sqrt")(9.0)
    3.0
    >>> find_callable("function", "math:flor")
    Traceback (most recent call last):
    ...
    cranfield.errors.ParameterError: function is 'math:flor', and there is no 'flor' in 'math'. Did you mean floor?
    """
    if callable(named):
        return named
    if not isinstance(named, str) or not all(parts := named.rpartition(":")):
        raise ParameterError(f"{parameter} is {named!r}; expected module:function or file.py:function")
    module_name, _, name = parts
    found: Any = _imported(parameter, module_name)
    for part in name.split("."):
        if not hasattr(found, part):
            near = did_you_mean(part, vars(found)) if hasattr(found, "__dict__") else "."
            raise ParameterError(f"{parameter} is {named!r}, and there is no {part!r} in {module_name!r}{near}")
        found = getattr(found, part)
    if not callable(found):
        raise ParameterError(f"{parameter} is {named!r}, which is no function but {type(found).__name__}")
    return found  # type: ignore[no-any-return]


def name_of(named: object) -> str:
    """How a function is called in the provenance of a run."""
    function = named if hasattr(named, "__qualname__") else type(named)
    return named if isinstance(named, str) else f"{function.__module__}:{function.__qualname__}"


def source_of(named: object, folder: str | os.PathLike[str] = ".") -> Path | None:
    """The file that a function is in, found without importing it; None where there is none.

    Names are those of `find_callable`, as seen from a folder.

    >>> source_of("email.utils:formatdate").name, source_of("sys:exit")
    ('utils.py', None)
    """
    if callable(named):
        function = named if hasattr(named, "__code__") else type(named)
        try:
            return _file(inspect.getsourcefile(function))
        except TypeError:  # it is built in
            return None
    module, _, name = str(named).rpartition(":")
    if module.endswith(".py"):
        return _file(Path(folder, module))
    if not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        return None
    found, places, above = None, [os.path.abspath(folder), *sys.path], ""
    for part in module.split("."):
        found = PathFinder.find_spec(f"{above}{part}", places)
        if found is None:
            return None
        places, above = list(found.submodule_search_locations or ()), f"{above}{part}."
    return _file(found.origin) if found is not None else None


def source_hash(named: object, name: str = "sha256") -> dict[str, str]:
    """Under this name the hash of the file that a function is in, by which a change is noticed; nothing without one."""
    source = source_of(named)
    return {} if source is None else {name: of_file(str(source))[0].sha256}


def _file(path: str | Path | None) -> Path | None:
    return Path(path) if path is not None and Path(path).is_file() else None


def called(what: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """What the user's function answers; what it raises becomes an error that says whose it was."""
    try:
        return function(*arguments)
    except Exception as error:
        raise EngineError(f"{what} raised {type(error).__name__}: {error}") from error


def _imported(parameter: str, name: str) -> ModuleType:
    here = os.getcwd()
    # As with `python -m`: a module beside the user's files is found, whichever way the command was installed.
    added = here not in sys.path
    if added:
        sys.path.insert(0, here)
    # Byte code would be left in the user's folder, cut short where the disk is full.
    writes_byte_code, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        return _from_file(Path(name)) if name.endswith(".py") else importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        why = f"there is no module {missing!r}, in {here} or among the installed ones"
        raise ParameterError(f"{parameter} names {name!r}, which cannot be imported: {why}") from error
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise ParameterError(f"{parameter} names {name!r}, which cannot be imported: {why}") from error
    finally:
        sys.dont_write_bytecode = writes_byte_code
        if added:
            sys.path.remove(here)


def _from_file(path: Path) -> ModuleType:
    loader = SourceFileLoader(path.stem, str(path))
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    loader.exec_module(module)
    return module
