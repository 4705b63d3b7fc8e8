"""One analysis of a log, in pandas: SMALL LOG ANALYSIS [given]. Prints the seconds from the files to the numbers, the
most memory in bytes, and the numbers as JSON. The small log is gone through before the clock starts.

It reads the tables of a log as others would have them: people, texts and documents by their names, and what the sources
say of them. With `given` it also has what an import of Cranfield derives for each query and each document shown.
Columns that an analysis does not need are not read, groups are not sorted where the order does not matter, and only
words in common are looked for row by row, of the few queries that follow another. Intervals, and the kinds of changes,
are by the functions of Cranfield.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
from log_analyses import measure, summed

from cranfield.logs.behaviour import QUANTILES, SATISFIED_SECONDS, SUCCESS
from cranfield.logs.clicks import ENOUGH
from cranfield.logs.cohorts import DAY, WEEK
from cranfield.logs.durations import DEEPEST, LONGEST_MS, QUARTILES, STEP_MS, tau_of_counts
from cranfield.logs.overview import ENOUGH as ENOUGH_QUERIES
from cranfield.logs.overview import LONGEST, MANY
from cranfield.logs.reformulation_graph import KINDS, MOST_EDGES, kind_of_change
from cranfield.logs.reformulations import REFORMULATION_MINUTES
from cranfield.logs.tables import SOONEST_CLICK_MS
from cranfield.stats.proportions import poisson_rate, wilson

Frame = pd.DataFrame
PAUSE = round(60_000 * REFORMULATION_MINUTES)


class Tables:
    """The tables of a log, without what bots did."""

    def __init__(self, folder: str, *, given: bool) -> None:
        self.folder, self.given = next(Path(folder).glob("tables-*")), given

    def read(self, table: str, *columns: str) -> Frame:
        """Some columns of one."""
        rows = pd.read_parquet(self.folder / table, columns=[*columns, "bot"], partitioning=None)
        return rows[~rows["bot"]].drop(columns="bot")

    def clicks(self, *columns: str) -> Frame:
        """Some columns of all clicks that have a query."""
        events = self.read("events", *columns, "action")
        return events[(events["action"] == "click") & events["query_id"].notna()]

    def clicked_documents(self, *columns: str) -> Frame:
        """The same of the first click on each document that was shown."""
        return self.clicks("query_id", "document_id", *columns).drop_duplicates(["query_id", "document_id"])

    def ranks(self) -> Frame:
        """How often something was shown, and clicked, at each rank."""
        if self.given:
            impressions = self.read("impressions", "rank", "clicks")
            return (impressions["clicks"] > 0).groupby(impressions["rank"]).agg(shown="size", clicked="sum")
        shown = self.read("impressions", "rank")["rank"].value_counts().sort_index()
        clicked = self.clicked_documents("rank")["rank"].value_counts()
        return pd.DataFrame({"shown": shown, "clicked": clicked.reindex(shown.index).fillna(0).astype(int)})


def of_overview(log: Tables) -> dict[str, Any]:
    columns = ("session_id", "user_id", "text", "time_ms", "results", "day")
    queries = log.read("queries", *columns, *(["shown", "clicks"] if log.given else ["query_id"]))
    found = queries["results"]
    if log.given:
        found = found.fillna(queries["shown"])
    else:
        if found.isna().any():
            shown = log.read("impressions", "query_id").groupby("query_id", sort=False).size()
            found = found.fillna(queries["query_id"].map(shown).fillna(0))
        clicks = log.clicks("query_id").groupby("query_id", sort=False).size()
        queries["clicks"] = queries["query_id"].map(clicks).fillna(0).astype(int)
    queries["without_click"], queries["without_results"] = queries["clicks"] == 0, found == 0
    queries["known"], queries["clicked"] = found.notna(), queries["clicks"] > 0
    days = queries.groupby("day").agg(
        queries=("clicks", "size"),
        sessions=("session_id", "nunique"),
        users=("user_id", "nunique"),
        clicks=("clicks", "sum"),
        without_click=("without_click", "sum"),
        without_results=("without_results", "sum"),
        known=("known", "sum"),
    )
    total = days.sum()
    total["sessions"], total["users"] = queries["session_id"].nunique(), queries["user_id"].nunique()
    asked = queries.groupby("text", sort=False).agg(
        times=("clicks", "size"),
        users=("user_id", "nunique"),
        clicked=("clicked", "sum"),
        without_results=("without_results", "sum"),
    )
    asked["share"] = asked["clicked"] / asked["times"]
    asked = asked.reset_index()
    many = asked["times"].sort_values(ascending=False).cumsum()
    head = asked.sort_values(["times", "text"], ascending=[False, True]).head(MANY)
    fruitless = asked[asked["without_results"] > 0]
    fruitless = fruitless.sort_values(["without_results", "text"], ascending=[False, True]).head(MANY)
    shown = ["text", "times", "users", "share", "without_results"]
    sizes, minutes = sessions(queries, log.read("events", "session_id", "time_ms"))
    rising, fading = growth(queries, days.index)
    return {
        "total": total.tolist(),
        "days": days.reset_index().to_numpy().tolist(),
        "texts": (len(asked), int((asked["times"] == 1).sum()), int(np.searchsorted(many, len(queries) / 2)) + 1),
        "head": head[shown].to_numpy().tolist(),
        "session sizes": sizes,
        "session minutes": minutes,
        "words": capped(queries["text"].str.count(" ") + 1),
        "fruitless": fruitless[shown].to_numpy().tolist(),
        "rising": rising,
        "fading": fading,
    }


def sessions(queries: Frame, events: Frame) -> tuple[list[list[int]], float]:
    """Sessions by how many queries they have, and how long the one in the middle took, in minutes."""
    asked = queries.groupby("session_id", sort=False)["time_ms"].agg(["size", "min", "max"])
    later = events.groupby("session_id", sort=False)["time_ms"].max().reindex(asked.index)
    took = asked["max"].clip(lower=later.fillna(asked["max"])) - asked["min"]
    return capped(asked["size"]), float(took.median()) / 60_000


def capped(sizes: "pd.Series[int]") -> list[list[int]]:
    """How many there are of each size, those above the longest in one."""
    return sizes.clip(upper=LONGEST).value_counts().sort_index().reset_index().to_numpy().tolist()


def growth(queries: Frame, days: Sequence[str]) -> tuple[list[Any], list[Any]]:
    """The queries whose share of the traffic grew, and shrank, most from the first half of the days to the second."""
    after = queries["day"] >= days[len(days) // 2]
    found = after.groupby(queries["text"], sort=False).agg(["size", "sum"])
    grown = pd.DataFrame({"before": found["size"] - found["sum"], "after": found["sum"]}).reset_index()
    scale = (grown["before"].sum() + 0.5) / (grown["after"].sum() + 0.5)
    grown = grown[grown["before"] + grown["after"] >= ENOUGH_QUERIES]
    spread = np.sqrt(1 / (grown["before"] + 0.5) + 1 / (grown["after"] + 0.5))
    reach = np.exp(NormalDist().inv_cdf(1 - 0.025 / len(grown)) * spread)
    ratio = (grown["after"] + 0.5) / (grown["before"] + 0.5) * scale
    grown = grown.assign(ratio=ratio, low=ratio / reach, high=ratio * reach, rounded=ratio.round(9))
    shown = ["text", "before", "after", "ratio", "low", "high"]
    rising = grown[grown["low"] > 1].sort_values(["rounded", "text"], ascending=[False, True]).head(MANY)
    fading = grown[grown["high"] < 1].sort_values(["rounded", "text"]).head(MANY)
    return rising[shown].to_numpy().tolist(), fading[shown].to_numpy().tolist()


def of_clicks_by_rank(log: Tables) -> dict[str, Any]:
    ranks = log.ranks()
    bounds = wilson(ranks["clicked"].to_numpy(), ranks["shown"].to_numpy())
    columns = (ranks.index, ranks["shown"], ranks["clicked"], bounds.lower, bounds.upper)
    return {"ranks": [column.tolist() for column in columns]}


def of_click_deviation(log: Tables) -> dict[str, Any]:
    keys = ["text", "document_id"]
    impressions = log.read("impressions", *keys, "rank", *(["clicks"] if log.given else []))
    if log.given:
        impressions["clicked"] = impressions["clicks"] > 0
        ranks = impressions["clicked"].groupby(impressions["rank"]).agg(shown="size", clicked="sum")
        clicked = {"clicked": ("clicked", "sum")}
    else:
        clicks, clicked = log.clicked_documents("text", "rank"), {}
        ranks = pd.DataFrame({"shown": impressions["rank"].value_counts(), "clicked": clicks["rank"].value_counts()})
    rate = ranks["clicked"].fillna(0) / ranks["shown"]
    impressions["expected"] = impressions["rank"].map(rate)
    found = impressions.groupby(keys).agg(shown=("rank", "size"), expected=("expected", "sum"), **clicked)
    if not log.given:
        found["clicked"] = clicks.groupby(keys, sort=False).size()
        found["clicked"] = found["clicked"].fillna(0).astype(int)
    shown, clicked, expected = (found[name].to_numpy() for name in ("shown", "clicked", "expected"))
    thin = shown < ENOUGH
    share = wilson(clicked, np.where(thin, 0, shown))
    over = poisson_rate(clicked, np.where(thin, 0.0, expected))
    rate = expected / shown
    columns = [shown, clicked, expected, np.where(thin, np.nan, clicked / shown - rate)]
    columns += [share.lower - rate, share.upper - rate, np.where(thin, np.nan, clicked / expected)]
    columns += [over.lower, over.upper]
    return {"first": found.index[0], "columns": columns}


def derived(log: Tables, queries: Frame) -> Frame:
    """Queries with what follows from what was shown and clicked."""
    impressions = log.read("impressions", "query_id", "rank")
    impressions["top"] = impressions["rank"] == 1
    shown = impressions.groupby("query_id", sort=False).agg(shown=("top", "size"), top_shown=("top", "any"))
    clicks = log.clicks("query_id", "document_id", "rank", "time_ms").merge(
        queries[["query_id", "time_ms"]].rename(columns={"time_ms": "asked_ms"}), on="query_id"
    )
    clicks["after"] = clicks["time_ms"] - clicks["asked_ms"]
    clicked = clicks.groupby("query_id", sort=False).agg(
        clicks=("rank", "size"),
        clicked=("document_id", "nunique"),
        first_rank=("rank", "min"),
        first_click_ms=("after", "min"),
        last_click_ms=("after", "max"),
    )
    clicked["first_click_ms"] = clicked["first_click_ms"].clip(lower=0)
    clicked["last_click_ms"] = clicked["last_click_ms"].where(clicked["last_click_ms"] >= SOONEST_CLICK_MS)
    both = queries.merge(shown.join(clicked), how="left", left_on="query_id", right_index=True)
    both["clicks"], both["clicked"] = both["clicks"].fillna(0), both["clicked"].fillna(0)
    both["top_clicked"] = (both["first_rank"] == 1).where(both["top_shown"] == True)  # noqa: E712
    return both


def of_behaviour(log: Tables) -> dict[str, Any]:
    who = ("query_id", "session_id", "user_id", "text", "time_ms")
    what = ("shown", "clicks", "clicked", "first_click_ms", "last_click_ms", "first_rank", "top_clicked")
    queries = log.read("queries", *who, *(what if log.given else ()))
    if not log.given:
        queries = derived(log, queries)
    events = log.read("events", "session_id", "time_ms", "action", "dwell_ms")
    top = queries["top_clicked"].dropna()
    clicks = events[events["action"] == "click"]
    shown = queries[queries["shown"].fillna(0) > 0]
    clicked = shown["clicks"] > 0
    reciprocal = (1 / shown["first_rank"]).where(clicked, 0.0).dropna()
    mean, reach = reciprocal.mean(), 1.96 * reciprocal.std() / np.sqrt(len(reciprocal))
    begun = queries.groupby("session_id", sort=False)["time_ms"].min()
    good = events[events["action"].isin(SUCCESS)]
    took = good["time_ms"] - good["session_id"].map(begun)
    took = took[took >= 0].groupby(good["session_id"], sort=False).min()
    lasted = queries["last_click_ms"]
    pairs = following(queries)
    changed = pairs[pairs["changed"] & (pairs["pause"] <= PAUSE)]
    shares = [
        (int(clicked.sum()), len(shown)),
        (int((~clicked).sum()), len(shown)),
        (int(top.sum()), len(top)),
        (int((clicks["dwell_ms"] >= 1000 * SATISFIED_SECONDS).sum()), int(clicks["dwell_ms"].count())),
        (sum(map(with_word_in_common, changed["text"], changed["next_text"])), len(queries)),
        (len(took), len(begun)),
    ]
    bounds = [wilson([part], [of]) for part, of in shares]
    return {
        "shares": [(*share, low.lower[0], low.upper[0]) for share, low in zip(shares, bounds, strict=True)],
        "reciprocal rank": (mean, max(mean - reach, 0.0), min(mean + reach, 1.0), len(reciprocal)),
        "spreads": [spread(shown["first_click_ms"]), spread(clicks["dwell_ms"]), spread(took), spread(lasted)],
        "durations": durations(lasted, queries["first_rank"][queries["clicked"] == 1]),
        "cohorts": cohorts(queries),
    }


def spread(milliseconds: "pd.Series[float]") -> tuple[int, list[float]]:
    return int(milliseconds.count()), (milliseconds.quantile(list(QUANTILES)) / 1000).tolist()


def durations(lasted: "pd.Series[float]", rank: "pd.Series[float]") -> tuple[list[Any], float | None]:
    """How long searches with one document clicked took, by its rank; and how far both agree."""
    ranked = pd.DataFrame({"took": lasted, "rank": rank}).dropna()
    ranked = ranked[ranked["rank"] <= DEEPEST]
    by_rank = ranked.groupby("rank")["took"]
    quartiles = (by_rank.quantile(list(QUARTILES)) / 1000).unstack()
    step = (ranked["took"] // STEP_MS).clip(upper=LONGEST_MS // STEP_MS)
    counted = ranked.groupby([ranked["rank"], step]).size().reset_index()
    sizes = by_rank.size()
    rows = [(int(at), int(sizes[at]), of) for at, of in zip(sizes.index, quartiles.to_numpy().tolist(), strict=True)]
    return rows, tau_of_counts(*(counted[name].to_numpy() for name in counted))


def following(queries: Frame) -> Frame:
    """Each query with the next of its session."""
    ordered = queries.sort_values(["session_id", "time_ms", "query_id"])
    after = ordered.shift(-1)
    same = ordered["session_id"] == after["session_id"]
    return ordered[same].assign(
        next_text=after["text"][same],
        pause=after["time_ms"][same] - ordered["time_ms"][same],
        changed=(after["text"] != ordered["text"])[same],
    )


def with_word_in_common(one: str, other: str) -> bool:
    return not set(one.split(" ")).isdisjoint(other.split(" "))


def cohorts(queries: Frame) -> list[Any]:
    """Users by the week of their first query, and how many of them came again in each week to its end."""
    queries = queries[queries["user_id"].notna()]
    begin = queries["time_ms"].min() // DAY * DAY
    complete = ((queries["time_ms"].max() // DAY + 1) * DAY - begin) // WEEK
    weekly = pd.DataFrame({"user": queries["user_id"], "week": (queries["time_ms"] - begin) // WEEK}).drop_duplicates()
    weekly["came"] = weekly.groupby("user", sort=False)["week"].transform("min")
    counted = weekly.groupby(["came", "week"]).size()
    return [
        (
            pd.Timestamp(begin + came * WEEK, unit="ms").date().isoformat(),
            int(counted[came, came]),
            [int(counted.get((came, week), 0)) for week in range(came + 1, complete)],
        )
        for came in counted.index.get_level_values("came").unique().tolist()
    ]


def of_reformulations(log: Tables) -> dict[str, Any]:
    pairs = following(log.read("queries", "query_id", "session_id", "text", "time_ms"))
    said = (pairs["text"] != "") & (pairs["next_text"] != "")
    changed = pairs[pairs["changed"] & said & (pairs["pause"] <= PAUSE)]
    edges = changed.groupby(["text", "next_text"], sort=False)["session_id"].agg(["size", "nunique"]).reset_index()
    edges = edges.sort_values(["size", "text", "next_text"], ascending=[False, True, True]).head(MOST_EDGES)
    edges["kind"] = list(map(kind_of_change, edges["text"], edges["next_text"]))
    kinds = edges.groupby("kind")["size"].sum()
    return {
        "changes": len(changed),
        "edges": edges.to_numpy().tolist(),
        "kinds": {kind: int(kinds.get(kind, 0)) for kind in KINDS},
    }


ANALYSES: dict[str, Callable[[Tables], dict[str, Any]]] = {
    "overview": of_overview,
    "clicks by rank": of_clicks_by_rank,
    "deviation": of_click_deviation,
    "behaviour": of_behaviour,
    "reformulations": of_reformulations,
}


def described(found: dict[str, Any]) -> dict[str, Any]:
    """The same with sums in place of long columns."""
    return found | ({"columns": [summed(column) for column in found["columns"]]} if "columns" in found else {})


def main(small: str, folder: str, analysis: str, given: str = "") -> None:
    measure(lambda log: ANALYSES[analysis](Tables(log, given=bool(given))), described, small, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
