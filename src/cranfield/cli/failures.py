"""`cranfield failures`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

import click

from cranfield.cli.completion import FILE, complete_measure
from cranfield.cli.evaluator_options import EvaluatorOptions, options_for_one_value
from cranfield.cli.options import digits_option, formats_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.reading_options import encoding_option
from cranfield.cli.runs_to_evaluate import split_option, to_evaluate
from cranfield.cli.tables import render, wrapped, write_lines
from cranfield.evaluation.failure_analysis import FailureAnalysis, MissedDocument, MissedOfTopic, TopicAcrossRuns
from cranfield.evaluation.failures import DEFAULT_MEASURE, MISSED_BELOW, TOP, failures

_WIDTH, _LEAST_TEXT = 100, 16
"""Of a table, and of what is shown of the text of a topic: as much as there is room for."""


@click.command(
    "failures",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield failures qrels.txt bm25.run dense.run -m AP",
)
@click.argument("qrels", required=False, metavar="[QRELS]", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN...]", type=FILE)
@click.option(
    "-m",
    "measure",
    metavar="MEASURE",
    shell_complete=complete_measure,
    help=f"What failing is measured by.  [default: {DEFAULT_MEASURE}; in a workspace its first measure]",
)
@split_option
@click.option(
    "--topics",
    metavar="FILE",
    type=FILE,
    help="What topics ask: a file, or a collection.  [in a workspace: its topics]",
)
@encoding_option
@click.option("--top", type=int, default=TOP, show_default=True, help="Look for unjudged documents in so many.")
@click.option(
    "--missed-below",
    type=int,
    default=MISSED_BELOW,
    show_default=True,
    metavar="K",
    help="A document is missed if no run has it in its first K.",
)
@click.option(
    "--rows",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Topics and documents in a table; documents of as many topics as possible.",
)
@click.option("--missed", "only_missed", is_flag=True, help="The documents that every run missed, all of them.")
@options_for_one_value
@formats_option
@digits_option
def command(
    qrels: str | None,
    runs: tuple[str, ...],
    measure: str | None,
    split: str | None,
    topics: str | None,
    encoding: str | None,
    top: int,
    missed_below: int,
    rows: int,
    only_missed: bool,
    options: EvaluatorOptions,
    layout: str | None,
    digits: int,
) -> None:
    """Say which topics fail, what they have in common, and which relevant documents every run missed.

    A topic is as hard as the mean of the measure over the runs says, and the hardest quarter of the topics is compared
    with the others. tsv has a line for each topic, the hardest first; with --missed for each document.

    In a workspace nothing need be given: it is about all systems, and topics are shown with their texts.
    """
    asked = to_evaluate(qrels, runs, [] if measure is None else [measure], split=split)
    with showing_progress():
        found = failures(
            asked.qrels,
            asked.scored(),
            options.sized_all([*asked.measures, DEFAULT_MEASURE])[0],
            topics=topics or asked.topic_texts(),
            encoding=encoding,
            top=top,
            missed_below=missed_below,
            **options.keywords,
        )
    asked.looked([found.measure], [one.topic for one in found.topics])
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    if layout == "json":
        click.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=True, allow_nan=False))
    elif layout == "tsv":
        for note in found.notes:
            click.echo(f"cranfield: {note}", err=True)
        write_lines(_missed_tsv(found) if only_missed else _topics_tsv(found))
    else:
        write_lines(_all_missed(found) if only_missed else _tables(found, rows, digits))


def _topics_tsv(found: FailureAnalysis) -> Iterator[str]:
    yield (
        "topic\tmean\tspread\tworst\tworst_run\tat_worst\tbest\tbest_run\tat_best\trelevant\tunjudged\tlacking\t"
        "words\thard\ttraits\ttext"
    )
    for one in found.topics:
        ends = (one.worst, one.worst_run, one.at_worst, one.best, one.best_run, one.at_best)
        rest = (one.relevant, one.unjudged, one.lacking, one.words, str(one.hard).lower(), ",".join(one.traits))
        cells = (one.topic, one.mean, one.spread, *ends, *rest, " ".join((one.text or "").split()))
        yield "\t".join("" if cell is None else str(cell) for cell in cells)


def _missed_tsv(found: FailureAnalysis) -> Iterator[str]:
    yield "topic\tdocument\tgrade\tbest_rank\tbest_run\tat_best"
    for one in found.missed:
        cells = (one.topic, one.document, f"{one.grade:g}", one.best_rank, one.best_run, one.at_best)
        yield "\t".join("" if cell is None else str(cell) for cell in cells)


def _tables(found: FailureAnalysis, rows: int, digits: int) -> Iterator[str]:
    hardest = found.hardest[:rows]
    if hardest:
        said = f"The hardest quarter of {len(found.topics)} topics, by {found.measure}"
        yield from wrapped(f"{said}{_of(len(hardest), len(found.hardest))}:")
        yield ""
        yield _topics(hardest, found, digits)
    else:
        yield from wrapped(f"No topic is harder than another: all have the same {found.measure}.")
    disagreed = found.most_disagreed[:rows]
    if disagreed:
        yield ""
        yield from wrapped("Topics on which the runs disagree most:")
        yield ""
        yield _topics(disagreed, found, digits)
    if found.traits:
        yield ""
        for trait in found.traits:
            yield from wrapped(trait.sentence)
    yield ""
    yield from wrapped(found.missed_sentence)
    if found.missed:
        yield ""
        yield from _missed_table(found.missed_spread(rows), len(found.missed), found.missed_by_topic)
    if found.notes:
        yield ""
    for note in found.notes:
        yield from wrapped(note)


def _of(shown: int, there_are: int) -> str:
    return f" ({shown} of {there_are})" if shown < there_are else ""


def _topics(topics: Sequence[TopicAcrossRuns], found: FailureAnalysis, digits: int) -> str:
    several, texts = len(found.runs) > 1, any(topic.text for topic in found.topics)
    header = ["topic", *(["text"] if texts else [])]
    header += ["mean", "spread", "worst", "best", "best run"] if several else ["value"]
    header += ["relevant", "unjudged"]
    lines = []
    for one in topics:
        line = [one.topic, *([one.text or ""] if texts else []), f"{one.mean:.{digits}f}"]
        if several:
            line += [f"{value:.{digits}f}" for value in (one.spread or 0.0, one.worst, one.best)] + [one.best_in_words]
        lines.append([*line, str(one.relevant), f"{one.unjudged:.0%}"])
    if texts:
        others = [max(map(len, column)) for at, column in enumerate(zip(header, *lines, strict=True)) if at != 1]
        room = max(_LEAST_TEXT, _WIDTH - sum(others) - 2 * len(others))
        lines = [[topic, _short(text, room), *rest] for topic, text, *rest in lines]
    return render(header, lines, left=2 if texts else 1)


def _short(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"


def _all_missed(found: FailureAnalysis) -> Iterator[str]:
    yield from _missed_table(found.missed, len(found.missed), found.missed_by_topic)


def _missed_table(missed: Sequence[MissedDocument], there_are: int, topics: Sequence[MissedOfTopic]) -> Iterator[str]:
    of_topic = {one.topic: f"{len(one.documents)} of {one.relevant}" for one in topics}
    lines = [
        [
            one.topic,
            of_topic[one.topic],
            one.document,
            f"{one.grade:g}",
            "nowhere" if one.best_rank is None else str(one.best_rank),
            one.best_in_words,
        ]
        for one in missed
    ]
    yield render(["topic", "missed", "document", "grade", "best rank", "of run"], lines, left=3)
    if len(missed) < there_are:
        shown = len({one.topic for one in missed})
        of = f"{shown} of {len(topics)} topics" if shown < len(topics) else f"all {len(topics)} topics"
        yield from wrapped(f"… from {of} ({there_are - len(missed)} more; --missed shows all)")
