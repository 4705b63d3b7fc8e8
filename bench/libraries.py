"""Calls on what is in memory, beside those of other libraries: evaluation, scripts that migrate, curves, tests."""

from bench import cases, data
from bench.cases import MIGRATIONS, Duel, Migration
from bench.processes import Command, Times, timed
from bench.progress import say
from bench.report import Table
from bench.session import Session, both
from bench.tools import OURS, curves, in_memory, migrated, significance

_HEADER = ("work", "tool", "best", "median", "ratio of best", "ratio of median", "asked for", "")


def fight(duel: Duel, session: Session) -> Table:
    """One call of ours on a parsed run against one of a peer's."""
    table = Table(_HEADER[1:], notes=["Each figure is the first call in a new process, without reading the files."])
    say(duel.name)
    commands = {tool: in_memory(duel.script, tool, duel.files()) for tool in (OURS, duel.peer)}
    if not session.agree(duel.name, commands, duel.peer):
        table.rows.append((OURS, *[""] * 5, "**WRONG**, not timed"))
        return table
    inside, _ = _said_and_taken(commands, session.large_repeats)
    ours, theirs = inside.values()
    table.rows.append([OURS, *both(ours), "", "", "", ""])
    table.rows.append([duel.peer, *both(theirs), *session.compare(duel.name, ours, duel.peer, theirs, duel.floor)])
    return table


def compat(session: Session) -> Table:
    """Scripts of other libraries, with one line changed."""
    table = Table(
        _HEADER,
        notes=[
            "The same script with `import LIBRARY` and with `from cranfield.compat import LIBRARY`, each time in a "
            "new process: the time without its imports, and of the whole process.",
        ],
    )
    for migration in MIGRATIONS:
        _add_migration(session, table, migration)
    return table


def _add_migration(session: Session, table: Table, migration: Migration) -> None:
    say(f"compat: {migration.name}")
    modules = {OURS: f"cranfield.compat.{migration.library}", migration.library: migration.library}
    commands = {
        tool: migrated(migration.script, module, migration.files(), migration.options)
        for tool, module in modules.items()
    }
    if not session.agree(migration.name, commands, migration.library):
        table.rows.append((migration.work, OURS, *[""] * 5, "**WRONG**, not timed"))
        return
    repeats = session.large_repeats if migration.large else session.small_repeats
    inside, whole = _said_and_taken(commands, repeats)
    for what, times, floor in (("", inside, migration.floor), (", whole process", whole, None)):
        ours, theirs = times.values()
        compared = session.compare(migration.name + what, ours, migration.library, theirs, floor)
        table.rows.append([migration.work + what, OURS, *both(ours), "", "", "", ""])
        table.rows.append(["", migration.library, *both(theirs), *compared])


def _said_and_taken(commands: dict[str, Command], repeats: int) -> tuple[dict[str, Times], dict[str, Times]]:
    """The time that each script says its work took, and that of its whole process."""
    said: dict[str, list[float]] = {tool: [] for tool in commands}
    taken: dict[str, list[float]] = {tool: [] for tool in commands}
    for _ in range(repeats):
        for tool, command in commands.items():
            seconds, printed = timed(command)
            taken[tool].append(seconds)
            said[tool].append(float(printed.partition("\n")[0].split("\t")[2]))
    inside, whole = ({tool: Times(tuple(times[tool])) for tool in commands} for times in (said, taken))
    return inside, whole


def compare_curves(session: Session) -> Table:
    """The numbers of curves, on a run in memory."""
    table = Table(
        _HEADER,
        notes=[
            "From judgments and a run in memory. scikit-learn gets its labels ready made and computes only "
            "`precision_recall_curve` and `roc_curve`, topic by topic; what it takes for all topics is reckoned "
            "from 500 of them.",
        ],
    )
    say("curves")
    times = _by_work(timed(curves(data.l_files(), session.large_repeats))[1])
    for (work, tool), taken in times.items():
        if tool == OURS:
            table.rows.append([cases.CURVES_WORK[work], OURS, *both(taken), "", "", "", ""])
            continue
        compared = session.compare(work, times[work, OURS], tool, taken, cases.CURVES_FLOORS[work])
        table.rows.append(["", tool, *both(taken), *compared])
    return table


def compare_significance(session: Session) -> Table:
    """Significance tests on scores in memory."""
    table = Table(
        _HEADER,
        notes=[
            "All in one process and warm: each call was made once before.",
            "What SciPy takes for all pairs is reckoned from 50 of the 4950, one after the other.",
        ],
    )
    say("significance")
    times = _by_work(timed(significance(session.large_repeats))[1])
    for (work, tool), taken in times.items():
        if tool == OURS:
            table.rows.append([cases.SIGNIFICANCE_WORK[work], OURS, *both(taken), "", "", "", ""])
            continue
        floor = cases.SIGNIFICANCE_FLOORS[work, tool]
        table.rows.append(["", tool, *both(taken), *session.compare(work, times[work, OURS], tool, taken, floor)])
    return table


def _by_work(printed: str) -> dict[tuple[str, str], Times]:
    """Lines of a script that times several tools at several works: work, tool, seconds of each repetition."""
    lines = [line.split("\t") for line in printed.splitlines()]
    return {(work, tool): Times(tuple(map(float, values))) for work, tool, *values in lines}
