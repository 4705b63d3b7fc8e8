"""Write docs/measures/, a page for each measure and an index. `--check` only says which pages are out of date."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import cranfield
from cranfield.measures import REGISTRY
from cranfield.measures.description import (
    COMPUTED_FROM,
    COSTS,
    HOLES,
    Description,
    Formula,
    describe,
    families,
    parameter_texts,
    properties,
    references,
    title,
)
from cranfield.measures.registry import Definition
from cranfield.measures.spelling import in_python, other_names, other_spellings, ways_to_write

FOLDER = Path(__file__).parent.parent / "docs" / "measures"
COMMAND = "python tools/measure_pages.py"
_SOURCES = "../../src/cranfield/measures"
_WIDEST_CODE = 120
_JUDGMENTS = {
    "qrels": ("qrels.txt", ""),
    "anything": ("qrels.txt", ""),
    "subtopics": ("qrels.txt", ""),
    "groups": ("qrels.txt", "qrels_jg"),
    "preferences": ("prefs.txt", "prefs"),
}
"""By what a measure needs: a file of it, and what `-R` says."""
_SAMPLES = {"strata": "strata.txt", "chances": "prels.txt"}
"""A file that says how judgments were sampled."""
_FORMATS = "../formats.md"
_SECTIONS = {
    "subtopics": "#subtopics",
    "groups": "",
    "preferences": "",
    "pool": "#sampled-judgments",
    "strata": "#sampled-judgments",
    "chances": "#sampled-judgments",
}
"""Where the page of formats says how such judgments are written."""


def pages() -> dict[str, str]:
    """The text of each page, by the name of its file."""
    return {"README.md": index()} | {file_name(definition): page(definition) for definition in REGISTRY.values()}


def index() -> str:
    """The list of all measures."""
    return "\n".join(_index())


def page(definition: Definition) -> str:
    """What there is to say about one measure."""
    return "\n".join(_page(definition))


def file_name(definition: Definition) -> str:
    """The name of a measure's file, for which upper and lower case are alike, as they are for names of measures."""
    return f"{definition.name}.md"


def _index() -> Iterator[str]:
    yield "# Measures\n"
    yield (
        f"{len(REGISTRY)} measures, each defined once, in `src/cranfield/measures/`. `cranfield measures` lists them "
        "in a terminal, and `cranfield measures NAME` describes one, in any spelling of its name. A name has "
        "parameters in parentheses and a cutoff behind @: `nDCG@10`, `P(rel=2)@10`, `RBP(p=0.95)`. `P@5,10` stands for "
        "two measures and `P@1..10` for ten, one at each rank; `value=all` asks a user model for all it can say. "
        "`cranfield explain` shows the arithmetic behind a value ([explain](../explain.md)). Whether a "
        "difference in one of them means anything is a matter of [statistics](../statistics/README.md).\n"
    )
    yield (
        "*The lecture notes* on these pages, or the notes, are a set of lecture notes on evaluating search. This "
        "project follows their formulas and worked examples; where they print something wrong, an erratum says "
        "what is right."
    )
    for heading, definitions in families().items():
        yield f"\n## {heading}\n"
        yield from _table(
            ("measure", "meaning", "other names"),
            [
                (f"[{d.name}]({file_name(d)})", prose(d.meaning), ", ".join(f"`{name}`" for name in other_names(d)))
                for d in definitions
            ],
        )
    yield _made_by()


def _page(definition: Definition) -> Iterator[str]:
    told = describe(definition)
    yield f"# {title(definition)}\n"
    yield f"{prose(definition.meaning)}\n"
    yield from _body(told)
    for erratum in told.errata:
        yield f"> [!WARNING]\n> **Erratum:** {prose(erratum)}\n"
    if told.examples:
        code = "\n".join(told.examples)
        used = [name for name in cranfield.__all__ if re.search(rf"(?<!\.)\b{name}\(", code)]
        imports = f">>> from cranfield import {', '.join(used)}\n" if used else ""
        yield f"## Example\n\n```python\n{imports}{code}\n```\n"
    yield "## How to write it\n"
    yield from _ways(definition)
    if definition.parameters:
        yield "\n## Parameters\n"
        yield from _table(
            ("parameter", "meaning", "values", "default"),
            [(f"`{p.name}`", prose(p.meaning), prose(p.values), prose(p.default)) for p in parameter_texts(definition)],
        )
    yield "\n## Properties\n"
    yield from (f"- {what}: {how}{_link(what, definition)}." for what, how in properties(definition))
    if told.elsewhere:
        yield "\n## Elsewhere\n"
        yield from _table(("tool", "what it calls it, and how it differs"), _elsewhere(told))
    if definition.cites:
        yield "\n## References\n"
        yield from (f"- {work}" for work in references(definition))
    module = definition.function.__module__.rpartition(".")[2]
    yield f"\n[All measures](README.md) · [Source]({_SOURCES}/{module}.py)"
    yield _made_by()


def _body(told: Description) -> Iterator[str]:
    for part in told.body:
        yield f"```math\n{part.latex}\n```\n" if isinstance(part, Formula) else f"{prose(part.text)}\n"


def _ways(definition: Definition) -> Iterator[str]:
    ways = ways_to_write(definition)
    judgments, relevance = _JUDGMENTS[definition.needs]
    judgments = _SAMPLES.get(definition.sampling, judgments)
    option = (f" -R {relevance}" if relevance else "") + (" --costs costs.txt" if definition.without_costs else "")
    named = "".join(f" -m '{way}'" if "(" in str(way) else f" -m {way}" for way in ways)
    arguments = [f'"{judgments}"', '"run.txt"', f"[{', '.join(f'cf.{in_python(way)}' for way in ways)}]"]
    arguments += [f'relevance="{relevance}"'] if relevance else []
    arguments += ['costs="costs.txt"'] if definition.without_costs else []
    call = f"cf.evaluate({', '.join(arguments)})"
    if len(call) > _WIDEST_CODE:
        call = "\n".join(["cf.evaluate(", *(f"    {argument}," for argument in arguments), ")"])
    yield f"```sh\ncranfield evaluate{option} {judgments} run.txt{named}\n```\n"
    yield f"```python\nimport cranfield as cf\n\n{call}\n```"
    others = other_spellings(definition)
    if others:
        spelt = [f"`{name}`" + ("" if meant is None else f" (here `{meant}`)") for name, meant in others]
        yield f"\nAlso understood: {', '.join(spelt)}."


def _link(what: str, definition: Definition) -> str:
    """A link to how a file is written, where a property is about one, or to what unjudged documents leave open."""
    if what == HOLES:
        return " ([what that means](../residuals.md))"
    if what == COSTS:
        return f" ([format]({_FORMATS}#costs))"
    kind = definition.needs if definition.sampling not in _SECTIONS else definition.sampling
    return f" ([format]({_FORMATS}{_SECTIONS[kind]}))" if what == COMPUTED_FROM and kind in _SECTIONS else ""


def _elsewhere(told: Description) -> list[tuple[str, str]]:
    return [(tool, prose(text)) for tool, text in told.elsewhere]


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield "|---" * len(header) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def prose(text: str) -> str:
    """Text of a docstring as Markdown: nothing outside of backticks is a mark, and g_i and 2^g are typeset."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else _escaped(part) for part in parts)


def _escaped(text: str) -> str:
    text = re.sub(r"([*\\$\[\]]|(?<!\w)_|_(?!\w))", r"\\\1", text).replace("<", "&lt;")
    text = re.sub(r"\b([A-Za-z]{1,2})_([a-z0-9]{1,2})\b", r"\1<sub>\2</sub>", text)
    return re.sub(r"(\w)\^(\w+)", r"\1<sup>\2</sup>", text)


def _made_by() -> str:
    return f"\n<!-- Made from the registry of measures by `{COMMAND}`: change the docstring, not this page. -->\n"


def differences() -> list[str]:
    """Which pages are missing, out of date or of no measure."""
    wanted = pages()
    there = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*")}
    missing = [f"{name} is missing" for name in wanted if name not in there]
    stale = [f"{name} is out of date" for name, text in wanted.items() if there.get(name, text) != text]
    surplus = [f"{name} is of no measure" for name in sorted(there) if name not in wanted]
    return missing + stale + surplus


def write() -> None:
    """Make the folder hold the pages and nothing else."""
    wanted = pages()
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*"):
        file.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        found = differences()
        sys.exit("\n".join([*found, f"Write docs/measures/ again: {COMMAND}"]) if found else 0)
    write()
