"""What is being measured, for who waits."""

import sys


def say(what: str) -> None:
    """Progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"... {what}", file=sys.stderr, flush=True)
