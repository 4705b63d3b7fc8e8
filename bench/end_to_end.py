"""From files to printed means, beside the peers: time, and peak memory."""

from collections.abc import Sequence

from bench import cases, data
from bench.cases import CASES, Case
from bench.processes import CommandError, Times, interleaved, peak_memory, timed
from bench.progress import say
from bench.report import Table, megabytes, ratio, seconds, verdict
from bench.session import Session, both
from bench.tools import OURS, PEERS, evaluate


def end_to_end(session: Session) -> Table:
    """Each case that is asked for."""
    table = Table(
        ("case", "work", "tool", "best", "median", "ratio of best", "ratio of median", "asked for", ""),
        notes=[
            "ir_measures has no gm_map, ranx neither it nor interpolated precision: they do less work.",
            "ranx compiles with Numba: it ran once before, so that what it can keep compiled is, "
            "and what it compiles every time is included.",
        ],
    )
    chosen = [case for case in CASES if case.name in session.parts]
    _warm_up(chosen)
    for case in chosen:
        say(f"{case.name}: {case.work}")
        session.part = case.name
        files = case.files()
        commands = {tool: evaluate(tool, files, every_measure=case.every_measure) for tool in (OURS, *case.floors)}
        repeats = session.large_repeats if case.large else session.small_repeats
        try:
            times = interleaved(commands, repeats) if session.agree(case.name, commands) else {}
        except CommandError as error:
            session.note_wrong(f"failed. {error}")
            times = {}
        if times:
            _add_case(session, table, case, times)
        else:
            table.rows.append((case.name, case.work, OURS, *[""] * 5, "**WRONG**, not timed"))
    return table


def _warm_up(chosen: Sequence[Case]) -> None:
    """Fill the caches of byte code and of compiled functions."""
    files = data.tiny_files()
    for tool in {OURS} | {peer for case in chosen for peer in case.floors}:
        say(f"warming up {tool}")
        timed(evaluate(tool, files))


def _add_case(session: Session, table: Table, case: Case, times: dict[str, Times]) -> None:
    ours = times[OURS]
    allowed = case.seconds_allowed
    met = None if allowed is None else ours.median < allowed
    asked = "" if allowed is None else f"under {allowed} s"
    session.note_missed(met, f"{seconds(ours.median)}, asked for {asked}")
    table.rows.append([case.name, case.work, OURS, *both(ours), "", "", asked, verdict(met)])
    for peer, floor in case.floors.items():
        compared = session.compare(case.work, ours, peer, times[peer], floor)
        table.rows.append(["", "", peer, *both(times[peer]), *compared])


def memory(session: Session) -> Table:
    """Peak memory of all processes of each tool together, on L."""
    table = Table(
        ("tool", "peak", "times ours", "asked for", ""),
        notes=["Proportional set size, sampled every few milliseconds in runs that are not timed."],
    )
    files = data.l_files()
    peaks = {}
    for tool in (OURS, *PEERS):
        say(f"memory of {tool}")
        peaks[tool] = peak_memory(evaluate(tool, files))
    allowed = cases.L_MEGABYTES_ALLOWED
    met = peaks[OURS] <= allowed * 1_000_000
    session.note_missed(met, f"{megabytes(peaks[OURS])} on L, asked for at most {allowed} MB")
    table.rows.append((OURS, megabytes(peaks[OURS]), "", f"at most {allowed} MB", verdict(met)))
    table.rows += [(peer, megabytes(peaks[peer]), ratio(peaks[peer] / peaks[OURS]), "", "") for peer in PEERS]
    return table
