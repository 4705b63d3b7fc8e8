"""`cranfield logs infer-preferences`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from cranfield.cli.completion import FILE
from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.topic_options import new_topics_options, topic_notes
from cranfield.cli.logs.workers_output import written_by_workers
from cranfield.cli.options import formats_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.sections import Section, show_sections
from cranfield.data.topics import Topics
from cranfield.errors import UsageError
from cranfield.formats.topics import write_topics
from cranfield.logs.log import Log
from cranfield.logs.preference_file import WITH_VOTES, topic_preferences
from cranfield.logs.preferences import ENOUGH, RULES, infer_preferences

_SILENT = "there is no preference to write"
_COUNTED = ("pairs_of_documents", "always_in_one_order", "certain", "written", "topics")
_RULES = "\n".join(f"    {name:16} {words}" for name, (words, *_) in RULES.items())


@click.command(
    "infer-preferences",
    context_settings={"max_content_width": 110},
    epilog="Example: cranfield logs infer-preferences shop-log -o prefs.tsv --rule skip-above",
    help=f"""Make preferences between documents of clicks.

    A list that somebody saw and clicked in votes for some documents over others, by a rule:

    \b
{_RULES}

    Such a rule can only prefer a document where it stands: below the other one, most often. So votes are counted over
    the lists in which there was a chance for them, and of documents that were always shown in one order nothing is
    said. A preference is certain if there are votes enough, and one document gets a larger share of its chances than
    the other: the 95 % interval (Newcombe) of the difference lies above 0.

    The file is one that preference measures read (`cranfield evaluate -R prefs`), with votes, chances and the interval
    beside each document. On Spark (--engine spark) the workers write, if -o is the name of a folder that ends in
    .parquet.""",
)
@log_options
@click.option("-o", "--output", required=True, metavar="PREFS", type=FILE, help="Where preferences are written.")
@click.option("--rule", type=click.Choice(list(RULES)), default="skip-above", show_default=True, help="See above.")
@click.option(
    "--enough", type=click.IntRange(1), default=ENOUGH, show_default=True, help="How many votes are asked for."
)
@click.option("--all", "uncertain", is_flag=True, help="Also those that are not certain.")
@new_topics_options
@click.option(
    "--output-format",
    type=click.Choice([WITH_VOTES, "trec", "pairs"]),
    default=WITH_VOTES,
    show_default=True,
    help="tsv keeps the votes; the others have the preferences alone.",
)
@formats_option
def command(
    log: Log,
    output: str,
    rule: str,
    enough: int,
    uncertain: bool,
    topics: Topics | None,
    topics_out: str | None,
    output_format: str,
    layout: str | None,
) -> None:
    engine = written_by_workers(log, output)
    if engine is not None:
        if output_format != WITH_VOTES:
            raise UsageError(f"--output-format {output_format} is of a file; {output} is a folder of Parquet")
        from cranfield.logs.spark_preferences import write_inferred_preferences

        ways: dict[str, Any] = {"enough": enough, "uncertain": uncertain, "topics": topics}
        with showing_progress():
            made = write_inferred_preferences(log, engine, output, rule, topics_output=topics_out, **ways)
        numbers = (made.pairs, made.one_sided, made.certain, made.written, made.topics)
        notes = topic_notes(made.matched, topics is not None, topics_out, silent=_SILENT)
        _show(output, rule, enough, numbers, notes, layout)
        return
    with showing_progress():
        inferred = infer_preferences(log, rule, enough=enough)
        found = topic_preferences(inferred, topics, uncertain=uncertain)
    found.write(output, output_format)
    if topics_out is not None:
        write_topics(found.topics, topics_out, format="tsv")
    if output == "-":
        return
    numbers = (
        len(inferred),
        int(inferred.one_sided.sum()),
        int(inferred.certain.sum()),
        len(found),
        len(set(found.matched.topic.tolist())),
    )
    notes = topic_notes(found.matched, topics is not None, topics_out, silent=_SILENT)
    _show(output, rule, enough, numbers, notes, layout)


def _show(output: str, rule: str, enough: int, numbers: Sequence[int], notes: list[str], layout: str | None) -> None:
    counts = dict(zip(_COUNTED, numbers, strict=True))
    show_sections(
        {"counts": Section(("what", "number"), [(name.replace("_", " "), number) for name, number in counts.items()])},
        layout,
        None,
        usual=("counts",),
        whole={"output": output, "rule": rule, "enough": enough, **counts},
        said=[f"{output}: {counts['written']:,} preferences, by {rule}"],
        notes=notes,
    )
