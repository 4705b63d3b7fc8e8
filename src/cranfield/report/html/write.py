"""Making a report and writing it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cranfield.data.strings import encode
from cranfield.errors import UsageError
from cranfield.evaluation.evaluator import Measures
from cranfield.evaluation.result import Evaluation
from cranfield.formats.writing import check_writable, writing
from cranfield.report.html import views
from cranfield.report.html.contents import ReportContents, gather
from cranfield.report.tables.results_formats import FORMATS

_ENDINGS = (".html", ".htm")


def write_report(
    qrels: Any,
    runs: Any,
    path: str | os.PathLike[str],
    *,
    baseline: Any = None,
    measures: Measures | None = None,
    topics: Any = None,
    documents: Any = None,
    encoding: str | None = None,
    title: str | None = None,
    tables: str | os.PathLike[str] | None = None,
    command: str | None = None,
    covers: str | None = None,
    doubts: Callable[[Evaluation], Sequence[str]] | None = None,
    notes: Callable[[Evaluation], Sequence[str]] | None = None,
    progress: Callable[[str, float], None] | None = None,
    **options: Any,
) -> ReportContents:
    """Write a report on one or several runs: one HTML file that opens without a network; returns what it is made of.

    Judgments and runs have any shape that `evaluate` takes. The `baseline` is one of the runs by its name or its file,
    or a run of its own; the first run unless it is given. Without `measures` those of `compare` are shown. `topics`
    says what topics ask, and `documents` what documents are called: a file (TREC topics or documents, identifier and
    text with a tab between, JSON lines; in UTF-8, or in this `encoding`) or a mapping. With `tables` the table of
    results is also written to that folder, as Markdown, LaTeX, CSV and HTML. `progress` hears what is being done and
    what share of the work is behind it. `covers` stands at the very top and says which part of the topics it is about,
    if not about all. `doubts` is told what was evaluated and gives what else stands in the way of believing it; `notes`
    gives what belongs with the provenance. `options` are those of `compare` about tests (`tests`, `alternative`,
    `correction`, `alpha`, `resamples`, `seed`) and those of `Evaluator`.
    """
    from cranfield.report.html.figures import figures
    from cranfield.report.html.rendering import render_page

    tell = progress or (lambda what, share: None)
    check_folder(path, tables)
    contents = gather(
        qrels,
        runs,
        baseline=baseline,
        measures=measures,
        topics=topics,
        documents=documents,
        encoding=encoding,
        tell=tell,
        **options,
    )
    doubtful, noted = (tuple(told(contents.evaluation)) if told is not None else () for told in (doubts, notes))
    drawn = figures(contents, tell)
    page = render_page(contents, drawn, title=title, command=command, covers=covers, doubts=doubtful, notes=noted)
    tell("writing", 0.97)
    with writing(path) as out:
        out.write(f"{page}\n".encode())
    if tables is not None:
        write_tables(contents, tables)
    tell("done", 1.0)
    return contents


def check_folder(path: str | os.PathLike[str], tables: str | os.PathLike[str] | None) -> None:
    """An error at once, and not after the work is done, where the report cannot be written."""
    if os.fspath(path) != "-":
        _check_ending(os.fspath(path))
    check_writable(path)
    if tables is not None and os.path.exists(tables) and not os.path.isdir(tables):
        raise UsageError(f"{os.fspath(tables)}: tables are written to a folder, and this is a file")


def _check_ending(name: str) -> None:
    bare = name.lower().removesuffix(".gz").removesuffix(".zst")
    stem, ending = os.path.splitext(bare)
    if ending in _ENDINGS:
        return
    found = f"ends in {ending}" if ending else "has no ending"
    words = f"{name}: a report is a page, whose name ends in .html or .htm; this one {found}."
    if ending == ".pdf":
        raise UsageError(f"{words} For paper, open the page in a browser and print it")
    raise UsageError(f"{words} Did you mean {name[: len(stem)]}.html?")


def write_tables(contents: ReportContents, folder: str | os.PathLike[str]) -> list[Path]:
    """Write the table of results as Markdown, LaTeX, CSV and HTML; the folder is made if there is none."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{os.fspath(folder)}: cannot be made: {error.strerror or error}") from None
    table = views.results(contents)
    written = []
    for ending, lines in FORMATS.items():
        path = Path(folder) / f"results.{ending}"
        with writing(path) as out:
            out.write(encode("\n".join(lines(table)) + "\n"))
        written.append(path)
    return written
