"""The measurements, one method per table."""

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from bench import cases, data
from bench.agreement import differences, read_means
from bench.cases import CASES, DUELS, MIGRATIONS, Case, Duel, Migration
from bench.data import Files
from bench.processes import Command, CommandError, Times, interleaved, peak_memory, timed
from bench.report import Table, megabytes, milliseconds, ratio, seconds, verdict
from bench.tools import (
    OURS,
    PEERS,
    by_default,
    curves,
    evaluate,
    every_measure,
    explain,
    in_memory,
    migrated,
    report,
    significance,
    with_layout,
)


class Measurements:
    """How often to repeat what, and what turned out wrong, missed or lost on the way."""

    def __init__(self, *, small_repeats: int, large_repeats: int, most_lines: int) -> None:
        self.small_repeats = small_repeats
        self.large_repeats = large_repeats
        self.most_lines = most_lines
        self.wrong: list[str] = []
        self.missed: list[str] = []
        self.lost: list[str] = []

    def tables(self, parts: Sequence[str]) -> Iterator[Table]:
        """Measure the parts asked for, a table at a time."""
        chosen = [case for case in CASES if case.name in parts]
        if chosen:
            yield self.end_to_end(chosen)
        others: dict[str, Callable[[], Table]] = {
            "memory": self.memory,
            **{duel.name: partial(self.duel, duel) for duel in DUELS},
            "compat": self.compat,
            "measures": self.every_measure,
            "significance": self.significance,
            "curves": self.curves,
            "explain": self.explain,
            "provenance": self.provenance,
            "residuals": self.residuals,
            "ties": self.ties,
            "report": self.report,
            "growth": self.growth,
        }
        for part, measure in others.items():
            if part in parts:
                try:
                    yield measure()
                except CommandError as error:
                    self.wrong.append(f"{part}: failed. {error}")
        yield self.verdicts()

    def end_to_end(self, chosen: Sequence[Case]) -> Table:
        """Each case, from files to printed means."""
        table = Table(
            "End to end, from files to printed means",
            ("case", "work", "tool", "best", "median", "ratio of best", "ratio of median", "asked for", ""),
            notes=[
                "ir_measures has no gm_map, ranx neither it nor interpolated precision: they do less work.",
                "ranx compiles with Numba: it ran once before, so that what it can keep compiled is, "
                "and what it compiles every time is included.",
            ],
        )
        self._warm_up(chosen)
        for case in chosen:
            _say(f"{case.name}: {case.work}")
            files = case.files()
            commands = {tool: evaluate(tool, files, every_measure=case.every_measure) for tool in (OURS, *case.floors)}
            try:
                agree = self._agree(case.name, commands)
                times = interleaved(commands, self._repeats(case)) if agree else {}
            except CommandError as error:
                self.wrong.append(f"{case.name}: failed. {error}")
                times = {}
            if times:
                self._add_case(table, case, times)
            else:
                table.rows.append((case.name, case.work, OURS, *[""] * 5, "**WRONG**, not timed"))
        return table

    def _repeats(self, case: Case) -> int:
        return self.large_repeats if case.large else self.small_repeats

    def _warm_up(self, chosen: Sequence[Case]) -> None:
        """Fill the caches of byte code and of compiled functions."""
        files = data.tiny_files()
        for tool in {OURS} | {peer for case in chosen for peer in case.floors}:
            _say(f"warming up {tool}")
            timed(evaluate(tool, files))

    def _agree(self, name: str, commands: dict[str, Command], peer: str = "pytrec_eval") -> bool:
        """Whether ours and a peer print the same; this also brings the files into the system's cache."""
        ours, theirs = (read_means(timed(commands[tool])[1]) for tool in (OURS, peer))
        found = differences(ours, theirs)
        if found:
            self.wrong.append(f"{name}: {len(found)} means differ from {peer}'s, such as {'; '.join(found[:3])}")
        return not found

    def _add_case(self, table: Table, case: Case, times: dict[str, Times]) -> None:
        ours = times[OURS]
        allowed = case.seconds_allowed
        met = None if allowed is None else ours.median < allowed
        asked = "" if allowed is None else f"under {allowed} s"
        self._note_missed(met, f"{case.name}: {seconds(ours.median)}, asked for {asked}")
        table.rows.append([case.name, case.work, OURS, *_both(ours), "", "", asked, verdict(met)])
        for peer, floor in case.floors.items():
            compared = self._compare(case.name, ours, peer, times[peer], floor)
            table.rows.append(["", "", peer, *_both(times[peer]), *compared])

    def _compare(self, work: str, ours: Times, peer: str, theirs: Times, floor: float | None) -> list[str]:
        """Four cells: the ratios, what was asked for, and whether it was met."""
        of_best, of_median = theirs.best / ours.best, theirs.median / ours.median
        reached = min(of_best, of_median)
        met = None if floor is None else reached >= floor
        self._note_missed(met, f"{work}: {ratio(reached)} {peer}, asked for {floor}x")
        if reached < 1:
            self.lost.append(f"{work}: {ratio(reached)} {peer}")
        return [ratio(of_best), ratio(of_median), "report" if floor is None else f"{floor}x", verdict(met)]

    def memory(self) -> Table:
        """Peak memory of all processes of each tool together, on L."""
        table = Table(
            "Peak memory on L, all processes together",
            ("tool", "peak", "times ours", "asked for", ""),
            notes=["Proportional set size, sampled every few milliseconds in runs that are not timed."],
        )
        files = data.l_files()
        peaks = {}
        for tool in (OURS, *PEERS):
            _say(f"memory of {tool}")
            peaks[tool] = peak_memory(evaluate(tool, files))
        allowed = cases.L_MEGABYTES_ALLOWED
        met = peaks[OURS] <= allowed * 1_000_000
        self._note_missed(met, f"memory on L: {megabytes(peaks[OURS])}, asked for at most {allowed} MB")
        table.rows.append((OURS, megabytes(peaks[OURS]), "", f"at most {allowed} MB", verdict(met)))
        table.rows += [(peer, megabytes(peaks[peer]), ratio(peaks[peer] / peaks[OURS]), "", "") for peer in PEERS]
        return table

    def duel(self, duel: Duel) -> Table:
        """One call of ours on a parsed run against one of a peer's."""
        table = Table(
            duel.title,
            ("tool", "best", "median", "ratio of best", "ratio of median", "asked for", ""),
            notes=["Each figure is the first call in a new process, without reading the files."],
        )
        _say(duel.name)
        commands = {tool: in_memory(duel.script, tool, duel.files()) for tool in (OURS, duel.peer)}
        if not self._agree(duel.name, commands, duel.peer):
            table.rows.append((OURS, *[""] * 5, "**WRONG**, not timed"))
            return table
        measured: dict[str, list[float]] = {tool: [] for tool in commands}
        for _ in range(self.large_repeats):
            for tool, command in commands.items():
                first_line = timed(command)[1].partition("\n")[0]
                measured[tool].append(float(first_line.split("\t")[2]))
        ours, theirs = (Times(tuple(measured[tool])) for tool in commands)
        compared = self._compare(duel.name, ours, duel.peer, theirs, duel.floor)
        table.rows.append([OURS, *_both(ours), "", "", "", ""])
        table.rows.append([duel.peer, *_both(theirs), *compared])
        return table

    def compat(self) -> Table:
        """Scripts of other libraries, with one line changed."""
        table = Table(
            "One line changed: scripts under other libraries, and under their faces here",
            ("work", "tool", "best", "median", "ratio of best", "ratio of median", "asked for", ""),
            notes=[
                "The same script with `import LIBRARY` and with `from cranfield.compat import LIBRARY`, each time in a "
                "new process: the time without its imports, and of the whole process.",
            ],
        )
        for migration in MIGRATIONS:
            self._add_migration(table, migration)
        return table

    def _add_migration(self, table: Table, migration: Migration) -> None:
        _say(f"compat: {migration.name}")
        modules = {OURS: f"cranfield.compat.{migration.library}", migration.library: migration.library}
        commands = {
            tool: migrated(migration.script, module, migration.files(), migration.options)
            for tool, module in modules.items()
        }
        if not self._agree(migration.name, commands, migration.library):
            table.rows.append((migration.work, OURS, *[""] * 5, "**WRONG**, not timed"))
            return
        inside: dict[str, list[float]] = {tool: [] for tool in commands}
        whole: dict[str, list[float]] = {tool: [] for tool in commands}
        for _ in range(self.large_repeats if migration.large else self.small_repeats):
            for tool, command in commands.items():
                taken, printed = timed(command)
                whole[tool].append(taken)
                inside[tool].append(float(printed.partition("\n")[0].split("\t")[2]))
        for what, times, floor in (("", inside, migration.floor), (", whole process", whole, None)):
            ours, theirs = (Times(tuple(times[tool])) for tool in commands)
            compared = self._compare(migration.name + what, ours, migration.library, theirs, floor)
            table.rows.append([migration.work + what, OURS, *_both(ours), "", "", "", ""])
            table.rows.append(["", migration.library, *_both(theirs), *compared])

    def every_measure(self) -> Table:
        """Each measure beside AP, on S and on L."""
        table = Table(
            "Every measure in memory, beside AP on the same data",
            (
                "measure",
                "S alone",
                "times AP",
                "S call",
                "times AP",
                "L alone",
                "times AP",
                "L call",
                "times AP",
                "why",
            ),
            notes=[
                "*Alone* is the measure on a run whose documents have been ranked and looked up; *call* is all of it, "
                "`Evaluator(qrels, measure)(run)`. The best of several, every measure in turn in one process.",
                f"Asked for: at most {cases.TIMES_AP_ALLOWED} times AP, or a reason.",
            ],
        )
        times = []
        for name, files, repeats in (
            ("S", data.s_files(), 4 * self.small_repeats),
            ("L", data.l_files(), self.large_repeats),
        ):
            _say(f"every measure on {name}")
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
                self._note_missed(False, f"{measure}: {worst:.1f} times AP, without a reason")
            table.rows.append([*cells, why if worst > cases.TIMES_AP_ALLOWED else ""])
        return table

    def curves(self) -> Table:
        """The numbers of curves, on a run in memory."""
        table = Table(
            "Curves, in memory",
            ("work", "tool", "best", "median", "ratio of best", "ratio of median", "asked for", ""),
            notes=[
                "From judgments and a run in memory. scikit-learn gets its labels ready made and computes only "
                "`precision_recall_curve` and `roc_curve`, topic by topic; what it takes for all topics is reckoned "
                "from 500 of them.",
            ],
        )
        _say("curves")
        lines = [line.split("\t") for line in timed(curves(data.l_files(), self.large_repeats))[1].splitlines()]
        times = {(work, tool): Times(tuple(map(float, values))) for work, tool, *values in lines}
        for (work, tool), taken in times.items():
            if tool == OURS:
                table.rows.append([cases.CURVES_WORK[work], OURS, *_both(taken), "", "", "", ""])
                continue
            compared = self._compare(f"curves, {work}", times[work, OURS], tool, taken, cases.CURVES_FLOORS[work])
            table.rows.append(["", tool, *_both(taken), *compared])
        return table

    def significance(self) -> Table:
        """Significance tests on scores in memory."""
        table = Table(
            "Significance tests, scores in memory",
            ("work", "tool", "best", "median", "ratio of best", "ratio of median", "asked for", ""),
            notes=[
                "All in one process and warm: each call was made once before.",
                "What SciPy takes for all pairs is reckoned from 50 of the 4950, one after the other.",
            ],
        )
        _say("significance")
        lines = [line.split("\t") for line in timed(significance(self.large_repeats))[1].splitlines()]
        times = {(work, tool): Times(tuple(map(float, values))) for work, tool, *values in lines}
        for (work, tool), taken in times.items():
            if tool == OURS:
                table.rows.append([cases.SIGNIFICANCE_WORK[work], OURS, *_both(taken), "", "", "", ""])
                continue
            floor = cases.SIGNIFICANCE_FLOORS[work, tool]
            table.rows.append(["", tool, *_both(taken), *self._compare(work, times[work, OURS], tool, taken, floor)])
        return table

    def explain(self) -> Table:
        """The value of one query of a large run, explained."""
        table = Table(
            "Explain: one query of L",
            ("measure", "best", "median", "asked for", ""),
            notes=["From the start of the process to the explanation; the file is in the system's cache."],
        )
        _say("explain")
        files, allowed = data.l_files(), cases.EXPLAIN_SECONDS_ALLOWED
        commands = {measure: explain(files, measure) for measure in cases.EXPLAINED}
        timed(commands[cases.EXPLAINED[0]])  # brings the file into the system's cache
        for measure, times in interleaved(commands, self.small_repeats).items():
            met = times.median < allowed
            self._note_missed(met, f"explain {measure}: {seconds(times.median)}, asked for under {allowed} s")
            table.rows.append([measure, *_both(times), f"under {allowed} s", verdict(met)])
        return table

    def provenance(self) -> Table:
        """What the SHA-256 of all files costs, which JSON output has and tsv has not."""
        table = Table(
            "Provenance: L with the SHA-256 of all files (json), beside L without (tsv)",
            ("layout", "best", "median", "times tsv, best", "times tsv, median", "allowed", ""),
        )
        _say("provenance")
        files = data.l_files()
        commands = {layout: with_layout(files, layout) for layout in ("tsv", "json")}
        for command in commands.values():
            timed(command)  # brings the files into the system's cache
        times = interleaved(commands, max(2, self.large_repeats))
        tsv, hashed = times["tsv"], times["json"]
        of_best, of_median, allowed = hashed.best / tsv.best, hashed.median / tsv.median, cases.PROVENANCE_ALLOWED
        met = max(of_best, of_median) <= allowed
        self._note_missed(met, f"provenance: {max(of_best, of_median):.2f} times tsv, allowed {allowed}")
        table.rows.append(["tsv", *_both(tsv), "", "", "", ""])
        table.rows.append(["json", *_both(hashed), ratio(of_best), ratio(of_median), f"{allowed}x", verdict(met)])
        return table

    def residuals(self) -> Table:
        """What it costs to know what unjudged documents leave open, where nearly everything is unjudged."""
        table = Table(
            "Residuals: L by the default measures with the bounds that unjudged documents leave, beside L without",
            ("work", "option", "best", "median", "times plain, best", "times plain, median", "allowed", ""),
        )
        self._beside_plain(table, "L", data.l_files(), ("--residuals",), cases.RESIDUALS_ALLOWED)
        return table

    def report(self) -> Table:
        """How long it takes to write a report, and how large it is."""
        table = Table(
            "Report: from files to a page with all plots",
            ("work", "best", "median", "size", "allowed", ""),
            notes=["1000 documents for each run and topic; the page has the first 20 of them."],
        )
        with tempfile.TemporaryDirectory() as place:
            for runs, topics, allowed in cases.REPORTS:
                work, page = f"{runs} runs x {topics} topics", Path(place) / "report.html"
                _say(f"report: {work}")
                files = data.report_files(runs, topics)
                times = interleaved({work: report(files, page)}, max(2, self.large_repeats))[work]
                size = page.stat().st_size / 1e6
                met = None if allowed is None else size < allowed
                asked = "" if allowed is None else f"under {allowed:g} MB"
                self._note_missed(met, f"report of {work}: {size:.2f} MB, asked for {asked}")
                table.rows.append([work, *_both(times), f"{size:.2f} MB", asked, verdict(met)])
        return table

    def ties(self) -> Table:
        """What it costs to know what ties leave open: of a run without ties, with many, and with nothing else."""
        table = Table(
            "Ties: values over all orders of tied documents, beside those by identifier",
            ("work", "option", "best", "median", "times plain, best", "times plain, median", "allowed", ""),
            notes=["S-tied has about 60 judged documents a topic in about ten ties, and IPrec is drawn there."],
        )
        for work, files, measures, allowed in cases.TIES:
            chosen = [option for measure in measures for option in ("-m", measure)]
            self._beside_plain(table, work, files(), ("--ties", "range"), allowed, common=chosen)
        return table

    def _beside_plain(
        self,
        table: Table,
        work: str,
        files: Files,
        options: Sequence[str],
        allowed: float | None,
        common: Sequence[str] = (),
    ) -> None:
        """The same evaluation without some options and with them."""
        said = " ".join(options)
        _say(f"{work} {said}")
        commands = {"plain": by_default(files, *common), said: by_default(files, *common, *options)}
        for command in commands.values():
            timed(command)  # brings the files into the system's cache
        times = interleaved(commands, max(2, self.large_repeats))
        plain, more = times["plain"], times[said]
        of_best, of_median = more.best / plain.best, more.median / plain.median
        met = None if allowed is None else max(of_best, of_median) <= allowed
        self._note_missed(met, f"{work} {said}: {max(of_best, of_median):.2f} times plain, allowed {allowed}")
        table.rows.append([work, "", *_both(plain), "", "", "", ""])
        asked = "report" if allowed is None else f"{allowed}x"
        table.rows.append(["", said, *_both(more), ratio(of_best), ratio(of_median), asked, verdict(met)])

    def growth(self) -> Table:
        """Time per line and peak memory as the run grows."""
        table = Table(
            "Growth: Cranfield on runs of 1000 documents a query",
            ("lines", "size", "best", "median", "best per line", "peak memory"),
        )
        per_line = []
        for lines in (lines for lines in cases.GROWTH_LINES if lines <= self.most_lines):
            _say(f"growth: {lines} lines")
            if not data.room_for(lines):
                table.notes.append(f"{lines:,} lines: left out, not enough room on the disk.")
                continue
            files = data.growth_files(lines)
            try:
                times, peak = self._grown(files, lines)
            finally:
                size = files.runs[0].stat().st_size
                data.remove(files)
            per_line.append(times.best / lines)
            cost = f"{per_line[-1] * 1e9:.0f} ns"
            table.rows.append([f"{lines:,}", megabytes(size), *_both(times), cost, megabytes(peak)])
        if len(per_line) < 2:
            return table
        # Start-up weighs on the smallest file, so every file is held against the best of all smaller ones.
        rise = max(later / min(per_line[:place]) for place, later in enumerate(per_line) if place)
        met = rise <= cases.GROWTH_ALLOWED
        self._note_missed(met, f"growth: the time per line rises to {rise:.2f} times that of a smaller file")
        table.notes.append(
            f"The time per line is at most {rise:.2f} times that of any smaller file "
            f"(asked for: no rise; allowed for noise: {cases.GROWTH_ALLOWED}): {verdict(met)}. "
            f"The largest file takes {per_line[-1] / per_line[0]:.2f} times the smallest's time per line."
        )
        return table

    def _grown(self, files: Files, lines: int) -> tuple[Times, int]:
        command = evaluate(OURS, files)
        # Untimed: brings the file into the system's cache, and shows that no line is skipped.
        counted = read_means(timed(command)[1])[0]["NumRet"]
        if float(counted) != lines:
            raise CommandError(f"{counted} documents were read from {lines} lines")
        times = interleaved({OURS: command}, max(2, self.large_repeats))[OURS]
        return times, peak_memory(command)

    def verdicts(self) -> Table:
        """What was wrong and what was lost, in one place."""
        table = Table("What was missed or lost", ("kind", "what"))
        table.rows += [("wrong", what) for what in self.wrong]
        table.rows += [("floor missed", what) for what in self.missed]
        table.rows += [("slower than a peer", what) for what in self.lost]
        if not table.rows:
            table.rows.append(("nothing", "every floor measured was met"))
        return table

    def _note_missed(self, met: bool | None, what: str) -> None:
        if met is False:
            self.missed.append(what)


def _both(times: Times) -> list[str]:
    return [seconds(times.best), seconds(times.median)]


def _say(what: str) -> None:
    """Progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"... {what}", file=sys.stderr, flush=True)
