"""`python -m bench`: measure, print the tables, and with `--save` write them as Markdown."""

import argparse
import shutil
import signal
import sys
from pathlib import Path

from bench import data, machine, page
from bench.measurements import PARTS, TITLES, tables
from bench.processes import CommandError
from bench.session import Session


def main() -> int:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Cranfield beside its peers.")
    parser.add_argument("--only", metavar="PART,...", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--repeat", type=int, metavar="N", help="repetitions (default 5; large cases 3)")
    parser.add_argument(
        "--quick", action="store_true", help="fewer repetitions (3; large cases 1), growth to 5 million lines"
    )
    parser.add_argument(
        "--small", action="store_true", help="growth to 10 million lines, not 50; smaller logs, and fewer runs"
    )
    parser.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="write the tables as Markdown too; with --only the others there stay",
    )
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

    # So that what was started is stopped, whichever way this ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    machine.use_two_cores()
    small, large = (3, 1) if arguments.quick else (5, 3)
    session = Session(
        parts,
        small_repeats=arguments.repeat or small,
        large_repeats=arguments.repeat or large,
        most_lines=5_000_000 if arguments.quick else 10_000_000 if arguments.small else 50_000_000,
    )
    about = [
        *machine.describe(),
        f"Load average before: {machine.load()} (anything above 0 makes the figures noisy)",
    ]
    print("\n".join(about), end="\n\n")
    measured = []
    try:
        for table in tables(session):
            measured.append(table)
            print(table.plain(), flush=True)
    except CommandError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    if arguments.save:
        arguments.save.parent.mkdir(parents=True, exist_ok=True)
        if arguments.only and arguments.save.exists():
            text = page.refreshed_page(arguments.save.read_text(), about, measured, parts, TITLES)
        else:
            text = page.new_page(about, measured)
        arguments.save.write_text(text)
    return 1 if session.wrong else 0


sys.exit(main())
