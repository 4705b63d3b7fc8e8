"""`cranfield logs infer-qrels`."""

from __future__ import annotations

from typing import Any, NamedTuple

import click
import numpy as np

from cranfield.cli.completion import FILE
from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.topic_options import new_topics_options, topic_notes
from cranfield.cli.logs.workers_output import scratch_option, written_by_workers
from cranfield.cli.options import formats_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.data.topics import Topics
from cranfield.errors import UsageError
from cranfield.formats import read_qrels
from cranfield.formats.topics import write_topics
from cranfield.logs.clicks import ENOUGH
from cranfield.logs.counting import counted
from cranfield.logs.evidence import COEC, SOURCES, evidence_notes
from cranfield.logs.grading import AT, INTERVAL, RULES, THRESHOLDS
from cranfield.logs.human_agreement import Found, HumanAgreement, human_agreement
from cranfield.logs.inferring import WITH_INTERVALS, infer_qrels
from cranfield.logs.log import Log
from cranfield.logs.topic_texts import called_by_words


def thresholds(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[float, ...] | None:
    """Numbers with commas between."""
    try:
        return None if value is None else tuple(float(number) for number in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r}: expected numbers with commas between, such as 0.5,1,2") from None


@click.command(
    "infer-qrels",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield logs infer-qrels shop-log -o inferred.tsv --topics topics.tsv",
)
@log_options
@click.option("-o", "--output", required=True, metavar="QRELS", type=FILE, help="Where the judgments are written.")
@click.option(
    "--from", "source", type=click.Choice(SOURCES), default=COEC, show_default=True, help="What grades are made of."
)
@click.option("--rule", type=click.Choice(RULES), default=INTERVAL, show_default=True, help="How grades are made.")
@click.option(
    "--at",
    callback=thresholds,
    metavar="X,Y,...",
    help=f"The thresholds of --rule thresholds.  [default: {','.join(f'{each:g}' for each in AT)}]",
)
@click.option(
    "--enough",
    type=click.IntRange(1),
    default=ENOUGH,
    show_default=True,
    help="Do not judge documents that were shown (models: looked at) less often.",
)
@new_topics_options
@click.option(
    "--output-format",
    type=click.Choice([WITH_INTERVALS, "trec", "beir"]),
    default=WITH_INTERVALS,
    show_default=True,
    help="tsv keeps intervals and counts; the others have the grades alone.",
)
@click.option("--against", type=FILE, metavar="QRELS", help="Compare with what people judged.")
@click.option(
    "-l", "level", type=float, default=1.0, show_default=True, help="The grade from which on people call it relevant."
)
@scratch_option
@table_option(("grades", "agreement", "confusion"), "grades")
@formats_option
def command(
    log: Log,
    output: str,
    source: str,
    rule: str,
    at: tuple[float, ...] | None,
    enough: int,
    topics: Topics | None,
    topics_out: str | None,
    output_format: str,
    against: str | None,
    level: float,
    scratch: str | None,
    wanted: str | None,
    layout: str | None,
) -> None:
    """Make judgments of clicks.

    What is known of a document is a value with an interval: its clicks over the clicks to be expected at the ranks
    where it was shown (coec), or what a click model finds it worth, over what it finds a usual document worth. 1 is as
    much as usual.

    \b
    interval    2 if the whole 95 % interval is above 1, 0 if it is below, 1 where that is not certain
    thresholds  how many of the thresholds --at the value reaches, however uncertain it is

    The file is a table that every command reads as judgments; value, low, high, shown and clicked stand beside each
    grade.

    On Spark (--engine spark) the workers write, if -o is the name of a folder that ends in .parquet; into a file goes
    what is small.
    """
    if at is not None and rule != THRESHOLDS:
        raise UsageError("--at has the thresholds of --rule thresholds; add that")
    if against is None and wanted in ("agreement", "confusion"):
        raise UsageError(f"--table {wanted} compares with what people judged: add --against QRELS")
    engine = written_by_workers(log, output)
    if engine is not None:
        if against is not None:
            raise UsageError(f"--against compares what is in a file; {output} is a folder that the workers write")
        if output_format != WITH_INTERVALS:
            raise UsageError(f"--output-format {output_format} is of a file; {output} is a folder of Parquet")
        from cranfield.logs.spark_inferring import write_inferred_qrels

        ways: dict[str, Any] = {"rule": rule, "at": at or AT, "enough": enough, "topics": topics, "scratch": scratch}
        with showing_progress():
            written = write_inferred_qrels(log, engine, output, source, topics_output=topics_out, **ways)
        _show(
            output,
            f"{source} by {rule}",
            _Counts(len(written), written.topics, written.thin, written.grades),
            [*topic_notes(written.matched, topics is not None, topics_out), *evidence_notes(source, written.clicks)],
            None,
            (wanted, layout),
        )
        return
    with showing_progress():
        human = None if against is None else read_qrels(against)
        if topics is None and human is not None:
            topics = called_by_words(log, human.queries, human.name)
            topics_out = topics_out if topics is None else None
        found = infer_qrels(log, source, rule=rule, at=at or AT, enough=enough, topics=topics)
        compared = None if human is None else human_agreement(found, human, level=level)
    found.write(output, output_format)
    if topics_out is not None:
        write_topics(found.topics, topics_out, format="tsv")
    if output == "-":
        return
    counts = dict(enumerate(np.bincount(found.grade).tolist()))
    _show(
        output,
        f"{source} by {rule}",
        _Counts(len(found), len(set(found.topic.tolist())), found.thin, counts),
        [*topic_notes(found.matched, topics is not None, topics_out), *evidence_notes(source, found.clicks)],
        compared,
        (wanted, layout),
    )


class _Counts(NamedTuple):
    """How many judgments were made."""

    documents: int
    topics: int
    thin: int
    grades: dict[int, int]


def _show(
    output: str,
    how: str,
    made: _Counts,
    notes: list[str],
    compared: HumanAgreement | None,
    view: tuple[str | None, str | None],
) -> None:
    wanted, layout = view
    if made.thin:
        notes.append(f"{made.thin:,} documents are not judged: there is too little about them")
    if compared is not None:
        notes += compared.notes
    most = max(made.grades)
    grades = [(grade, made.grades.get(grade, 0)) for grade in range(most + 1) if grade < 3 or made.grades.get(grade)]
    sections = {"grades": Section(("grade", "documents"), grades)} | _sections(compared)
    show_sections(
        sections,
        layout,
        wanted,
        usual=tuple(sections),
        whole={
            "output": output,
            "topics": made.topics,
            "documents": made.documents,
            "not_judged": made.thin,
            "grades": dict(grades),
            **({} if compared is None else {"against": _whole(compared)}),
        },
        said=[f"{output}: {counted(made.documents, 'judgments')} for {counted(made.topics, 'topics')}, from {how}"],
        notes=notes,
    )


def _sections(compared: HumanAgreement | None) -> dict[str, Section]:
    if compared is None:
        return {}
    title = (
        f"Against people, on {counted(compared.documents, 'documents')} of {counted(compared.topics, 'topics')}, "
        f"of which they call {compared.relevant:,} relevant"
    )
    rows = [(name, *_row(one)) for name, one in _coefficients(compared).items()]
    matrix = compared.confusion
    header = ("people say", *(f"inferred {label}" for label in matrix.predicted))
    cells = [(label, *row) for label, row in zip(matrix.actual, matrix.counts, strict=True)]
    return {
        "agreement": Section(("coefficient", "value", "low", "high"), rows, title),
        "confusion": Section(header, cells, "How often which grade"),
    }


def _coefficients(compared: HumanAgreement) -> dict[str, Found]:
    return {"area under the ROC curve": compared.area, "tau within topics": compared.tau, "kappa": compared.kappa}


def _row(one: Found) -> tuple[float | None, float | None, float | None]:
    if one.interval is None:
        return one.value, None, None
    return one.value, one.interval.lower, one.interval.upper


def _whole(compared: HumanAgreement) -> dict[str, Any]:
    named = {"area": compared.area, "tau": compared.tau, "kappa": compared.kappa}
    return {
        "documents": compared.documents,
        "topics": compared.topics,
        "relevant": compared.relevant,
        **{name: dict(zip(("value", "low", "high"), _row(one), strict=True)) for name, one in named.items()},
        "confusion": compared.confusion.to_dict(),
        "notes": compared.notes,
    }
