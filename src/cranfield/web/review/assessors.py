"""The pages of assessors: how fast each of them judges, and how far they agree with gold and with themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from cranfield.web.charts.bars import Bar, bar_chart
from cranfield.web.charts.dots import Dot, dot_plot
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Item, Membership, Project
from cranfield.web.review.material import Material, material
from cranfield.web.review.numbers import share_dot

if TYPE_CHECKING:
    from cranfield.evaluation.assessors.checks import Check, Share
    from cranfield.evaluation.assessors.habits import Habits
    from cranfield.evaluation.assessors.sessions import Placed
    from cranfield.evaluation.assessors.speed import Speed

Gold = Mapping[tuple[str, str], float]


@dataclass(frozen=True)
class Assessor:
    """One of them, and all that the pages say."""

    name: str
    answers: Sequence[Placed]
    gold: Sequence[Check]
    repeats: Sequence[Check]
    habits: Habits

    @property
    def speed(self) -> Speed:
        from cranfield.evaluation.assessors.speed import speed

        return speed(self.answers)

    @property
    def sessions(self) -> int:
        return self.answers[-1].session + 1

    @property
    def shares(self) -> dict[str, float]:
        """What is unsure, skipped and changed, as shares of the documents."""
        said = self.habits
        return {name: said.part(getattr(said, name)) for name in ("unsure", "skipped", "changed")}

    @property
    def gold_share(self) -> Share:
        return _share(self.gold)

    @property
    def repeat_share(self) -> Share:
        return _share(self.repeats)


@require_safe
@members_only(Role.MANAGER)
def review_assessors(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    found = assessors(project)
    members = {one.pseudonym: one for one in project.memberships.select_related("user")}
    speeds = [(one, one.speed) for one in found.values()]
    context = {
        "project": project,
        "here": "assessors",
        "rows": [{"assessor": one, "speed": speed, "member": members.get(one.name)} for one, speed in speeds],
        "speed_chart": bar_chart(
            [
                Bar(one.name, speed.per_hour, f"{speed.per_hour:.0f} judgments per active hour")
                for one, speed in speeds
                if speed.per_hour is not None
            ],
            "Judgments per active hour of each assessor",
            "judgments per active hour",
        ),
        "gold_chart": _shares_chart(found.values(), "gold_share", "Agreement with gold"),
        "repeat_chart": _shares_chart(found.values(), "repeat_share", "Agreement with oneself on repeats"),
    }
    return render(request, "review/assessors.html", context)


@require_safe
@members_only(Role.MANAGER)
def review_assessor(request: HttpRequest, project: Project, membership: Membership | None, member: int) -> HttpResponse:
    from cranfield.evaluation.assessors.checks import FEW, confusion, share_by_third
    from cranfield.evaluation.assessors.sessions import GAP_MINUTES, SHORTEST
    from cranfield.evaluation.assessors.speed import speed_by_day, speed_by_position

    who = get_object_or_404(Membership.objects.select_related("user"), project=project, pk=member)
    one = assessors(project).get(who.pseudonym)
    context: dict[str, Any] = {"project": project, "here": "assessors", "member": who, "assessor": one}
    if one is not None:
        days, parts = speed_by_day(one.answers), speed_by_position(one.answers)
        gold, repeats = (share_by_third(checks, one.answers) for checks in (one.gold, one.repeats))
        context |= {
            "speed": one.speed,
            "days": days,
            "day_chart": _count_chart(days, "Judgments by day"),
            "pace_chart": _seconds_chart(days, "Median active seconds per judgment, by day"),
            "parts": parts,
            "part_chart": _seconds_chart(parts, "Median active seconds per judgment, by place in the session"),
            "thirds": list(zip(gold, repeats, strict=True)),
            "gold_chart": _thirds_chart(gold, "Agreement with gold as sessions go on"),
            "repeat_chart": _thirds_chart(repeats, "Agreement with oneself as sessions go on"),
            "gold_table": _table(confusion(one.gold)),
            "repeat_table": _table(confusion(one.repeats)),
            "few": FEW,
            "gap": GAP_MINUTES,
            "shortest": SHORTEST,
        }
    return render(request, "review/assessor.html", context)


def assessors(project: Project) -> dict[str, Assessor]:
    """All who have judged, by their pseudonyms."""
    items = Item.objects.filter(project=project, origin=Item.Origin.GOLD)
    rows = items.values_list("topic__name", "document__name", "gold_grade")
    gold = {(topic, name): grade for topic, name, grade in rows if grade is not None}
    found = material(project)
    return found.once(("assessors", tuple(sorted(gold.items()))), lambda: _assessors(found, gold))


def _assessors(found: Material, gold: Gold) -> dict[str, Assessor]:
    from cranfield.evaluation.assessors.checks import gold_checks, repeat_checks
    from cranfield.evaluation.assessors.habits import habits
    from cranfield.evaluation.assessors.sessions import placed_answers

    said, placed = habits(found.events), placed_answers(found.events)
    by_gold, by_repeats = (
        _by_assessor(checks) for checks in (gold_checks(found.events, gold), repeat_checks(found.events))
    )
    return {
        name: Assessor(name, answers, by_gold.get(name, ()), by_repeats.get(name, ()), said[name])
        for name, answers in placed.items()
    }


def _by_assessor(checks: Iterable[Check]) -> dict[str, list[Check]]:
    found: dict[str, list[Check]] = {}
    for check in checks:
        found.setdefault(check.event.assessor, []).append(check)
    return found


def _share(checks: Sequence[Check]) -> Share:
    from cranfield.evaluation.assessors.checks import share

    return share(checks)


def _shares_chart(found: Iterable[Assessor], which: str, title: str) -> str:
    dots = [share_dot(getattr(one, which)._replace(name=one.name)) for one in found if getattr(one, which).of]
    return _share_plot(dots, title)


def _thirds_chart(shares: Sequence[Share], title: str) -> str:
    return _share_plot([share_dot(share) for share in shares], title) if any(share.of for share in shares) else ""


def _share_plot(dots: Sequence[Dot], title: str) -> str:
    return dot_plot(dots, f"{title}, with 95% intervals", low=0, high=1, step=0.25) if dots else ""


def _count_chart(parts: Sequence[Speed], title: str) -> str:
    return bar_chart([Bar(one.name[5:], one.answers, f"{one.answers} judgments") for one in parts], title, "judgments")


def _seconds_chart(parts: Sequence[Speed], title: str) -> str:
    bars = [
        Bar(one.name[5:] if one.name.startswith("20") else one.name, one.median_seconds, _said(one))
        for one in parts
        if one.median_seconds is not None
    ]
    return bar_chart(bars, title, "median active seconds") if bars else ""


def _said(one: Speed) -> str:
    return f"{one.median_seconds:.1f} seconds, the median of {one.timed}"


def _table(cells: Counter[tuple[float, float]]) -> dict[str, Any] | None:
    """A confusion matrix: what was expected in rows, what was given in columns."""
    if not cells:
        return None
    grades = sorted({grade for cell in cells for grade in cell})
    return {
        "grades": grades,
        "rows": [
            (expected, [{"times": cells[expected, given], "same": expected == given} for given in grades])
            for expected in grades
        ],
    }
