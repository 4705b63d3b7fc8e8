"""What Cranfield takes for work that peers do not do, beside what it takes without: options, explanations, reports."""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import cases, data
from bench.data import Files
from bench.processes import Command, Times, interleaved, timed
from bench.progress import say
from bench.report import Table, milliseconds, seconds, verdict
from bench.session import Session, both
from bench.tools import by_default, every_measure, explain, report, with_layout

_BESIDE_PLAIN = ("work", "option", "best", "median", "times plain, best", "times plain, median", "allowed", "")


def each_measure(session: Session) -> Table:
    """Each measure beside AP, on S and on L."""
    figures = [cell for work in ("S alone", "S call", "L alone", "L call") for cell in (work, "times AP")]
    table = Table(
        ("measure", *figures, "why"),
        notes=[
            "*Alone* is the measure on a run whose documents have been ranked and looked up; *call* is all of it, "
            "`Evaluator(qrels, measure)(run)`. The best of several, every measure in turn in one process.",
            f"Asked for: at most {cases.TIMES_AP_ALLOWED} times AP, or a reason.",
        ],
    )
    times = []
    for name, files, repeats in (
        ("S", data.s_files(), 4 * session.small_repeats),
        ("L", data.l_files(), session.large_repeats),
    ):
        say(f"every measure on {name}")
        lines = [line.split("\t") for line in timed(every_measure(files, repeats))[1].splitlines()]
        times.append({measure: (float(alone), float(whole)) for measure, alone, whole in lines})
    for measure in times[0]:
        cells, worst = [measure], 0.0
        for taken in times:
            for at in (0, 1):
                of_ap = taken[measure][at] / taken["AP"][at]
                worst = max(worst, of_ap)
                cells += [milliseconds(taken[measure][at]), f"{of_ap:.2f}"]
        why = cases.why_slower(re.split("[(@]", measure)[0])
        if worst > cases.TIMES_AP_ALLOWED and not why:
            session.note_missed(False, f"{measure}: {worst:.1f} times AP, without a reason")
        table.rows.append([*cells, why if worst > cases.TIMES_AP_ALLOWED else ""])
    return table


def explain_one_query(session: Session) -> Table:
    """The value of one query of a large run, explained."""
    table = Table(
        ("measure", "best", "median", "asked for", ""),
        notes=["From the start of the process to the explanation; the file is in the system's cache."],
    )
    say("explain")
    files, allowed = data.l_files(), cases.EXPLAIN_SECONDS_ALLOWED
    commands = {measure: explain(files, measure) for measure in cases.EXPLAINED}
    timed(commands[cases.EXPLAINED[0]])  # brings the file into the system's cache
    for measure, times in interleaved(commands, session.small_repeats).items():
        met = times.median < allowed
        session.note_missed(met, f"{measure}: {seconds(times.median)}, asked for under {allowed} s")
        table.rows.append([measure, *both(times), f"under {allowed} s", verdict(met)])
    return table


def provenance(session: Session) -> Table:
    """What the SHA-256 of all files costs, which JSON output has and tsv has not."""
    table = Table(("layout", "best", "median", "times tsv, best", "times tsv, median", "allowed", ""))
    say("provenance")
    files = data.l_files()
    plain, hashed = _side_by_side(session, with_layout(files, "tsv"), with_layout(files, "json"))
    table.rows.append(["tsv", *both(plain), "", "", "", ""])
    table.rows.append(["json", *both(hashed), *session.times_as_long("json", plain, hashed, cases.PROVENANCE_ALLOWED)])
    return table


def residuals(session: Session) -> Table:
    """What it costs to know what unjudged documents leave open, where nearly everything is unjudged."""
    table = Table(_BESIDE_PLAIN)
    _beside_plain(session, table, "L", data.l_files(), ("--residuals",), cases.RESIDUALS_ALLOWED)
    return table


def ties(session: Session) -> Table:
    """What it costs to know what ties leave open: of a run without ties, with many, and with nothing else."""
    table = Table(
        _BESIDE_PLAIN,
        notes=["S-tied has about 60 judged documents a topic in about ten ties, and IPrec is drawn there."],
    )
    for work, files, measures, allowed in cases.TIES:
        chosen = [option for measure in measures for option in ("-m", measure)]
        _beside_plain(session, table, work, files(), ("--ties", "range"), allowed, common=chosen)
    return table


def _beside_plain(
    session: Session,
    table: Table,
    work: str,
    files: Files,
    options: Sequence[str],
    allowed: float | None,
    common: Sequence[str] = (),
) -> None:
    """The same evaluation without some options and with them."""
    said = " ".join(options)
    say(f"{work} {said}")
    plain, more = _side_by_side(session, by_default(files, *common), by_default(files, *common, *options))
    table.rows.append([work, "", *both(plain), "", "", "", ""])
    table.rows.append(["", said, *both(more), *session.times_as_long(f"{work} {said}", plain, more, allowed)])


def _side_by_side(session: Session, plain: Command, more: Command) -> tuple[Times, Times]:
    for command in (plain, more):
        timed(command)  # brings the files into the system's cache
    times = interleaved({"plain": plain, "more": more}, max(2, session.large_repeats))
    return times["plain"], times["more"]


def write_reports(session: Session) -> Table:
    """How long it takes to write a report, and how large it is."""
    table = Table(
        ("work", "best", "median", "size", "allowed", ""),
        notes=["1000 documents for each run and topic; the page has the first 20 of them."],
    )
    with tempfile.TemporaryDirectory() as place:
        for runs, topics, allowed in cases.REPORTS:
            work, page = f"{runs} runs x {topics} topics", Path(place) / "report.html"
            say(f"report: {work}")
            files = data.report_files(runs, topics)
            times = interleaved({work: report(files, page)}, max(2, session.large_repeats))[work]
            size = page.stat().st_size / 1e6
            met = None if allowed is None else size < allowed
            asked = "" if allowed is None else f"under {allowed:g} MB"
            session.note_missed(met, f"{work}: {size:.2f} MB, asked for {asked}")
            table.rows.append([work, *both(times), f"{size:.2f} MB", asked, verdict(met)])
    return table
