"""A program that reads topics and writes a run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from cranfield.data.documents import Document
from cranfield.engines.engine import Engine, Hits
from cranfield.engines.parameters import choice, number, text
from cranfield.engines.templates import Template
from cranfield.errors import DataError, EngineError, ParameterError, did_you_mean
from cranfield.formats import read_run

_LINES_SHOWN = 5


class CommandEngine(Engine):
    """A program that is started once for all topics, without a shell.

    It finds the topics on its standard input, or in a file whose name stands for `{{topics}}` among its arguments: one
    line for each, `topic<TAB>query` or (`topics = "jsonl"`) `{"id": ..., "query": ...}`. It writes a run in TREC's
    format (or any that is recognised) to its standard output, or to a file whose name stands for `{{run}}`. `{{k}}` is
    how many documents are wanted. A topic that is not in the run has failed, unless `missing = "empty"` says that it is
    one without hits.
    """

    kind: ClassVar[str] = "command"
    made_at_once: ClassVar[bool] = True
    embedded: ClassVar[bool] = False
    indexes: ClassVar[bool] = False
    immaterial: ClassVar[frozenset[str]] = frozenset({"timeout"})
    unanswered: ClassVar[str] = (
        'the run that the command wrote has no line for it: missing = "empty" says that such a topic has no hits'
    )

    def __init__(
        self,
        *,
        program: Sequence[str],
        topics: str = "tsv",
        missing: str = "failed",
        folder: str | None = None,
        timeout: float = 3600.0,
    ) -> None:
        if isinstance(program, str) or not program:
            raise ParameterError(f'program is {program!r}; expected a program and its arguments, as ["./search", "-n"]')
        self._program = [
            Template(f"program[{place}]", text(f"program[{place}]", part), str, ("topics", "run", "k"))
            for place, part in enumerate(program)
        ]
        self._places = {place for part in self._program for place in part.places}
        self._topics = choice("topics", topics, ("tsv", "jsonl"))
        self._missing = choice("missing", missing, ("failed", "empty"))
        self._folder = None if folder is None else text("folder", folder)
        self._timeout = number("timeout", timeout, least=0.001)

    def index(self, documents: Iterable[Document]) -> NoReturn:
        """Refused: only its owner knows how."""
        raise EngineError("a command is only searched: give it its documents by its own means")

    def search(self, query: str, k: int) -> Hits:
        """The hits of one query, as the topic 1."""
        found = self.search_topics({"1": query}, k)
        if "1" not in found:
            raise EngineError(self.unanswered)
        return found["1"]

    def search_topics(self, queries: Mapping[str, str], k: int) -> Mapping[str, Hits]:
        """The hits of all topics in the run that the program writes."""
        with tempfile.TemporaryDirectory(prefix="cranfield-") as scratch:
            asked, written = Path(scratch, f"topics.{self._topics}"), Path(scratch, "run")
            asked.write_text(self._lines(queries), encoding="utf-8", errors="replace")
            command = [part.fill(topics=str(asked), run=str(written), k=k) for part in self._program]
            printed = written if "run" not in self._places else Path(scratch, "printed")
            self._run(command, asked, printed)
            return self._hits(command[0], written, queries)

    def _lines(self, queries: Mapping[str, str]) -> str:
        if self._topics == "jsonl":
            return "".join(f"{json.dumps({'id': topic, 'query': query})}\n" for topic, query in queries.items())
        return "".join(f"{topic}\t{' '.join(query.split())}\n" for topic, query in queries.items())

    def _run(self, command: Sequence[str], asked: Path, printed: Path) -> None:
        complaints = printed.with_name("complaints")
        with asked.open("rb") as topics, printed.open("wb") as out, complaints.open("wb") as errors:
            given = subprocess.DEVNULL if "topics" in self._places else topics
            try:
                process = subprocess.Popen(
                    command, stdin=given, stdout=out, stderr=errors, cwd=self._folder, start_new_session=True
                )
            except OSError as error:
                raise EngineError(f"the command {command[0]} cannot be started: {error.strerror or error}") from None
            try:
                status = process.wait(self._timeout)
            except subprocess.TimeoutExpired:
                raise EngineError(
                    f"the command {command[0]} was stopped: it took more than {self._timeout:g} seconds (timeout)"
                    f"{_last_lines(complaints)}"
                ) from None
            finally:
                _stop(process)
        if status != 0:
            how = f"ended with status {status}" if status > 0 else f"was ended by {signal.Signals(-status).name}"
            raise EngineError(f"the command {command[0]} {how}{_last_lines(complaints)}")

    def _hits(self, program: str, written: Path, queries: Mapping[str, str]) -> dict[str, Hits]:
        size = written.stat().st_size if written.exists() else None
        if size is None or (size == 0 and self._missing == "failed"):
            where = "the file {{run}}" if "run" in self._places else "its standard output"
            raise EngineError(f"the command {program} ended well, and wrote no run to {where}")
        if size == 0:
            return dict.fromkeys(queries, ())
        try:
            run = read_run(written)
        except DataError as error:
            said = str(error).replace(str(written), "its run")
            raise EngineError(f"the command {program} wrote what cannot be used: {said}") from None
        for topic in run:
            if topic not in queries:
                raise EngineError(
                    f"the command {program} answers a topic {topic!r} that was not asked{did_you_mean(topic, queries)}"
                )
        without = dict.fromkeys(queries, ()) if self._missing == "empty" else {}
        return {**without, **{topic: list(run[topic].items()) for topic in run}}

    def count(self) -> int | None:
        """Not known."""
        return None

    def description(self) -> Mapping[str, Any]:
        """The program with its arguments, and how it is used."""
        return {
            "parameters": {
                "program": [part.text for part in self._program],
                "topics": self._topics,
                "missing": self._missing,
                "folder": self._folder,
            }
        }


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a program that still runs, and what it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _last_lines(file: Path) -> str:
    """What a program said last on standard error."""
    with file.open("rb") as complaints:
        complaints.seek(max(0, file.stat().st_size - 4000))
        lines = complaints.read().decode("utf-8", "replace").strip().splitlines()[-_LINES_SHOWN:]
    return ":\n" + "\n".join(f"  {line[:200]}" for line in lines) if lines else ", and said nothing on standard error"
