"""The command line of ir_measures: `python -m cranfield.compat.ir_measures QRELS RUN MEASURE...`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from cranfield.compat.ir_measures.failures import MeasureSyntaxError, UnknownNameError
from cranfield.compat.ir_measures.measure import Measure
from cranfield.compat.ir_measures.parsing import parse_measure
from cranfield.compat.ir_measures.providers import DefaultPipeline, registry
from cranfield.compat.ir_measures.reading import read_trec_qrels, read_trec_run
from cranfield.compat.ir_measures.records import CwlMetric, Metric
from cranfield.errors import CranfieldError, UsageError

_ALL = "all"
_PLACES = 4


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m cranfield.compat.ir_measures",
        description="Evaluate a run as ir_measures does.",
        epilog="example: python -m cranfield.compat.ir_measures qrels.txt bm25.run nDCG@10 'P(rel=2)@5 Judged@10'",
    )
    parser.add_argument("qrels", help="a file of judgments, or the name of a dataset of ir_datasets")
    parser.add_argument("run", help="a run file")
    parser.add_argument("measures", nargs="+", metavar="measure", help="a measure, or several with spaces between them")
    parser.add_argument("--places", "-p", type=int, default=_PLACES, help="decimal places; -1 shows all")
    parser.add_argument("--by_query", "-q", action="store_true", help="a line for each query and measure")
    parser.add_argument("--no_summary", "-n", action="store_true", help="with -q, no lines for all queries together")
    parser.add_argument("--output_format", "-o", choices=("tsv", "jsonl"), default="tsv")
    parser.add_argument("--provider", choices=registry, help="accepted and checked; all of them compute alike")
    arguments = parser.parse_args(given)
    if arguments.no_summary and not arguments.by_query:
        parser.error("--no_summary (-n) goes with --by_query (-q)")
    return arguments


def _measures(texts: Sequence[str]) -> list[Measure]:
    found, wrong = [], []
    for name in (name for text in texts for name in text.split()):
        try:
            found.append(parse_measure(name))
        except (MeasureSyntaxError, UnknownNameError) as error:
            wrong.append(str(error))
    if wrong:
        raise UsageError("; ".join(wrong))
    return list(dict.fromkeys(found))


def _qrels(name: str) -> Any:
    if os.path.exists(name):
        return read_trec_qrels(name)
    try:
        import ir_datasets
    except ImportError:
        raise UsageError(f"{name}: there is no such file; for the name of a dataset, install ir_datasets") from None
    try:
        return ir_datasets.load(name).qrels_iter()
    except KeyError:
        raise UsageError(f"{name}: there is no such file, and no such dataset in ir_datasets") from None


def _line(metric: Metric | CwlMetric, arguments: argparse.Namespace) -> str:
    if arguments.output_format == "jsonl":
        record = metric._asdict() | {"measure": str(metric.measure)}
        return json.dumps(record if arguments.by_query else {k: v for k, v in record.items() if k != "query_id"})
    value = f"{metric.value}" if arguments.places == -1 else f"{metric.value:.{arguments.places}f}"
    return "\t".join([*([metric.query_id] if arguments.by_query else []), str(metric.measure), value])


def main(given: Sequence[str] | None = None) -> int:
    """Evaluate and write a line for each value; the exit code."""
    arguments = _arguments(given)
    try:
        measures = _measures(arguments.measures)
        provider = registry[arguments.provider] if arguments.provider else DefaultPipeline
        qrels, run = _qrels(arguments.qrels), read_trec_run(arguments.run)
        values: list[Metric | CwlMetric] = []
        if arguments.by_query:
            means, values = provider.calc(measures, qrels, run)
        else:
            means = provider.calc_aggregate(measures, qrels, run)
        if not arguments.no_summary:
            values += [Metric(_ALL, measure, means[measure]) for measure in measures]
        sys.stdout.writelines(f"{_line(value, arguments)}\n" for value in values)
        sys.stdout.flush()
    except CranfieldError as error:
        sys.stderr.write(f"ir_measures: {error}\n")
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
