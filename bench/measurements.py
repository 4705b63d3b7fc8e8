"""All that can be measured: a table each, and the names by which its parts are asked for."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from bench.cases import CASES, DUELS
from bench.documents import read_documents
from bench.end_to_end import end_to_end, memory
from bench.engines import tantivy
from bench.fusion import RUNS, fuse_runs
from bench.growth import growth
from bench.http_engine import AT_ONCE, TOPICS, search_over_http
from bench.judging import answer_and_next
from bench.libraries import compare_curves, compare_significance, compat, fight
from bench.logs_analyses import analyse_logs
from bench.logs_import import import_logs
from bench.logs_models import fit_click_models, simulate_logs
from bench.next_document import next_document
from bench.our_own import each_measure, explain_one_query, provenance, residuals, ties, write_reports
from bench.pools import build_pools, leave_one_out
from bench.processes import CommandError
from bench.report import Table
from bench.session import VERDICTS, Session
from bench.spark_logs import beside_duckdb, further_events
from bench.spark_runs import evaluate_many_runs
from bench.tuning import trials_a_minute


class Measurement(NamedTuple):
    """A table: its parts, its title, and what makes it."""

    parts: tuple[str, ...]
    title: str
    measure: Callable[[Session], Table]


MEASUREMENTS = (
    Measurement(tuple(case.name for case in CASES), "End to end, from files to printed means", end_to_end),
    Measurement(("memory",), "Peak memory on L, all processes together", memory),
    *(Measurement((duel.name,), duel.title, partial(fight, duel)) for duel in DUELS),
    Measurement(("compat",), "One line changed: scripts under other libraries, and under their faces here", compat),
    Measurement(("measures",), "Every measure in memory, beside AP on the same data", each_measure),
    Measurement(("significance",), "Significance tests, scores in memory", compare_significance),
    Measurement(("curves",), "Curves, in memory", compare_curves),
    Measurement(("explain",), "Explain: one query of L", explain_one_query),
    Measurement(
        ("provenance",), "Provenance: L with the SHA-256 of all files (json), beside L without (tsv)", provenance
    ),
    Measurement(
        ("residuals",),
        "Residuals: L by the default measures with the bounds that unjudged documents leave, beside L without",
        residuals,
    ),
    Measurement(("ties",), "Ties: values over all orders of tied documents, beside those by identifier", ties),
    Measurement(("report",), "Report: from files to a page with all plots", write_reports),
    Measurement(("documents",), "Documents: JSON lines, beside `json.loads` line by line", read_documents),
    Measurement(("tantivy",), "Tantivy: made-up documents of about 90 words, and CACM; k = 1000", tantivy),
    Measurement(
        ("http",), f"HTTP: {TOPICS:,} topics against a server on loopback, {AT_ONCE} at once", search_over_http
    ),
    Measurement(("fusion",), f"Fusion of {RUNS} runs of size S (250 topics x 1000) in memory", fuse_runs),
    Measurement(("pools",), "Pools: depth 100 of 129 runs, from files", build_pools),
    Measurement(("bias",), "Bias: 129 runs, each left out of the pool in turn", leave_one_out),
    Measurement(("next",), "Next document: active learning over 20,000 documents", next_document),
    Measurement(("tuning",), "Tuning: k1 and b of the engine bm25 on the Cranfield collection", trials_a_minute),
    Measurement(("judging",), "Judging: from an answer to the next document, many assessors at once", answer_and_next),
    Measurement(("logs-import",), "Importing query logs", import_logs),
    Measurement(("logs-analyses",), "Analyses of query logs, beside pandas", analyse_logs),
    Measurement(("simulated-log",), "Simulated logs", simulate_logs),
    Measurement(("click-models",), "Click models: a step of fitting, beside a loop in Python", fit_click_models),
    Measurement(("spark-logs",), "Spark: analyses of query logs, beside DuckDB", beside_duckdb),
    Measurement(("spark-growth",), "Spark: what a further event costs", further_events),
    Measurement(("spark-runs",), "Spark: many runs of size L", evaluate_many_runs),
    Measurement(("growth",), "Growth: Cranfield on runs of 1000 documents a query", growth),
)
PARTS = tuple(part for measurement in MEASUREMENTS for part in measurement.parts)
TITLES = (*(measurement.title for measurement in MEASUREMENTS), VERDICTS)


def tables(session: Session) -> Iterator[Table]:
    """Measure the parts asked for, a table at a time."""
    for parts, title, measure in MEASUREMENTS:
        asked = [part for part in parts if part in session.parts]
        if asked:
            session.part = asked[0]
            try:
                table = measure(session)
            except CommandError as error:
                session.note_wrong(f"failed. {error}")
                continue
            table.title, table.parts = title, parts
            yield table
    yield session.verdicts(PARTS)
