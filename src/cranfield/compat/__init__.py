"""Drop-in faces of other libraries: a script changes one import and keeps its numbers.

`from cranfield.compat import pytrec_eval` in the place of `import pytrec_eval`, and so for ir_measures. What differs,
and why, is listed in docs/compat.md.
"""

from __future__ import annotations

import importlib
from types import ModuleType

_FACES = ("ir_measures", "pytrec_eval")


def __getattr__(name: str) -> ModuleType:
    if name in _FACES:
        return importlib.import_module(f"cranfield.compat.{name}")
    raise AttributeError(f"module 'cranfield.compat' has no attribute {name!r}; it has {', '.join(_FACES)}")


def __dir__() -> list[str]:
    return [*(name for name in globals() if name.startswith("__")), *_FACES]
