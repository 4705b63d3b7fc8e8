"""Of a report on a log: what clicks say of ranks and of documents."""

from __future__ import annotations

import numpy as np

from cranfield.errors import DataError
from cranfield.logs.clicks import click_deviation, clicks_by_rank
from cranfield.logs.fit_models import fit_models
from cranfield.logs.fitted_models import ENOUGH_CLICKS
from cranfield.logs.inferring import infer_qrels
from cranfield.report.charts.click_through import click_through
from cranfield.report.charts.looks_by_rank import looks_by_rank
from cranfield.report.html.log_sections import LogSection, LogTable, LogView, drawn

MANY = 20
"""How many documents are named."""
_GRADES = ("clicked less than others", "not certain", "clicked more than others")


def ranks(view: LogView) -> LogSection:
    """E(p), the share that is clicked at each rank."""
    found = clicks_by_rank(view.log)
    columns = (found.rank, found.shown, found.clicked, found.expected, found.interval.lower, found.interval.upper)
    return LogSection(
        "ranks",
        "Click-through by rank",
        words=(
            f"Of {int(found.shown.sum()):,} documents that were shown, {int(found.clicked.sum()):,} were clicked; what "
            "a click says of a document depends on the rank at which it stood",
        ),
        figures=(
            drawn(
                "ranks",
                "By rank",
                click_through(found),
                "People click what stands high, be it good or not: this is of ranks and documents together",
            ),
        ),
        tables=(
            LogTable(
                "The share of documents shown at a rank that are clicked, with 95 % intervals (Wilson)",
                ("rank", "shown", "clicked", "share", "from", "to"),
                list(zip(*(column.tolist() for column in columns), strict=True)),
                left=0,
                shares=("share", "from", "to"),
            ),
        ),
        notes=tuple(found.notes),
    )


def documents(view: LogView) -> LogSection:
    """COEC of the documents that were shown most often."""
    found = click_deviation(view.log)
    known = np.flatnonzero(~np.isnan(found.coec))
    order = known[np.argsort(-found.shown[known], kind="stable")]
    # Some are not to be named: twice as many are looked at as there is room for, and more.
    candidates = order[: 10 * MANY].tolist()
    public = view.public(found.text[at] for at in candidates)
    named = [at for at in candidates if found.text[at] in public][:MANY]
    bounds = found.coec_interval
    columns = (found.text, found.document, found.shown, found.clicked, found.expected, found.coec)
    rows = [
        (*(column[at] if column.dtype == object else column[at].item() for column in columns),
         float(bounds.lower[at]), float(bounds.upper[at]))
        for at in named
    ]  # fmt: skip
    thin = len(found.coec) - len(known)
    return LogSection(
        "documents",
        "Clicks over expected clicks",
        words=(
            "COEC is how often a document was clicked, over how often documents at the ranks where it was shown are: "
            "1 is as much as others, 2 twice as much",
        ),
        tables=(
            LogTable(
                "Documents that were shown most often, with 95 % intervals (Garwood)",
                ("query", "document", "shown", "clicked", "expected", "COEC", "from", "to"),
                rows,
                left=2,
                digits=2,
            ),
        ),
        notes=(
            f"It is known of {len(known):,} documents of queries; of {thin:,} others, which were shown less than "
            f"{found.enough} times or where nobody clicks anything, nothing is said",
        ),
    )


def models(view: LogView) -> LogSection:
    """Click models: which foretells best, and how far people look by each."""
    clicked = view.log.run(view.log.impressions.filter(lambda rows: rows.clicks > 0).count()).as_py()
    if clicked < ENOUGH_CLICKS:
        raise DataError(
            f"documents that were shown have {clicked:,} clicks, and with fewer than {ENOUGH_CLICKS:,} no click model "
            "is fitted"
        )
    found = fit_models(view.log)
    rows = [
        (name, one.quality.perplexity, one.fit.iterations, one.documents - one.abstains)
        for name, one in found.models.items()
    ]
    looks = [
        (rank + 1, *(float(one.examination[rank]) for one in found.models.values()))
        for rank in range(len(found.models[found.best].examination))
    ]
    return LogSection(
        "models",
        "Click models",
        words=(
            "A click model takes apart how likely a rank is looked at and how likely a document is clicked by who "
            "looks at it",
            f"Fitted to {found.fitted_to:,} pages, tried on {found.tried_on:,} others. {found.verdict}; a perplexity "
            "of 1 is always right, 2 no better than a coin",
        ),
        figures=(
            drawn(
                "looks",
                "How far down people look",
                looks_by_rank({name: one.examination for name, one in found.models.items()}, found.best),
                "Each model has its own idea of how people read: where they disagree, nobody knows",
            ),
        ),
        tables=(
            LogTable("Models", ("model", "perplexity", "steps of fitting", "documents it tells of"), rows, digits=4),
            LogTable(
                "How likely each rank is looked at",
                ("rank", *found.models),
                looks,
                left=0,
                shares=tuple(found.models),
            ),
        ),
        notes=tuple(found.notes),
    )


def judgments(view: LogView) -> LogSection:
    """What infer-qrels would make of it, in numbers."""
    found = infer_qrels(view.log)
    counts = np.bincount(found.grade, minlength=len(_GRADES)).tolist()
    rows = [(str(grade), meaning, counts[grade]) for grade, meaning in enumerate(_GRADES)]
    return LogSection(
        "judgments",
        "Inferred judgments",
        words=(
            f"From clicks over expected clicks, {len(found):,} documents of {len(set(found.topic.tolist())):,} queries "
            f"can be judged; of {found.thin:,} there is too little. The command cranfield logs infer-qrels writes them",
        ),
        tables=(LogTable("Grades", ("grade", "which means", "documents"), rows, left=2),),
        notes=("The grade is 2 or 0 where the whole 95 % interval of COEC is above 1, or below, and 1 otherwise",),
    )
