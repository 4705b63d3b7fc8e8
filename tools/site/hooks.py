"""What MkDocs is told beyond mkdocs.yml: pages are written for GitHub, and some link to files outside docs/."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
LINK = re.compile(r"\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)")
ALERT = re.compile(r"^> \[!([A-Z]+)\]\n((?:>.*\n?)+)", re.MULTILINE)
LIST_BELOW_TEXT = re.compile(r"^([^\s>|#-].*\n)(?=- |1\. )", re.MULTILINE)
"""Elsewhere than on GitHub there is a blank line between the two."""
FENCE = re.compile(r"(^`{3,}.*?^`{3,}$)", re.MULTILINE | re.DOTALL)
HEADING_OR_PAGE = re.compile(r"^## (.+)$|\[([^\]]+)\]\(([\w-]+\.md)\)", re.MULTILINE)
LANGUAGES = {".py": "python", ".toml": "toml", ".jsonl": "json", ".yml": "yaml", ".sh": "sh"}

Nav = list[str | dict[str, "str | Nav"]]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Folders in the navigation become their pages."""
    config.nav = _expanded(config.nav or [])
    return config


def _expanded(nav: Nav) -> Nav:
    entries: Nav = []
    for entry in nav:
        if isinstance(entry, dict):
            ((title, target),) = entry.items()
            if isinstance(target, list):
                entry = {title: _expanded(target)}
            elif target.endswith("/"):
                entry = {title: folder_nav(target)}
        entries.append(entry)
    return entries


def folder_nav(folder: str) -> Nav:
    """The README.md of a folder, and the pages it links to, each where it is first named."""
    text = (DOCS / folder / "README.md").read_text()
    nav: Nav = [f"{folder}README.md"]
    seen, section = set[str](), nav
    for heading, title, page in HEADING_OR_PAGE.findall(text):
        if heading:
            section = []
            nav.append({heading: section})
        elif page not in seen:
            seen.add(page)
            section.append({title: folder + page})
    return [entry for entry in nav if isinstance(entry, str) or [*entry.values()] != [[]]]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Files outside docs/ that the documentation links to, from page to page, become pages too."""
    waiting = sorted(DOCS.rglob("*.md"))
    while waiting:
        page = waiting.pop()
        for target in outside(page):
            place = site_place(target)
            if files.get_file_from_path(place) is None:
                files.append(File.generated(config, place, content=_shown(target)))
                if target.suffix == ".md":
                    waiting.append(target)
    return files


def outside(page: Path) -> Iterator[Path]:
    """What a page links to outside docs/."""
    for name, _ in LINK.findall(page.read_text()):
        target = (page.parent / name).resolve()
        if target.exists() and not target.is_relative_to(DOCS):
            yield target


def site_place(target: Path) -> str:
    """Where a file is among the sources of the site."""
    if target.is_relative_to(DOCS):
        return (target / "README.md" if target.is_dir() else target).relative_to(DOCS).as_posix()
    place = f"source/{target.relative_to(ROOT).as_posix()}"
    return place if target.suffix == ".md" else f"{place}.md"


def _shown(target: Path) -> str:
    """A file as a page, and a folder as its files one below the other."""
    if target.suffix == ".md":
        return target.read_text()
    parts = ["---\nsearch: { exclude: true }\n---", f"# {target.relative_to(ROOT).as_posix()}"]
    for file in sorted(target.iterdir()) if target.is_dir() else [target]:
        if file.is_file():
            heading = [f"## {file.name}"] if target.is_dir() else []
            parts += [*heading, f"````{LANGUAGES.get(file.suffix, 'text')}\n{file.read_text().rstrip()}\n````"]
    return "\n\n".join(parts) + "\n"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """GitHub's Markdown as MkDocs understands it, with links to where things are on the site."""
    return "".join(
        part if part.startswith("```") else _translated(part, page.file.src_uri) for part in FENCE.split(markdown)
    )


def _translated(text: str, place: str) -> str:
    written = ROOT / place.removeprefix("source/") if place.startswith("source/") else DOCS / place

    def link(match: re.Match[str]) -> str:
        name, anchor = match.groups(default="")
        target = (written.parent / name).resolve()
        if not target.exists():
            return match[0]
        return f"]({posixpath.relpath(site_place(target), posixpath.dirname(place))}{anchor})"

    def alert(match: re.Match[str]) -> str:
        return f'!!! {match[1].lower()} ""\n\n' + re.sub(r"^> ?", "    ", match[2], flags=re.MULTILINE)

    return LIST_BELOW_TEXT.sub(r"\1\n", LINK.sub(link, ALERT.sub(alert, text)))
