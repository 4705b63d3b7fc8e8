"""`python -m bench`: measure, print the tables, and with `--save` write them as Markdown."""

import argparse
import shutil
import sys
from pathlib import Path

from bench import data, machine
from bench.cases import CASES, DUELS
from bench.measurements import Measurements
from bench.processes import CommandError

PARTS = (
    *(case.name for case in CASES),
    "memory",
    *(duel.name for duel in DUELS),
    "compat",
    "measures",
    "significance",
    "curves",
    "explain",
    "provenance",
    "residuals",
    "ties",
    "report",
    "growth",
)

INTRODUCTION = """# Benchmarks

Made by `make bench ARGS="--save docs/benchmarks.md"`; all figures come from one go on one machine.

- Every tool runs as a process of its own, timed from its start to the printed means, in turn with the others.
  The input was read once before, so it is in the system's file cache.
- A ratio is the peer's time divided by ours. A floor counts as met only if both the ratio of the best times
  and the ratio of the median times reach it.
- Before a case is timed, Cranfield (profile `trec_eval-9`) and pytrec_eval must print the same means; the same holds
  for the peers of the comparisons in memory.
- The data is made by `bench/data.py` from fixed seeds.
"""


def main() -> int:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Cranfield beside its peers.")
    parser.add_argument("--only", metavar="PART,...", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--repeat", type=int, metavar="N", help="repetitions (default 5; large cases 3)")
    parser.add_argument(
        "--quick", action="store_true", help="fewer repetitions (3; large cases 1), growth to 5 million lines"
    )
    parser.add_argument("--small", action="store_true", help="growth to 10 million lines, not 50")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the tables as Markdown too")
    parser.add_argument(
        "--clean", action="store_true", help="delete the data that was made for the benchmark, and stop"
    )
    arguments = parser.parse_args()
    if arguments.clean:
        shutil.rmtree(data.folder(), ignore_errors=True)
        return 0
    parts = arguments.only.split(",") if arguments.only else list(PARTS)
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"unknown part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    if arguments.repeat is not None and arguments.repeat < 1:
        parser.error(f"--repeat {arguments.repeat}: expected 1 or more")

    machine.use_two_cores()
    small, large = (3, 1) if arguments.quick else (5, 3)
    measurements = Measurements(
        small_repeats=arguments.repeat or small,
        large_repeats=arguments.repeat or large,
        most_lines=5_000_000 if arguments.quick else 10_000_000 if arguments.small else 50_000_000,
    )
    about = [
        *machine.describe(),
        f"Load average before: {machine.load()} (anything above 0 makes the figures noisy)",
    ]
    print("\n".join(about), end="\n\n")
    tables = []
    try:
        for table in measurements.tables(parts):
            tables.append(table)
            print(table.plain(), flush=True)
    except CommandError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    if arguments.save:
        arguments.save.parent.mkdir(parents=True, exist_ok=True)
        lines = "\n".join(f"- {line}" for line in about)
        arguments.save.write_text("\n".join([INTRODUCTION, lines, "", *(table.markdown() for table in tables)]))
    return 1 if measurements.wrong else 0


sys.exit(main())
