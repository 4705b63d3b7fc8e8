"""Old names that still work."""

from __future__ import annotations

import warnings


def warn_deprecated(old: str, new: str) -> None:
    """Say, to who called the old name, what the new one is."""
    message = f"{old} is deprecated in ir_measures since 0.2.0: use {new}"
    warnings.warn(message, DeprecationWarning, stacklevel=3)
