"""Many assessors at a real server that is killed in the middle: afterwards everything is counted."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines.services import address
from tests.web.load.assessors import Assessor, at_once
from tests.web.load.installation import Installation, postgres_database

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgres"])
def installation(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(postgres_database(address("postgres"))) if request.param == "postgres" else ""
        installed = Installation(tmp_path, url)
        stack.callback(installed.kill)
        installed.migrate()
        yield installed


def judge(installation: Installation, made: dict[str, object], *, fickle: bool, kills: int) -> list[Assessor]:
    """All assessors until nothing is left, with the server killed and started again so many times on the way."""
    cookies = made["cookies"]
    assert isinstance(cookies, list)
    common = {"port": installation.port, "project": str(made["project"]), "scale": str(made["scale"]), "fickle": fickle}
    assessors = [Assessor(cookies=one, seed=seed, **common) for seed, one in enumerate(cookies)]  # type: ignore[arg-type]
    installation.start()
    threads = at_once(assessors)
    for _ in range(kills):
        answered = sum(len(assessor.outcomes) for assessor in assessors)
        while sum(len(assessor.outcomes) for assessor in assessors) < answered + 100:
            if not any(thread.is_alive() for thread in threads):
                raise_first_error(assessors)
                pytest.fail("they were ready before the server could be killed")
            time.sleep(0.01)
        installation.kill()
        time.sleep(0.3)
        installation.start()
    for thread in threads:
        thread.join()
    installation.kill()
    raise_first_error(assessors)
    return assessors


def raise_first_error(assessors: list[Assessor]) -> None:
    for assessor in assessors:
        if assessor.error is not None:
            raise assessor.error


def test_nothing_is_lost_doubled_or_handed_out_too_often(installation: Installation) -> None:
    made = installation.ask("make", 50 if installation.database_url else 15, 4, 50, 3, 30)
    assessors = judge(installation, made, fickle=False, kills=2)
    assert sum(assessor.tried_again for assessor in assessors) > 0
    counts = installation.ask("count")
    sent = [uuid for assessor in assessors for uuid in assessor.outcomes]
    assert sorted(counts["events"]) == sorted(sent)
    assert {status for assessor in assessors for status in assessor.outcomes.values()} == {"recorded"}
    assert counts["judged"] == counts["wanted"] == 4 * 50 * 3
    for what in ("late", "items with too many", "judged by another", "done without an answer", "twice by one"):
        assert counts[what] == [], what


def test_not_even_where_leases_end_at_once_and_people_change_their_minds(installation: Installation) -> None:
    """With leases of no length every document may go to somebody else while it is on somebody's screen."""
    made = installation.ask("make", 8, 3, 20, 2, 0)
    assessors = judge(installation, made, fickle=True, kills=1)
    counts = installation.ask("count")
    kept = {uuid: status for assessor in assessors for uuid, status in assessor.outcomes.items() if status != "refused"}
    assert sorted(counts["events"]) == sorted(kept)
    assert sorted(counts["late"]) == sorted(uuid for uuid, status in kept.items() if status == "late")
    assert counts["judged"] <= counts["wanted"]
    for what in ("items with too many", "judged by another", "done without an answer", "twice by one"):
        assert counts[what] == [], what
