"""The judging application under load: many assessors at a real server on loopback."""

import contextlib
import os
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bench import machine
from bench.report import Table, milliseconds, verdict
from bench.session import Session
from tests.web.load.assessors import Assessor, at_once, percentile
from tests.web.load.installation import ROOT, Installation, postgres_database

ALLOWED = 0.2
"""Seconds from an answer to its outcome and the next document, for 95 of 100."""
THINKING = (2.0, 1.0)
"""Seconds that an assessor looks at a document, on average: what pages of review take for the least one needs to read,
and half of that, as in a rush."""
ANSWERS = 40
"""How many each of them gives."""


def answer_and_next(session: Session) -> Table:
    """Assessors who judge at once: as fast as people do, in a rush, and as fast as the server lets them."""
    table = Table(
        (
            "database",
            "assessors",
            "thinking",
            "answers",
            "a second",
            "processor time each",
            "median",
            "95 of 100",
            "99 of 100",
            "slowest",
            "asked for",
            "",
        ),
        notes=[
            "The server is one process of waitress; assessors look at a document for as long as *thinking* says on "
            "average (half of it to half as much again), or not at all: then each sends an answer as soon as the one "
            f"before came back, which is more than people do, and shows what the server can take. Each gives {ANSWERS} "
            "answers; an answer and the next document are one request. Three judgments are wanted of each document. "
            "The assessors and the database run on the same cores. Processor time is that of the server's process.",
        ],
    )
    for database, assessors in (("SQLite", 15), ("PostgreSQL", 50)):
        server = _postgres() if database == "PostgreSQL" else ""
        if server is None:
            session.note_wrong("PostgreSQL does not run: `make services` starts it")
            continue
        for thinking in (*THINKING, 0.0):
            found = _measure(server, assessors, thinking)
            slow = percentile(found.taken, 0.95)
            if thinking:
                session.note_missed(
                    slow <= ALLOWED, f"{database}, {thinking:g} s: 95 of 100 within {milliseconds(slow)}"
                )
            figures = [percentile(found.taken, share) for share in (0.5, 0.95, 0.99, 1.0)]
            row = [database, str(assessors), f"{thinking:g} s" if thinking else "none", str(len(found.taken))]
            row += [f"{len(found.taken) / found.seconds:.0f}", milliseconds(found.processor / len(found.taken))]
            asked = [milliseconds(ALLOWED), verdict(slow <= ALLOWED)] if thinking else ["", ""]
            table.rows.append([*row, *map(milliseconds, figures), *asked])
        table.notes.append(f"Load average after {database}: {machine.load()}.")
    return table


class Measured(NamedTuple):
    """How long each answer took, all of them together, and what the server's process spent on them."""

    taken: list[float]
    seconds: float
    processor: float


def _measure(server: str, count: int, thinking: float) -> Measured:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(postgres_database(server)) if server else ""
        installation = Installation(folder, url)
        stack.callback(installation.kill)
        installation.migrate()
        made = installation.ask("make", count, 10, max(60, count * ANSWERS // 20), 3, 30)
        installation.start()
        assessors = [
            Assessor(installation.port, made["project"], cookies, made["scale"], seed, thinking, at_most=ANSWERS)
            for seed, cookies in enumerate(made["cookies"])
        ]
        begun, spent = time.monotonic(), installation.processor_seconds()
        for thread in at_once(assessors):
            thread.join()
        seconds, spent = time.monotonic() - begun, installation.processor_seconds() - spent
        for assessor in assessors:
            if assessor.error is not None:
                raise assessor.error
        return Measured([taken for assessor in assessors for taken in assessor.taken], seconds, spent)


def _postgres() -> str | None:
    noted = ROOT / ".services" / "environment"
    lines = noted.read_text().splitlines() if noted.exists() else []
    return (dict(line.split("=", 1) for line in lines) | os.environ).get("CRANFIELD_TEST_POSTGRES")
