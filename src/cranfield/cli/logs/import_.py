"""`cranfield logs import`."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import click

from cranfield.cli.completion import FILE
from cranfield.cli.logs.rules_options import rules_options
from cranfield.cli.logs.sources import notes_of, rows_said, sections_of, whole_of
from cranfield.cli.options import formats_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.sections import show_sections
from cranfield.errors import UsageError, reason
from cranfield.logs.folder import LogFolder
from cranfield.logs.importing import FORMATS, Imported, Ways, import_files, record_to_grow, secret_of
from cranfield.logs.renewing import rules_of
from cranfield.logs.settling import Rules
from cranfield.logs.staging.columns import Columns, parse_columns
from cranfield.logs.staging.reading import DROPPABLE

SALT = "CRANFIELD_LOG_SALT"
OPENSEARCH = "opensearch"


@click.command("import", epilog="Example: cranfield logs import ubi-*.ndjson.gz -o shop-log")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option("-o", "--output", "log", required=True, metavar="LOG", type=FILE, help="The folder of the log.")
@click.option(
    "--from",
    "kind",
    type=click.Choice([*FORMATS, OPENSEARCH]),
    default="ubi",
    show_default=True,
    help="The format; with opensearch FILE is the URL of a server.",
)
@click.option(
    "--columns",
    metavar="NAME=COLUMN,...",
    help="Of --from table: which column is the query, time, user, …; or a TOML file that says it.",
)
@click.option(
    "--rank-base",
    multiple=True,
    metavar="[APPLICATION=]0|1",
    help="Whether ranks begin with 0 or 1; may be repeated.  [default: found out]",
)
@click.option("--time-zone", default="UTC", show_default=True, help="Of times that name none, such as Europe/Berlin.")
@click.option(
    "--drop",
    multiple=True,
    metavar="COLUMN",
    type=click.Choice(DROPPABLE),
    help=f"Leave out {', '.join(DROPPABLE)}; words become a hash. May be repeated.",
)
@click.option("--no-raw", is_flag=True, help="Keep numbers and reasons of rejected rows, not what they say.")
@rules_options
@click.option(
    "--salt-file",
    type=FILE,
    metavar="FILE",
    help=f"The secret that users are hashed with; made if it is not there.  [default: ${SALT}, or LOG.salt]",
)
@click.option(
    "--basic-auth",
    metavar="VARIABLE",
    help="Of --from opensearch: the environment variable that holds user:password.",
)
@formats_option
def command(
    files: tuple[str, ...],
    log: str,
    kind: str,
    columns: str | None,
    rank_base: tuple[str, ...],
    time_zone: str,
    drop: tuple[str, ...],
    no_raw: bool,
    rules: Callable[[Rules], Rules],
    salt_file: str | None,
    basic_auth: str | None,
    layout: str | None,
) -> None:
    """Add files to a log, which is made if it is not there. A folder or a pattern stands for its files.

    Every row is kept, or rejected with a reason in LOG/rejected; a file that is there already is not read again.
    Of such a file --rank-base counts the ranks anew. Users and sessions are hashed with a secret. What was ended in
    the middle goes on with the next call. Rules that are not named stay as they are.
    """
    if columns is not None and kind != "table":
        raise UsageError("--columns belongs to --from table")
    ways = Ways(
        "ubi" if kind == OPENSEARCH else kind,
        _zone(time_zone),
        _rank_base(rank_base),
        columns=parse_columns(columns) if columns is not None else Columns(),
        drop=drop,
        raw=not no_raw,
    )
    chosen = rules(rules_of(record_to_grow(LogFolder(log))))
    with _secret(salt_file, log) as salt, showing_progress():
        ways = replace(ways, salt=salt)
        if kind == OPENSEARCH:
            found = _from_server(files, log, ways, chosen, basic_auth)
        else:
            found = import_files(files, log, ways, chosen)
    _show(found, log, layout)


def _from_server(files: tuple[str, ...], log: str, ways: Ways, rules: Rules, basic_auth: str | None) -> Imported:
    from cranfield.logs.opensearch import import_from_opensearch

    if len(files) != 1:
        raise UsageError(f"--from opensearch: expected one URL, found {len(files)}")
    if basic_auth is None:
        return import_from_opensearch(files[0], log, ways, rules)
    return import_from_opensearch(files[0], log, ways, rules, basic_auth={"env": basic_auth})


def _zone(name: str) -> str:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"--time-zone {name}: there is no such zone; expected one such as Europe/Berlin") from None


def _rank_base(said: tuple[str, ...]) -> dict[str, int]:
    bases = {}
    for one in said:
        application, _, base = one.rpartition("=")
        if base not in ("0", "1"):
            raise UsageError(f"--rank-base {one}: expected 0 or 1, or APPLICATION=0 or APPLICATION=1")
        bases[application] = int(base)
    return bases


@contextlib.contextmanager
def _secret(file: str | None, log: str) -> Iterator[str]:
    """The secret, which is made once, and not kept if nothing could be imported with it."""
    if file is None and os.environ.get(SALT):
        yield os.environ[SALT]
        return
    place = Path(file) if file is not None else secret_of(log)
    if place.exists():
        yield _read_secret(place)
        return
    if LogFolder(log).exists:
        raise UsageError(
            f"{place}: there is no such file, and with another secret the users of this log would be others: name "
            f"the file with --salt-file, set ${SALT}, or import into another log"
        )
    _make_secret(place)
    try:
        yield _read_secret(place)
    finally:
        if LogFolder(log).exists:
            click.echo(
                f"cranfield: users are hashed with the secret in {place}: keep it, and keep it from others", err=True
            )
        else:
            place.unlink(missing_ok=True)


def _make_secret(place: Path) -> None:
    """Only its owner can read it."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
            out.write(secrets.token_hex(32) + "\n")
    except OSError as error:
        raise UsageError(f"{place}: the secret that users are hashed with cannot be written: {reason(error)}") from None


def _read_secret(place: Path) -> str:
    try:
        salt = place.read_text().strip()
    except (OSError, ValueError) as error:
        raise UsageError(f"{place}: the secret cannot be read: {error}") from None
    if not salt:
        raise UsageError(f"{place}: is empty: without a secret anyone could find out who is who")
    return salt


def _show(found: Imported, log: str, layout: str | None) -> None:
    before = "read before its import was ended, which went on now," if found.went_on else "imported before,"
    counted = dict.fromkeys(found.recounted, "; its ranks are counted anew, as --rank-base says")
    notes = [f"{name}: was {before} and is not read again{counted.get(name, '')}" for name in found.known]
    show_sections(
        sections_of(found.added),
        layout,
        None,
        usual=("sources", "rejected"),
        whole={**whole_of(found.record, found.added), "known": list(found.known)},
        said=[rows_said(log, found.record)],
        notes=[*notes, *notes_of(log, found.record, found.added)],
    )
