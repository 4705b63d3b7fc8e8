"""What stands above a chart: what it shows and of how many topics, and below that how it was made."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cranfield.evaluation.coverage import Coverage, some
from cranfield.report.drawing import alt, plain
from cranfield.report.theme import WIDTH as PLOT_WIDTH

WIDTH = PLOT_WIDTH + 100
"""Of a caption: that of a chart with its legend."""
_TITLE_LETTER, _SUBTITLE_LETTER = 7.6, 5.9
"""How wide a letter is, about, in pixels."""


def count(number: int, noun: str) -> str:
    """
    >>> count(1, "topic"), count(30, "topic")
    ('1 topic', '30 topics')
    """
    return f"{number} {noun}{'s' * (number != 1)}"


def mean_of(topics: Iterable[int]) -> str:
    """Over what the values of runs are means, given the number of topics of each.

    >>> mean_of([30, 30]), mean_of([1]), mean_of([29, 30])
    ('mean of 30 topics', '1 topic', 'mean of 29 to 30 topics')
    """
    counts = list(topics)
    return f"{'mean of ' if max(counts) > 1 else ''}{topics_of(counts)}"


def topics_of(topics: Iterable[int]) -> str:
    """How many topics runs have, given the number of each.

    >>> topics_of([30, 30]), topics_of([29, 30])
    ('30 topics', '29 to 30 topics')
    """
    few, many = min(counts := list(topics)), max(counts)
    return count(many, "topic") if few == many else f"{few} to {many} topics"


def caption(title: str, notes: Iterable[str] = (), *, width: float = WIDTH) -> alt.TitleParams:
    """A title and notes below it, in lines that fit above a chart of this width."""
    return alt.TitleParams(
        text=_lines(title, width, _TITLE_LETTER),
        subtitle=_lines("; ".join(note for note in notes if note), width, _SUBTITLE_LETTER),
    )


def _lines(text: str, width: float, letter: float) -> list[str]:
    return textwrap.wrap(plain(text), max(20, int(width / letter)), break_on_hyphens=False)


def settings_notes(profile: str, settings: Mapping[str, Any]) -> list[str]:
    """How values were made, in few words; what is as usual is not mentioned.

    >>> settings_notes("cranfield", {"level": 2, "depth": 100, "judged_only": False})
    ['profile cranfield', 'relevant from grade 2 on', 'first 100 documents']
    """
    notes = [f"profile {profile}"]
    if settings.get("level", 1) != 1:
        notes.append(f"relevant from grade {settings['level']:g} on")
    if settings.get("depth") is not None:
        notes.append(f"first {count(settings['depth'], 'document')}")
    if settings.get("judged_only"):
        notes.append("unjudged documents dropped")
    if settings.get("ties") == "expected":
        notes.append("expected over the orders of ties")
    return notes


def coverage_notes(coverage: Mapping[str, Coverage]) -> list[str]:
    """Which runs lack topics, and what becomes of these; what topics have nothing relevant.

    >>> lacking = Coverage(3, 2, ("q3",), (), (), 60, 20, 0.95, 0, 0)
    >>> coverage_notes({"bm25": lacking})
    ['bm25 lacks 1 of 3 topics (q3: scored 0)']
    """
    notes = []
    lacking = {name: one for name, one in coverage.items() if one.missing}
    if len(lacking) > 3:
        most = max(len(one.missing) for one in lacking.values())
        means = next(iter(lacking.values())).missing_means
        notes.append(f"{len(lacking)} runs lack up to {count(most, 'topic')} ({means})")
    else:
        notes += [
            f"{name} lacks {len(one.missing)} of {one.judged} topics ({some(one.missing)}: {one.missing_means})"
            for name, one in lacking.items()
        ]
    without = next(iter(coverage.values())).without_relevant if coverage else ()
    if without:
        notes.append(f"nothing relevant for {count(len(without), 'topic')} ({some(without)})")
    return notes


_OPEN = {"ties": "tied scores", "unjudged": "unjudged documents"}


def band_notes(band: str | None, runs: Sequence[str], of: int) -> list[str]:
    """What a band is, and whose bands there are if not all have one.

    >>> band_notes("ties", ["a", "b"], 5)
    ['bands: what tied scores leave open, of a and b']
    """
    if band is None:
        return []
    return [f"bands: what {_OPEN[band]} leave open" + (f", of {' and '.join(runs)}" if len(runs) < of else "")]
