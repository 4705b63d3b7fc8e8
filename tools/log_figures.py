"""Write the figures of docs/logs/what-clicks-tell.md; `--check` says whether they are old.

Logs with human judgments are found through $CRANFIELD_REAL_DATA; others are simulated. On the page a figure stands
between `<!-- figure: name -->` and `<!-- end of figure -->`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Floats
from cranfield.data.topics import Topic, Topics
from cranfield.formats import read_qrels
from cranfield.logs.clicks import click_deviation, clicks_by_rank
from cranfield.logs.evidence import evidence
from cranfield.logs.human_agreement import Found, human_agreement
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.inferring import InferredJudgments, infer_qrels
from cranfield.logs.log import Log
from cranfield.logs.preferences import RULES, infer_preferences
from cranfield.logs.settling import Rules
from cranfield.logs.simulating import simulate
from cranfield.logs.simulation.settings import Settings
from cranfield.stats.correlation.rank_correlation import tau_b
from tools.figures import made_anew, renew
from tools.statistics_figures import markdown, percent

PAGE = Path(__file__).parent.parent / "docs" / "logs" / "what-clicks-tell.md"
COMMAND = "CRANFIELD_REAL_DATA=... python -m tools.log_figures"
RELEVANT = 1
"""From which human label on a document is relevant."""
SYSTEMS = {"say nothing of relevance": 100.0, "say a little": 3.0, "are good": 1.0}
"""How much noise there is in how systems see grades from 0 to 3, by what their orders then say."""


def page(folder: Path) -> str:
    """The page with its figures made anew."""
    return made_anew(PAGE, FIGURES, folder)


@contextmanager
def tiangong(folder: Path) -> Iterator[Log]:
    """The three files of sessions; those with labels are among them."""
    place = folder / "clicks" / "tiangong_demo"
    files = [place / f"{part}_per_query_quid.txt" for part in ("train", "valid", "test")]
    with tempfile.TemporaryDirectory() as made:
        import_files(files, made, Ways("lists", salt="figures"), Rules())
        yield Log(made)


@cache
def tiangong_labels(folder: Path) -> Qrels:
    """What people said; of a document with several labels, the first. Below 0 they said nothing."""
    labels: dict[str, dict[str, int]] = {}
    place = folder / "clicks" / "tiangong_demo" / "human_label_for_NCM_per_query_quid.txt"
    for line in place.read_text().splitlines():
        _, query, documents, _, _, said = line.split("\t")
        for document, label in zip(json.loads(documents), json.loads(said), strict=True):
            if label >= 0:
                labels.setdefault(query, {}).setdefault(str(document), label)
    return Qrels.from_dict(labels, name="TianGong")


def topics_of(qrels: Qrels) -> Topics:
    return Topics(Topic(query, {"title": query}) for query in qrels.queries)


def ranks(folder: Path) -> str:
    """Clicks and relevance by rank."""
    with tiangong(folder) as log:
        found, shown = clicks_by_rank(log), log.impressions
        places = log.run(shown.group_by(["text", "document_id", "rank"]).agg(times=shown.count())).to_pylist()
    labels = tiangong_labels(folder).to_dict()
    rows = []
    for at, rank in enumerate(found.rank.tolist()):
        judged = [
            (one["times"], labels[one["text"]][one["document_id"]] >= RELEVANT)
            for one in places
            if one["rank"] == rank and one["document_id"] in labels.get(one["text"], {})
        ]
        relevant = sum(times for times, is_relevant in judged if is_relevant) / sum(times for times, _ in judged)
        low, high = percent(found.interval.lower[at]), percent(found.interval.upper[at])
        counts = [f"{found.shown[at]:,}", found.clicked[at]]
        rows.append([rank, *counts, percent(found.expected[at]), f"{low} to {high}", percent(relevant)])
    return markdown(["rank", "shown", "clicked", "click-through", "95 % interval", "relevant to people"], rows)


def agreement(folder: Path) -> str:
    """Of each way to infer, by how often a document must have been seen."""
    human, rows = tiangong_labels(folder), []
    with tiangong(folder) as log:
        for enough in (1, 5, 10):
            for source in ("coec", "pbm", "dbn"):
                found = infer_qrels(log, source, enough=enough, topics=topics_of(human))
                if source == "coec":
                    rows.append([enough, "click-through", *compared(by_click_through(found), human)])
                rows.append([enough, source, *compared(found, human)])
    return markdown(["seen at least", "by", "documents", "relevant", "area (95 % interval)", "tau", "kappa"], rows)


def by_click_through(found: InferredJudgments) -> InferredJudgments:
    """The same documents by their share of clicks, over that of all of them."""
    said = found.evidence
    share = said.clicked / said.shown
    return replace(found, evidence=replace(said, value=share / (said.clicked.sum() / said.shown.sum())))


def compared(found: InferredJudgments, human: Qrels) -> list[str]:
    one = human_agreement(found, human, level=RELEVANT)
    tau, kappa = (number(each) for each in (one.tau, one.kappa))
    return [f"{one.documents:,}", percent(one.relevant / one.documents), with_interval(one.area), tau, kappa]


def number(found: Found) -> str:
    return "-" if found.value is None else f"{found.value:.2f}"


def with_interval(found: Found) -> str:
    if found.interval is None:
        return number(found)
    return f"{number(found)} ({found.interval.lower:.2f} to {found.interval.upper:.2f})"


def preferences(folder: Path) -> str:
    """How many preferences of each rule people share, between documents to which they gave different labels."""
    labels, rows = tiangong_labels(folder).to_dict(), []
    with tiangong(folder) as log:
        for rule in RULES:
            found = infer_preferences(log, rule)
            told = found.told
            columns = (found.text[told], found.preferred[told], found.other[told])
            both = [
                (labels[text][one], labels[text][two])
                for text, one, two in zip(*columns, strict=True)
                if text in labels and one in labels[text] and two in labels[text]
            ]
            differ = [one > two for one, two in both if one != two]
            counts = [f"{len(found):,}", f"{int(found.one_sided.sum()):,}", int(found.certain.sum())]
            shared = percent(sum(differ) / len(differ)) if differ else "-"
            rows.append([f"`{rule}`", *counts, f"{sum(differ)} of {len(differ)}", shared])
    return markdown(["rule", "pairs", "always in one order", "certain", "shared by people", "share"], rows)


def chorus(folder: Path) -> str:
    """How much two files of judgments say of what was shown."""
    place, rows = folder / "ubi_chorus", []
    bases = {"Chorus": 1, "esci_ubi_sample": 0, "ubi-demo": 1}
    with tempfile.TemporaryDirectory() as made:
        import_files([place / "ubi_queries_events.ndjson"], made, Ways("ubi", rank_base=bases, salt="figures"), Rules())
        found = click_deviation(Log(made), enough=1)
    seen = {key: at for at, key in enumerate(zip(found.text, found.document, strict=True))}
    for name in ("art_judgments.json", "esci_us_judgments.json"):
        judged = {(query.lower(), document) for query, _, document, _ in read_qrels(place / name).rows()}
        both = [seen[key] for key in judged if key in seen]
        texts = {text for text, _ in judged} & set(found.text.tolist())
        often, clicked = int((found.shown[both] >= 10).sum()), int((found.clicked[both] > 0).sum())
        rows.append([f"`{name}`", f"{len(judged):,}", len(texts), len(both), often, clicked])
    return markdown(
        ["judgments", "documents", "queries in the log", "documents shown", "at least 10 times", "ever clicked"], rows
    )


def truth(folder: Path) -> str:
    """Of simulated logs, how near each way comes to the truth, by what the order of systems says of relevance."""
    rows = []
    for name, noise in SYSTEMS.items():
        for shuffled in (0.0, 0.3):
            taus = np.mean([taus_of(noise, shuffled, seed) for seed in range(3)], axis=0)
            rows.append([name, percent(shuffled), *(f"{tau:.2f}" for tau in taus)])
    return markdown(["orders of systems", "pages shuffled", "click-through", "CD", "COEC", "pbm"], rows)


def taus_of(noise: float, shuffled: float, seed: int) -> list[float]:
    """Within a query, on average over queries, with how attractive documents are to position-biased users."""
    with made_up(noise, shuffled, seed) as (log, attractiveness):
        found, model = click_deviation(log), evidence(log, "pbm", enough=1)
    worth = np.array([attractiveness[key] for key in zip(found.text, found.document, strict=True)])
    value = dict(zip(zip(model.text, model.document, strict=True), model.value.tolist(), strict=True))
    by_model = np.array([value[key] for key in zip(found.text, found.document, strict=True)])

    def tau(values: Floats) -> float:
        queries = [~np.isnan(found.coec) & (found.text == text) for text in sorted(set(found.text))]
        return float(np.mean([tau_b(values[rows], worth[rows]).value for rows in queries if rows.sum() > 2]))

    return [tau(values) for values in (found.clicked / found.shown, found.deviation, found.coec, by_model)]


@contextmanager
def made_up(noise: float, shuffled: float, seed: int) -> Iterator[tuple[Log, dict[tuple[str, str], float]]]:
    """10,000 sessions about ten topics with twelve documents each, answered by three systems."""
    rng = np.random.default_rng(seed)
    grades = rng.choice(4, p=[0.4, 0.3, 0.2, 0.1], size=(10, 12))
    judged = {f"t{t}": {f"t{t}-d{d}": int(grade) for d, grade in enumerate(row)} for t, row in enumerate(grades)}
    runs = [
        Run.from_dict(
            {t: {d: grade + rng.normal(0, noise) for d, grade in row.items()} for t, row in judged.items()},
            name=f"system-{n}",
        )
        for n in range(3)
    ]
    settings = Settings(sessions=10_000, days=1, seed=seed, shuffled=shuffled)
    with tempfile.TemporaryDirectory() as made:
        found = simulate(runs, Qrels.from_dict(judged), Path(made) / "log", users="pbm", settings=settings)
        yield Log(Path(made) / "log"), found.truth.attractiveness()


def voted(folder: Path) -> str:
    """Of the same logs, how often each rule is right, as the textbook counts votes and over their chances."""
    rows = []
    for shuffled in (0.0, 0.3):
        with made_up(SYSTEMS["say a little"], shuffled, 1) as (log, attractiveness):
            counted = click_deviation(log)
            clicks = dict(zip(zip(counted.text, counted.document, strict=True), counted.clicked.tolist(), strict=True))
            for rule in RULES:
                found = infer_preferences(log, rule)
                keys = [
                    ((text, one), (text, two))
                    for text, one, two in zip(found.text, found.preferred, found.other, strict=True)
                ]
                right = np.array([attractiveness[one] > attractiveness[two] for one, two in keys])
                by_clicks = right == np.array([clicks[one] > clicks[two] for one, two in keys])
                one_sided = found.one_sided & (found.votes >= found.enough)
                rows.append(
                    [
                        *(percent(shuffled), f"`{rule}`", int(one_sided.sum()), share(right[one_sided])),
                        *(int(found.certain.sum()), share(right[found.certain]), share(by_clicks[found.certain])),
                    ]
                )
    return markdown(
        ["pages shuffled", "rule", "always in one order", "right", "certain", "right", "right by clicks alone"], rows
    )


def share(right: Bools) -> str:
    return percent(float(right.mean())) if len(right) else "-"


FIGURES: dict[str, Callable[[Path], str]] = {
    "ranks": ranks,
    "agreement": agreement,
    "preferences": preferences,
    "chorus": chorus,
    "truth": truth,
    "voted": voted,
}


if __name__ == "__main__":
    sys.exit(renew([PAGE], FIGURES, COMMAND))
