"""Functions of the user's own, named in a configuration as `module:function` or `file.py:function`."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from cranfield.errors import EngineError, ParameterError, did_you_mean


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
