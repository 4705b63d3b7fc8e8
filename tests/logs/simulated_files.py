"""A small collection as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.formats import write_qrels, write_run


def write_collection(folder: Path, runs: Sequence[Run], qrels: Qrels) -> None:
    """qrels.txt, a file for each run, and topics.tsv, whose words are the names of topics in capitals."""
    write_qrels(qrels, folder / "qrels.txt", format="trec")
    for run in runs:
        write_run(run, folder / f"{run.name}.run", format="trec")
    (folder / "topics.tsv").write_text("".join(f"{topic}\t{topic.upper()}\n" for topic in qrels.queries))
