"""Assessors at work over HTTP, as the screen does it: the next documents are there before they are needed, and an answer
is sent until the server has said what became of it."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

TOKEN = "a" * 32
AT_HAND = 3
"""How many documents the screen has in advance."""


@dataclass
class Assessor:
    """One of them: answers what they are given until there is nothing left, or as often as they are told."""

    port: int
    project: str
    cookies: str
    scale: str
    seed: int
    think: float = 0.0
    """Seconds over a document, on average."""
    fickle: bool = False
    """Whether they skip, take back, correct and send twice now and then."""
    at_most: int = 10**9
    deadline: float = 600.0
    outcomes: dict[str, str] = field(default_factory=dict)
    """What became of each answer, by its uuid."""
    taken: list[float] = field(default_factory=list)
    """Seconds from an answer to its outcome and the next document, where the first try came through."""
    tried_again: int = 0
    error: BaseException | None = None

    def work(self) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            self._work()
        except BaseException as error:
            self.error = error
        finally:
            self._connection.close()

    def _work(self) -> None:
        chance, end = random.Random(self.seed), time.monotonic() + self.deadline
        at_hand: dict[str, dict[str, Any]] = {}
        answers: list[dict[str, Any]] = []
        time.sleep(self.think * 3 * chance.random())  # people do not begin at the same moment
        while time.monotonic() < end and len(self.outcomes) < self.at_most:
            content = self._send(answers, list(at_hand))
            if answers and self.fickle and chance.random() < 0.05:
                assert self._send(answers, list(at_hand))["outcomes"] == content["outcomes"]
            at_hand |= {item["slot"]: item for item in content["items"]}
            at_hand = {slot: at_hand[slot] for slot in content["held"]}
            if not at_hand:
                return
            if self.think:
                time.sleep(self.think * (0.5 + chance.random()))
            slot, item = next(iter(at_hand.items()))
            del at_hand[slot]
            answers = self._answers(item, chance)
        if len(self.outcomes) < self.at_most:
            raise TimeoutError("there is something left to judge, and no time for it")

    def _answers(self, item: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
        if not self.fickle or chance.random() > 0.1:
            return [self._answer(item, "grade", grade=chance.randrange(3))]
        first = self._answer(item, "grade", grade=chance.randrange(3))
        return chance.choice(
            (
                [self._answer(item, "skip", reason="in Norwegian")],
                [self._answer(item, "unsure"), self._answer(item, "note", reason="see page 3")],
                [first, self._answer(item, "grade", grade=chance.randrange(3))],
                [first, self._answer(item, "withdraw", supersedes=first["uuid"])],
            )
        )

    def _answer(self, item: dict[str, Any], action: str, **more: Any) -> dict[str, Any]:
        now = datetime.now(UTC).isoformat()
        sha256 = item["document"]["sha256"]
        own = {"uuid": str(uuid.uuid4()), "slot": item["slot"], "action": action, "scale": self.scale}
        return {**own, "document_sha256": sha256, "time": now, "shown_at": now, "active_ms": 1000, **more}

    def _send(self, answers: list[dict[str, Any]], have: list[str]) -> dict[str, Any]:
        """Again and again, until it came through."""
        body = json.dumps({"answers": answers, "next": AT_HAND, "have": have})
        begun, first_try = time.monotonic(), True
        while True:
            status, content = self._try(body)
            if status == 200:
                break
            if status not in (None, 503):
                raise RuntimeError(f"the server answered {status}: {content}")
            first_try = False
            self.tried_again += 1
            time.sleep(0.1)
        if answers and first_try:
            self.taken.append(time.monotonic() - begun)
        self.outcomes |= {outcome["uuid"]: outcome["status"] for outcome in content["outcomes"]}
        return content

    def _try(self, body: str) -> tuple[int | None, dict[str, Any]]:
        headers = {"Cookie": self.cookies, "X-CSRFToken": TOKEN, "Content-Type": "application/json"}
        try:
            self._connection.request("POST", f"/projects/{self.project}/judge/answers", body, headers)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            return None, {}
        return response.status, json.loads(content) if response.status == 200 else {"error": str(content[:500])}


def at_once(assessors: list[Assessor]) -> list[threading.Thread]:
    """All of them at work, each in a thread."""
    threads = [threading.Thread(target=assessor.work, daemon=True) for assessor in assessors]
    for thread in threads:
        thread.start()
    return threads


def percentile(values: list[float], share: float) -> float:
    """The value below or at which this share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
