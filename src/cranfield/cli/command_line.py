"""The command as it was given, for the record of what values were made of."""

from __future__ import annotations

import sys


def command_line() -> str:
    """What to type to do the same again."""
    import shlex

    return shlex.join(["cranfield", *sys.argv[1:]])
