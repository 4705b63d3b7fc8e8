"""Figures on pages, between marks, that are made anew from real collections."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Figures = Mapping[str, Callable[[Path], str]]
"""By their names in the marks: what makes each of the folder with the collections."""

_FIGURE = re.compile(r"(<!-- figure: (\w+) -->\n).*?(<!-- end of figure -->)", re.DOTALL)


def made_anew(page: Path, figures: Figures, folder: Path) -> str:
    """The text of a page with its figures made anew."""
    return _FIGURE.sub(lambda found: f"{found[1]}\n{figures[found[2]](folder)}\n\n{found[3]}", page.read_text())


def renew(pages: Sequence[Path], figures: Figures, command: str) -> str | None:
    """Write the pages anew, or with `--check` only see whether they are as they should be; gives what is to be said."""
    folder = os.environ.get("CRANFIELD_REAL_DATA")
    if folder is None:
        return f"$CRANFIELD_REAL_DATA names the folder with real collections, and is not set: {command}"
    new = {page: made_anew(page, figures, Path(folder)) for page in pages}
    old = [page for page, text in new.items() if page.read_text() != text]
    if sys.argv[1:] == ["--check"]:
        return f"out of date: {', '.join(page.name for page in old)} ({command})" if old else None
    for page in old:
        page.write_text(new[page])
    return None
