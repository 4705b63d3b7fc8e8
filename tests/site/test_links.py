"""Links between pages as one follows them on GitHub; on the site, MkDocs checks them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """What GitHub calls the headings of a page: lower case, no punctuation, hyphens for spaces, repetitions counted."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} (.+)$", FENCE.sub("", page.read_text()), re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        repeated = sum(one == name or re.fullmatch(rf"{re.escape(name)}-\d+", one) is not None for one in found)
        found.add(f"{name}-{repeated}" if repeated else name)
    return found


def dead_links(page: Path) -> list[str]:
    links = re.findall(r"\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)", FENCE.sub("", page.read_text()))
    targets = [(name, page.parent / name if name else page, anchor) for name, anchor in links]
    return [
        f"{name}#{anchor}"
        for name, target, anchor in targets
        if not target.exists() or (anchor and anchor not in anchors(target))
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_and_anchors_lead_somewhere(page: Path) -> None:
    assert not dead_links(page)


def test_dead_ones_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Ties: `a`, b\n\n## Ties: `a`, b\n\n[1](#ties-a-b) [2](page.md#ties-a-b-1)\n"
        "```\n[no link](nowhere)\n```\n[3](#ties) [4](page.md#ties-a-b-2) [5](nowhere.md) [6](https://example.org/x#y)\n"
    )
    assert dead_links(page) == ["#ties", "page.md#ties-a-b-2", "nowhere.md#"]
