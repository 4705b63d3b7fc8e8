"""The engine http beside bare loops over clients of HTTP."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator

from bench.processes import CommandError, Times, timed
from bench.report import Table, ratio, seconds, verdict
from bench.session import Session
from bench.tools import SCRIPTS

TOPICS, AT_ONCE = 10_000, 16
TIMES_ALLOWED = 1.5
"""How many times as long as a bare loop a search may take."""
HITS: dict[int, dict[str, float | None]] = {
    100: {"httpx": TIMES_ALLOWED, "aiohttp": TIMES_ALLOWED},
    10: {"httpx": TIMES_ALLOWED, "aiohttp": None},
}
"""How many hits an answer has, and what is allowed beside each client; None: only reported."""


def search_over_http(session: Session) -> Table:
    """Topics against a server on loopback, by the engine http and by bare loops."""
    table = Table(
        ("hits", "tool", "best", "median", "topics a second", "ours / theirs, best", "median", "allowed", ""),
        notes=[
            "The server is a process of its own that sends the same bytes to everyone. A bare loop reads the JSON and "
            "keeps identifiers and scores; ours also checks every answer and makes a run of them.",
        ],
    )
    for hits, allowed in HITS.items():
        times = _times(hits, session.large_repeats)
        ours = times["cranfield"]
        table.rows.append([str(hits), "cranfield", *_figures(ours), "", "", "", ""])
        for tool, most in allowed.items():
            slower = [ours.best / times[tool].best, ours.median / times[tool].median]
            met = None if most is None else max(slower) <= most
            session.note_missed(met, f"{hits} hits: {ratio(max(slower))} as long as {tool}, allowed {most}x")
            asked = "" if most is None else f"{most}x"
            table.rows.append([str(hits), tool, *_figures(times[tool]), *map(ratio, slower), asked, verdict(met)])
    return table


def _figures(times: Times) -> list[str]:
    return [seconds(times.best), seconds(times.median), f"{TOPICS / times.median:,.0f}"]


def _times(hits: int, repeats: int) -> dict[str, Times]:
    taken: dict[str, list[float]] = {"cranfield": [], "httpx": [], "aiohttp": []}
    with _server(hits) as url:
        for _ in range(repeats):
            for tool, seconds_taken in taken.items():
                script = str(SCRIPTS / "topics_over_http.py")
                printed = timed([sys.executable, script, tool, url, str(TOPICS), str(AT_ONCE)])[1]
                spent, found = printed.split()
                if int(found) != TOPICS * hits:
                    raise CommandError(f"{tool} found {found} hits, not {TOPICS * hits}")
                seconds_taken.append(float(spent))
    return {tool: Times(tuple(values)) for tool, values in taken.items()}


@contextlib.contextmanager
def _server(hits: int) -> Iterator[str]:
    command = [sys.executable, str(SCRIPTS / "answering_server.py"), str(hits)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.stdin.close()
