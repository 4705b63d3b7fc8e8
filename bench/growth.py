"""Time per line and peak memory as a run grows."""

from bench import cases, data
from bench.agreement import read_means
from bench.data import Files
from bench.processes import CommandError, Times, interleaved, peak_memory, timed
from bench.progress import say
from bench.report import Table, megabytes, verdict
from bench.session import Session, both
from bench.tools import OURS, evaluate


def growth(session: Session) -> Table:
    """Runs of a million lines and more, each made, measured and removed again."""
    table = Table(("lines", "size", "best", "median", "best per line", "peak memory"))
    per_line = []
    for lines in (lines for lines in cases.GROWTH_LINES if lines <= session.most_lines):
        say(f"growth: {lines} lines")
        if not data.room_for(lines):
            table.notes.append(f"{lines:,} lines: left out, not enough room on the disk.")
            continue
        files = data.growth_files(lines)
        try:
            times, peak = _grown(session, files, lines)
        finally:
            size = files.runs[0].stat().st_size
            data.remove(files)
        per_line.append(times.best / lines)
        cost = f"{per_line[-1] * 1e9:.0f} ns"
        table.rows.append([f"{lines:,}", megabytes(size), *both(times), cost, megabytes(peak)])
    if len(per_line) < 2:
        return table
    # Start-up weighs on the smallest file, so every file is held against the best of all smaller ones.
    rise = max(later / min(per_line[:place]) for place, later in enumerate(per_line) if place)
    met = rise <= cases.GROWTH_ALLOWED
    session.note_missed(met, f"the time per line rises to {rise:.2f} times that of a smaller file")
    table.notes.append(
        f"The time per line is at most {rise:.2f} times that of any smaller file "
        f"(asked for: no rise; allowed for noise: {cases.GROWTH_ALLOWED}): {verdict(met)}. "
        f"The largest file takes {per_line[-1] / per_line[0]:.2f} times the smallest's time per line."
    )
    return table


def _grown(session: Session, files: Files, lines: int) -> tuple[Times, int]:
    command = evaluate(OURS, files)
    # Untimed: brings the file into the system's cache, and shows that no line is skipped.
    counted = read_means(timed(command)[1])[0]["NumRet"]
    if float(counted) != lines:
        raise CommandError(f"{counted} documents were read from {lines} lines")
    times = interleaved({OURS: command}, max(2, session.large_repeats))[OURS]
    return times, peak_memory(command)
