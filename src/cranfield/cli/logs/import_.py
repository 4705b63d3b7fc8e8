"""`cranfield logs import`."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import click

from cranfield.cli.completion import FILE
from cranfield.cli.options import formats_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.sections import Section, show_sections
from cranfield.errors import UsageError
from cranfield.logs.folder import Source
from cranfield.logs.importing import FORMATS, Imported, Ways, import_files
from cranfield.logs.settling import Rules

SALT = "CRANFIELD_LOG_SALT"


@click.command("import", epilog="Example: cranfield logs import ubi-*.ndjson.gz -o shop-log")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option("-o", "--output", "log", required=True, metavar="LOG", type=FILE, help="The folder of the log.")
@click.option("--from", "kind", type=click.Choice(list(FORMATS)), default="ubi", show_default=True, help="The format.")
@click.option(
    "--rank-base",
    multiple=True,
    metavar="[APPLICATION=]0|1",
    help="Whether ranks begin with 0 or 1; may be repeated.  [default: found out]",
)
@click.option("--time-zone", default="UTC", show_default=True, help="Of times that name none, such as Europe/Berlin.")
@click.option("--gap", default=30.0, show_default=True, help="Minutes of silence that end a session.")
@click.option("--bot-queries", default=30, show_default=True, help="Who puts more queries in a minute is a bot.")
@click.option(
    "--click-action",
    "click_actions",
    multiple=True,
    metavar="NAME",
    help="What is a click on a result; may be repeated.  [default: click, item_click, product_click]",
)
@click.option("--anonymity", default=0, metavar="K", help="Leave out queries that fewer than K users put.")
@click.option(
    "--salt-file",
    type=FILE,
    metavar="FILE",
    help=f"The secret that users are hashed with; made if it is not there.  [default: ${SALT}, or LOG.salt]",
)
@formats_option
def command(
    files: tuple[str, ...],
    log: str,
    kind: str,
    rank_base: tuple[str, ...],
    time_zone: str,
    gap: float,
    bot_queries: int,
    click_actions: tuple[str, ...],
    anonymity: int,
    salt_file: str | None,
    layout: str | None,
) -> None:
    """Add files to a log, which is made if it is not there.

    Every row is kept, or rejected with a reason in LOG/rejected; a file that is there already is not read again.
    Users and sessions are hashed with a secret. What was ended in the middle goes on with the next call.
    """
    ways = Ways(kind, time_zone, _rank_base(rank_base), _salt(salt_file, log))
    rules = Rules(gap, bot_queries, click_actions or Rules.click_actions, anonymity)
    with showing_progress():
        found = import_files(files, log, ways, rules)
    _show(found, log, layout)


def _rank_base(said: tuple[str, ...]) -> dict[str, int]:
    bases = {}
    for one in said:
        application, _, base = one.rpartition("=")
        if base not in ("0", "1"):
            raise UsageError(f"--rank-base {one}: expected 0 or 1, or APPLICATION=0 or APPLICATION=1")
        bases[application] = int(base)
    return bases


def _salt(file: str | None, log: str) -> str:
    """The secret, which is made once; only its owner can read it."""
    if file is None and os.environ.get(SALT):
        return os.environ[SALT]
    place = Path(file) if file is not None else Path(f"{log.rstrip('/')}.salt")
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
            out.write(secrets.token_hex(32) + "\n")
        click.echo(
            f"cranfield: users are hashed with the secret in {place}: keep it, and keep it from others", err=True
        )
    return place.read_text().strip()


def _show(found: Imported, log: str, layout: str | None) -> None:
    rows = [_row(source) for source in found.added]
    reasons = [
        (source.name, reason, count) for source in found.added for reason, count in sorted(source.rejected.items())
    ]
    record = found.record
    notes = [f"{name}: was imported before, and is not read again" for name in found.known]
    notes += [f"{count:,} {what}" for what, count in record.notes.items() if count]
    if reasons:
        notes.append(f"rejected rows are in {Path(log) / 'rejected'}, each with its reason")
    show_sections(
        {
            "sources": Section(("source", "rows", "kept", "rejected", "queries", "shown", "events"), rows),
            "rejected": Section(("source", "reason", "rows"), reasons, "Rejected", left=2),
        },
        layout,
        None,
        usual=("sources", "rejected"),
        whole={
            "sources": [
                {
                    "name": one.name,
                    "read": one.read,
                    "rows_kept": one.rows_kept,
                    "kept": one.kept,
                    "rejected": one.rejected,
                }
                for one in found.added
            ],
            "known": list(found.known),
            "rows": record.rows,
            "notes": record.notes,
        },
        said=[
            f"{log}: {record.rows['queries']:,} queries, {record.rows['impressions']:,} documents shown, "
            f"{record.rows['events']:,} events"
        ],
        notes=notes,
    )


def _row(source: Source) -> tuple[str | int, ...]:
    kept = (source.kept.get(kind, 0) for kind in ("query", "impression", "event"))
    return (source.name, source.read, source.rows_kept, sum(source.rejected.values()), *kept)
