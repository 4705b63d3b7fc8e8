"""The values of each query of each run, on the workers: by the same evaluator as anywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Floats, Ints, Strings
from cranfield.evaluation.coverage import DEPTH, Coverage
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.missing_topics import MissingTopics
from cranfield.evaluation.streaming import rank_run
from cranfield.measures import Measure
from cranfield.spark.by_query import PIECE, pieces
from cranfield.spark.piece_lists import NO_MARKS, Marks, PieceLists
from cranfield.spark.rows import JUDGMENTS

if TYPE_CHECKING:
    import pyarrow as pa

    from cranfield.data.rankings import Rankings


class _NotKnownHere(MissingTopics):
    """A worker sees some topics only: what a run lacks is known when all are together."""

    def check(self, coverage: Coverage, queries: Sequence[str], name: str) -> None:
        pass


@dataclass(frozen=True)
class QueryValues:
    """What workers need to know to evaluate lists."""

    measures: tuple[Measure, ...]
    options: Mapping[str, Any]
    """Those of `Evaluator`, with costs that were read."""
    intents: Mapping[Any, Any] | None
    names: tuple[str, ...]
    """Of the runs."""
    judgments: str
    """The name of the judgments."""
    query_order: bool
    """Whether queries without judgments are named in the order of the files, as where these are read line by line."""
    piece: int = PIECE
    """About so many rows are evaluated in one go."""

    @property
    def schema(self) -> str:
        """As Spark writes it: a row for each query of each run, and one for each judged query and no run, with the
        values that it has where a run lacks it."""
        facts = "run int, query binary, found boolean, judged boolean, counted boolean, relevant boolean"
        numbers = "retrieved bigint, tied bigint, judged_first bigint, first_place bigint, last_place bigint"
        return ", ".join([facts, numbers, "tag binary", *value_columns(self.measures)])

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows that `by_query` has parted."""
        for piece in pieces(batches, self.piece):
            lists = PieceLists(piece.table)
            evaluator, judged, new = None, frozenset[bytes](), np.zeros(0, dtype=np.bool_)
            if lists.judgments:
                evaluator = self._evaluator(lists.qrels(self.judgments))
                judged = frozenset(evaluator.qrels.query_ids)
                new = np.ones(len(judged), dtype=np.bool_)
                new[0] = not piece.continued or lists.first_query not in judged
                nobody = lists.run(slice(0, 0), "")
                yield self._of_judged(evaluator, nobody, JUDGMENTS, NO_MARKS, new)
            for number, rows in lists.runs():
                run = lists.run(rows, self.names[number]).checked()
                marks = lists.marks(rows, run, query_order=self.query_order)
                if evaluator is not None:
                    yield self._of_judged(evaluator, run, number, marks, new)
                if not judged.issuperset(run.query_ids):
                    yield self._of_others(run, number, marks, judged)

    def _evaluator(self, qrels: Qrels) -> Evaluator:
        judgments: Any = qrels
        if any(measure.definition.needs == "subtopics" for measure in self.measures):
            from cranfield.data.subtopics import Subtopics

            judgments = Subtopics(qrels, self._intents_of(qrels), intents_name="intents")
        evaluator = Evaluator(judgments, self.measures, **self.options)
        evaluator.missing = "zero"
        evaluator.missing_topics = _NotKnownHere(*evaluator.missing_topics)
        return evaluator

    def _intents_of(self, qrels: Qrels) -> Mapping[Any, Any] | None:
        if self.intents is None:
            return None
        return {query: self.intents[query] for query in qrels.queries if query in self.intents}

    def _of_judged(self, evaluator: Evaluator, run: Run, number: int, marks: Marks, new: Bools) -> pa.RecordBatch:
        """The rows of a run for the judged queries that it has; of no run, for those that are new."""
        result = evaluator(run, name=run.name)
        rankings = _rankings(evaluator, run)
        first = (rankings.rank <= DEPTH) & (rankings.grade >= 0)
        chosen = np.flatnonzero(new if number == JUDGMENTS else rankings.retrieved > 0)
        judged = evaluator.qrels.query_ids
        counted = np.ones(len(judged), dtype=np.bool_)
        if len(result.queries) < len(judged):
            kept = set(result.queries)
            counted = np.array([query in kept for query in evaluator.qrels.queries], dtype=np.bool_)
        place, known = (np.cumsum(counted) - 1)[chosen], counted[chosen]
        columns = {
            "query": [judged[at] for at in chosen.tolist()],
            "judged": np.ones(len(chosen), dtype=np.bool_),
            "counted": known,
            "relevant": rankings.relevant(None)[chosen] > 0,
            "retrieved": rankings.retrieved[chosen],
            "tied": rankings.tied[chosen],
            "judged_first": np.bincount(rankings.query[first], minlength=len(judged))[chosen],
        }
        for name, measure in zip(value_names(self.measures), self.measures, strict=True):
            columns[name] = _chosen(result.columns[measure], place, known)
        return self._batch(columns, run, number, marks)

    def _of_others(self, run: Run, number: int, marks: Marks, judged: Set[bytes]) -> pa.RecordBatch:
        """The rows of a run for queries without judgments."""
        strange = [at for at, query in enumerate(run.query_ids) if query not in judged]
        nothing, no = np.zeros(len(strange), dtype=np.int64), np.zeros(len(strange), dtype=np.bool_)
        columns: dict[str, Any] = {
            "query": [run.query_ids[at] for at in strange],
            "retrieved": np.diff(run.offset)[strange],
            **dict.fromkeys(("judged", "counted", "relevant"), no),
            **dict.fromkeys(("tied", "judged_first"), nothing),
            **dict.fromkeys(value_names(self.measures), [None] * len(strange)),
        }
        return self._batch(columns, run, number, marks)

    def _batch(self, columns: dict[str, Any], run: Run, number: int, marks: Marks) -> pa.RecordBatch:
        import pyarrow as pa

        rows = len(columns["query"])
        there = np.array([run.position.get(query, -1) for query in columns["query"]], dtype=np.int64)
        columns["run"] = np.full(rows, number)
        columns["found"] = np.full(rows, number != JUDGMENTS)
        columns["first_place"] = np.append(marks.first, 0)[there]
        columns["last_place"] = [marks.last.get(at) for at in there.tolist()]
        columns["tag"] = [marks.tag.get(at) for at in there.tolist()]
        kinds = arrow_kinds(self.schema)
        return pa.RecordBatch.from_pydict({name: pa.array(columns[name], kind) for name, kind in kinds.items()})


def _chosen(values: Floats | list[str], place: Ints, known: Bools) -> Any:
    """The values at these places, where they are known."""
    import pyarrow as pa

    if isinstance(values, np.ndarray):
        return pa.array(values[np.where(known, place, 0)] if len(values) else np.zeros(len(place)), mask=~known)
    return [values[at] if there else None for at, there in zip(place.tolist(), known.tolist(), strict=True)]


def value_names(measures: Sequence[Measure]) -> list[str]:
    """The columns of values, which are numbered: names of measures have characters that Spark reads as something."""
    return [f"value_{number}" for number in range(len(measures))]


def value_columns(measures: Sequence[Measure]) -> list[str]:
    """The same with their types, as Spark writes them."""
    kinds = ["string" if measure.definition.aggregate == "none" else "double" for measure in measures]
    return [f"{name} {kind}" for name, kind in zip(value_names(measures), kinds, strict=True)]


def arrow_kinds(schema: str) -> dict[str, Any]:
    """The Arrow types of columns, as Spark writes a table of them."""
    import pyarrow as pa

    kinds = {
        "int": pa.int32(),
        "bigint": pa.int64(),
        "double": pa.float64(),
        "boolean": pa.bool_(),
        "binary": pa.binary(),
        "string": pa.string(),
        "array<binary>": pa.list_(pa.binary()),
        "array<double>": pa.list_(pa.float64()),
    }
    return {name: kinds[kind] for name, kind in (column.split(" ") for column in schema.split(", "))}


def _rankings(evaluator: Evaluator, run: Run) -> Rankings:
    """What coverage is counted in, as the evaluator itself counts."""
    qrels, single = evaluator.qrels, evaluator.profile.single_precision
    if isinstance(qrels, Qrels):
        rankings = rank_run(run, qrels, single=single).rankings
        return rankings if evaluator.relevance == "qrels_jg" else replace(rankings, level=float(evaluator.level))
    query = Strings.from_list(qrels.query_ids).take(qrels.query)
    documents = Qrels(query, qrels.documents, np.ones(len(qrels)), name=qrels.name)
    return rank_run(run, documents, single=False).rankings
