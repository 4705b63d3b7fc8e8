"""`cranfield logs models`."""

from __future__ import annotations

import click
import numpy as np

from cranfield.cli.completion import FILE
from cranfield.cli.logs.log_options import log_options
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.logs.workers_output import scratch_option
from cranfield.cli.options import formats_option
from cranfield.cli.progress import progress_bar
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.data.strings import Floats
from cranfield.logs.click_models import ClickModels
from cranfield.logs.documents import COLUMNS
from cranfield.logs.fit_models import fit_models
from cranfield.logs.fitted_models import ALL, FittedModels, ModelNumbers
from cranfield.logs.log import Log
from cranfield.logs.models import MODELS
from cranfield.logs.models.reading import DEPTH, MOST_RANKS
from cranfield.logs.models.relevance import LEAST_LOOKS

MODELS_HEADER = ("model", "perplexity", "log_likelihood", "steps", "documents", "abstains")
BY_RANK = {
    "examination": "How likely each rank is looked at",
    "continuation": "How likely people go on",
    "perplexity": "Perplexity at each rank",
}
"""Tables of a row for each rank and a column for each model, and their titles."""


@click.command(
    "models",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield logs models shop-log --model all --held-out 0.2 -o relevance.tsv",
)
@log_options
@click.option(
    "--model",
    "models",
    type=click.Choice([*MODELS, ALL]),
    multiple=True,
    default=(ALL,),
    show_default=True,
    help="Which model; may be repeated.",
)
@click.option(
    "--held-out",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.2,
    show_default=True,
    help="The share of sessions to try models on, and not to fit to; 0: none.",
)
@click.option(
    "-k", "--depth", type=click.IntRange(1, MOST_RANKS), default=DEPTH, show_default=True, help="Ranks to look at."
)
@click.option(
    "--least-views",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Leave out queries that were put less often, which saves memory where most were put once.",
)
@click.option(
    "--least-looks",
    type=click.FloatRange(0),
    default=LEAST_LOOKS,
    show_default=True,
    help="Say nothing of documents that were looked at less often.",
)
@click.option("--iterations", type=click.IntRange(1), default=500, show_default=True, help="Steps of fitting at most.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=FILE,
    help="Write what documents are worth, with intervals: tab-separated, or Parquet by its ending.",
)
@plot_option("how far people look")
@scratch_option
@table_option(("models", *BY_RANK), "models")
@formats_option
def command(
    log: Log,
    models: tuple[str, ...],
    held_out: float,
    depth: int,
    least_views: int,
    least_looks: float,
    iterations: int,
    output: str | None,
    plot: str | None,
    scratch: str | None,
    wanted: str | None,
    layout: str | None,
) -> None:
    """Fit click models: how far down people look, and what their clicks say about documents.

    \b
    pbm      a rank is looked at with a chance of its own
    cascade  people read from the top to the first click
    dcm      ...and after a click go on with a chance that depends on the rank
    dbn      ...and go on until a click satisfies them, or they give up
    ubm      a rank is looked at with a chance that depends on it and on the last click above

    The perplexity says how well a model foretells the clicks of sessions that were held out: 1 is always, 2 no better
    than a coin. Examination is how likely a rank is looked at, continuation how likely people go on after a click (dcm)
    or unless satisfied (dbn).

    On Spark (--engine spark) the log is read and models are fitted by the workers. What documents are worth is not
    shown then: -o is the name of a folder, ending in .parquet, which the workers write.
    """
    with progress_bar() as progress:
        found = fit_models(
            log,
            models,
            held_out=held_out,
            depth=depth,
            least_views=least_views,
            least_looks=least_looks,
            iterations=iterations,
            output=output,
            scratch=scratch,
            progress=progress,
        )
    if plot is not None:
        from cranfield.report.charts.looks_by_rank import looks_by_rank

        write_plot(looks_by_rank({name: one.examination for name, one in found.models.items()}, found.best), plot)
    notes = found.notes
    if output is not None:
        rows = sum(one.documents for one in found.models.values())
        notes.append(f"{output}: {rows:,} rows, what each model says of each document")
    show_sections(
        {
            "models": Section(MODELS_HEADER, _models(found)),
            **{what: _by_rank(found, what) for what in BY_RANK},
        },
        layout,
        wanted,
        usual=("models", "examination", "continuation"),
        whole=_whole(found),
        said=[_said(found)],
        notes=notes,
    )


def _said(found: FittedModels) -> str:
    trial = f", tried on {found.tried_on:,} others" if found.held_out else ""
    return f"Fitted to {found.fitted_to:,} pages{trial}. {found.verdict}."


def _models(found: FittedModels) -> list[tuple[str | float, ...]]:
    return [
        (name, one.quality.perplexity, one.quality.log_likelihood, one.fit.iterations, one.documents, one.abstains)
        for name, one in found.models.items()
    ]


def _by_rank(found: FittedModels, what: str) -> Section:
    columns = {name: column for name, one in found.models.items() if (column := _column(one, what)) is not None}
    rows = [
        (rank + 1, *(_known(float(column[rank])) for column in columns.values()))
        for rank in range(max(map(len, columns.values()), default=0))
    ]
    return Section(("rank", *columns), rows, BY_RANK[what], left=0)


def _column(one: ModelNumbers, what: str) -> Floats | None:
    if what == "perplexity":
        return one.quality.perplexity_by_rank
    if what == "examination":
        return one.examination
    goes_on = one.model.parameters().get(what)
    return None if goes_on is None else np.broadcast_to(goes_on, one.examination.shape)


def _known(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else value


def _whole(found: FittedModels) -> dict[str, object]:
    return {
        "held_out": found.held_out,
        "best": found.best,
        "verdict": found.verdict,
        "notes": found.notes,
        "models": {
            name: {
                "perplexity": _known(one.quality.perplexity),
                "perplexity_by_rank": _listed(one.quality.perplexity_by_rank),
                "log_likelihood": _known(one.quality.log_likelihood),
                "pages": one.quality.views,
                "steps": one.fit.iterations,
                "converged": one.fit.converged,
                "prior": {"share": one.fit.prior.share, "looks": one.fit.prior.looks},
                "examination": _listed(one.examination),
                "parameters": {what: _listed(values) for what, values in one.model.parameters().items()},
                **_documents(found, name),
            }
            for name, one in found.models.items()
        },
    }


def _documents(found: FittedModels, name: str) -> dict[str, object]:
    """Where they are in memory."""
    if not isinstance(found, ClickModels):
        return {}
    return {"documents": [dict(zip(COLUMNS[1:], row[1:], strict=True)) for row in found.rows(name)]}


def _listed(values: Floats) -> list[object]:
    """As JSON has it, of one dimension or two."""
    return [_listed(each) if isinstance(each, np.ndarray) else _known(float(each)) for each in values]
