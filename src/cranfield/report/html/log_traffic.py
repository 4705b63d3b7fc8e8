"""Of a report on a log: traffic, what is asked, and what people do."""

from __future__ import annotations

from cranfield.logs.behaviour import QUANTILES, Behaviour, Share, behaviour
from cranfield.logs.cohorts import ALL, cohort_returns
from cranfield.logs.durations import QUARTILES
from cranfield.logs.overview import Asked, Counted, Growth, Overview
from cranfield.report.charts.behaviour_shares import behaviour_shares
from cranfield.report.charts.traffic_by_day import traffic_by_day
from cranfield.report.html.log_sections import LogSection, LogTable, LogView, drawn, share

SHARES = ("part", "of", "share", "from", "to")
"""What a share is given with: its interval last."""


def traffic(view: LogView) -> LogSection:
    """How much there is, and on which days."""
    found = view.overview
    days = [(one.day, one.queries, one.sessions, one.users, one.clicks, one.without_click) for one in found.days]
    return LogSection(
        "traffic",
        "Traffic",
        words=(
            f"{found.queries_per_session:.2f} queries a session ({found.total.queries:,} in {found.total.sessions:,})"
            + _lasting(found.session_minutes),
        ),
        figures=(drawn("traffic", "By day", traffic_by_day(found), "A day without queries counts as one with none"),)
        if days
        else (),
        tables=(
            LogTable("By day", ("day", "queries", "sessions", "users", "clicks", "without a click"), days),
            _counted(found.session_sizes, "queries", "Sessions by their number of queries"),
        ),
        notes=("Days are those of UTC",) if days else found.notes,
    )


def asked(view: LogView) -> LogSection:
    """Head and tail, what finds nothing, what grows."""
    found = view.overview
    return LogSection(
        "asked",
        "What is asked",
        words=(
            f"Different queries: {found.texts:,}; put only once: {share(found.once, found.texts)}. The {found.half:,} "
            f"most frequent make half of the traffic of {found.total.queries:,}",
            _fruitless(found),
        ),
        tables=(
            _asked(found.head, "Most frequent queries"),
            _asked(found.fruitless, "Queries without results"),
            _grown(found.rising, "Rising, from the first half of the days to the second"),
            _grown(found.fading, "Fading, likewise"),
            _counted(found.words, "words", "Queries by their number of words"),
        ),
        notes=(
            "Rising and fading are queries put ten times or more, of whose ratio of shares of the traffic the whole "
            "interval is above 1, or below; the intervals of all queries hold at once (95 %, Bonferroni)",
        ),
    )


def doing(view: LogView) -> LogSection:
    """What people do, with intervals."""
    found = behaviour(view.log)
    seconds = [(one.name, one.number, *(one.quantiles or (None,) * len(QUANTILES))) for one in found.spreads]
    return LogSection(
        "behaviour",
        "What people do",
        words=(
            "How often people find something to click, and how long they take: a click is interest, and only a long "
            "stay or a purchase is more",
            *_reciprocal_rank(found),
        ),
        figures=(
            drawn(
                "behaviour",
                "Shares, with intervals",
                behaviour_shares(found),
                f"Clicks are satisfied if people stayed {found.satisfied_seconds:g} seconds or longer",
                "Who goes without a click may have read the answer in the list: abandonment is not always failure",
            ),
        ),
        tables=(
            shares_table("Shares, with 95 % intervals (Wilson)", found.shares),
            LogTable(
                "Seconds that so many of the cases took, or fewer",
                ("time", "cases", *(f"{100 * at:.0f} %" for at in QUANTILES)),
                seconds,
                digits=1,
            ),
            *_ranks(found),
            *_cohorts(found),
        ),
        notes=(
            *found.notes,
            "Intervals (95 %, Wilson) take cases for independent, which those of one user are not: real ones are wider",
        ),
    )


def shares_table(title: str, shares: tuple[Share, ...]) -> LogTable:
    return LogTable(title, ("what", *SHARES), shares, shares=("share", "from", "to"))


def _reciprocal_rank(found: Behaviour) -> tuple[str, ...]:
    if found.reciprocal_rank is None:
        return ("The mean reciprocal rank of clicks is not known: the log does not say what was shown",)
    around = found.reciprocal_rank_interval
    between = "" if around is None else f", 95 % interval {around[0]:.3f} to {around[1]:.3f}"
    return (
        f"The mean reciprocal rank of the highest click is {found.reciprocal_rank:.3f} ({found.ranked:,} queries"
        f"{between}); queries without a click count as 0",
    )


def _ranks(found: Behaviour) -> tuple[LogTable, ...]:
    """Nothing where no two ranks can be compared."""
    if found.durations.tau is None:
        return ()
    title = (
        "Seconds of searches with one document clicked, by its rank: time tells the rank with a tau of "
        f"{found.durations.tau:.2f}"
    )
    rows = [(one.rank, one.searches, *one.quartiles) for one in found.durations.ranks]
    return (LogTable(title, ("rank", "searches", *(f"{100 * at:.0f} %" for at in QUARTILES)), rows, digits=1),)


def _cohorts(found: Behaviour) -> tuple[LogTable, ...]:
    weeks = max((len(one.returned) for one in found.cohorts), default=0)
    if not weeks:
        return ()
    rows = [
        (
            one.week,
            one.users,
            *(one.returned[at] / one.users if at < len(one.returned) else None for at in range(weeks)),
        )
        for one in found.cohorts
    ]
    later = tuple(f"{week + 1} week{'s' * (week > 0)} later" for week in range(weeks))
    title = "The share of users that came again, by the week in which they came first"
    all_weeks = [row[1:] for row in cohort_returns(found.cohorts) if row.first_week == ALL]
    return (
        LogTable(title, ("week from", "users", *later), rows, shares=later),
        LogTable(
            "The same of all users of whom that week is known, with 95 % intervals (Wilson)",
            ("weeks later", "came again", "users", "share", "from", "to"),
            all_weeks,
            left=0,
            shares=("share", "from", "to"),
        ),
    )


def _fruitless(found: Overview) -> str:
    total = found.total
    if not total.known_results:
        return "The log does not say which queries had results"
    low, high = float(found.without_results.lower[0]), float(found.without_results.upper[0])
    return (
        f"Queries without results: {share(total.without_results, total.known_results)}, 95 % interval "
        f"{100 * low:.1f} to {100 * high:.1f} %"
    )


def _asked(rows: tuple[Asked, ...], title: str) -> LogTable:
    header = ("query", "times", "users", "with a click", "times without results")
    return LogTable(title, header, rows, shares=("with a click",))


def _grown(rows: tuple[Growth, ...], title: str) -> LogTable:
    header = ("query", "times before", "times after", "ratio of shares", "from", "to")
    return LogTable(title, header, rows)


def _counted(rows: tuple[Counted, ...], what: str, title: str) -> LogTable:
    total = sum(row.number for row in rows)
    cells = [(row.sizes, row.number, row.number / total) for row in rows]
    return LogTable(title, (what, "number", "share"), cells, left=0, shares=("share",))


def _lasting(minutes: float | None) -> str:
    """
    >>> _lasting(0.1)
    '; the session in the middle lasts 6 seconds from its first query to the last thing that happened in it'
    >>> _lasting(None)
    ''
    """
    if minutes is None:
        return ""
    lasts = f"{60 * minutes:.0f} seconds" if minutes < 1 else f"{minutes:.1f} minutes"
    return f"; the session in the middle lasts {lasts} from its first query to the last thing that happened in it"
