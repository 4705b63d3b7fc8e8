"""The rules of a simulated log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from types import MappingProxyType

from cranfield.errors import ParameterError

ATTRACTIVENESS: Mapping[float, float] = MappingProxyType({0: 0.1, 1: 0.4, 2: 0.7, 3: 0.9})
SATISFACTION: Mapping[float, float] = MappingProxyType({0: 0.05, 1: 0.4, 2: 0.7, 3: 0.9})


@dataclass(frozen=True)
class Settings:
    """The rules; grades between those of a table have values between theirs, documents without a judgment grade 0."""

    sessions: int = 10_000
    seed: int = 1
    depth: int = 10
    """How many documents a page shows."""
    attractiveness: Mapping[float, float] = field(default_factory=lambda: ATTRACTIVENESS)
    """By grade, how likely a document is clicked by who looks at it."""
    satisfaction: Mapping[float, float] = field(default_factory=lambda: SATISFACTION)
    """By grade, how likely a click on it gives what was sought."""
    spread: float = 0.05
    """The attractiveness of a document is that of its grade, more or less by up to so much."""
    skew: float = 1.0
    """The k-th topic is asked for in proportion to k^-skew, and so is the k-th phrasing of it."""
    phrasings: int = 1
    """In how many ways a topic is put at most: as it stands, then with its first word left out, its second, …"""
    shuffled: float = 0.0
    """The share of pages whose documents are in random order; their application is `shuffled`."""
    days: int = 28
    start: str = "2026-03-02"
    """The first day. Sessions are spread evenly over days, and within a day most begin about noon."""
    sessions_per_user: float = 4.0
    habit: float = 0.25
    """The share of sessions in which users ask for the topic that is their own."""
    reformulation: float = 0.5
    """Who is not satisfied asks again for the same topic with this chance, another phrasing if there is one."""
    queries_per_session: int = 4
    """…until so many queries have been put."""
    dwell_seconds: tuple[float, float] = (12.0, 90.0)
    """The median stay after a click that did not satisfy, and after one that did."""
    purchase: float = 0.1
    """How likely a click that satisfied ends in a purchase."""

    def __post_init__(self) -> None:
        for name in ("sessions", "depth", "phrasings", "days", "queries_per_session"):
            self._check(name, getattr(self, name) >= 1, "1 or more")
        for name in ("spread", "shuffled", "habit", "reformulation", "purchase"):
            self._check(name, 0 <= getattr(self, name) <= 1, "a share from 0 to 1")
        self._check("seed", 0 <= self.seed < 2**63, "a whole number from 0 below 2^63")
        self._check("depth", self.depth <= MOST_RANKS, f"{MOST_RANKS} or less")
        self._check("sessions_per_user", self.sessions_per_user > 0, "more than 0")
        self._check("skew", self.skew >= 0, "0 or more")
        self._check("dwell_seconds", all(each > 0 for each in self.dwell_seconds), "seconds, more than 0")
        for name in ("attractiveness", "satisfaction"):
            table: Mapping[float, float] = getattr(self, name)
            known = bool(table) and all(0 <= value <= 1 for value in table.values())
            self._check(name, known, "a chance from 0 to 1 for each grade")
        try:
            date.fromisoformat(self.start)
        except ValueError:
            self._check("start", False, "a day such as 2026-03-02")

    def _check(self, name: str, fine: bool, expected: str) -> None:
        if not fine:
            raise ParameterError(f"{name}={getattr(self, name)!r}: expected {expected}")

    def said(self) -> dict[str, object]:
        """All of them, as JSON has them."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        tables = ("attractiveness", "satisfaction")
        return found | {name: {f"{grade:g}": value for grade, value in found[name].items()} for name in tables}


MOST_RANKS = 1000
