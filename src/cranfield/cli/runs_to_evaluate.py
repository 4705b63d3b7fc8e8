"""What is evaluated: in a workspace, judgments, runs and measures are those of `cranfield.toml`.

What is given wins. The name of a system stands for its run, unless there is a file of that name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.workspace_options import nearer
from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.experiments.finding import PARTS, find_workspace
from cranfield.formats import run_name

if TYPE_CHECKING:
    from cranfield.data.run import Run
    from cranfield.evaluation.result import Evaluation
    from cranfield.experiments.differences import Difference
    from cranfield.experiments.workspace import Workspace

EVERYTHING = "all"
"""All parts of a divided workspace."""

split_option = click.option(
    "--split",
    type=click.Choice([*PARTS, EVERYTHING]),
    help="The part of a divided workspace; a look at test topics is noted in the ledger.  [default: validation]",
)


class ToEvaluate(NamedTuple):
    """What is evaluated, and the workspace it is done in, if there is one."""

    qrels: str
    runs: list[str]
    measures: tuple[str, ...]
    workspace: Workspace | None = None
    own_qrels: bool = False
    """Whether the judgments are those of the workspace."""
    part: str | None = None
    """The part of a divided workspace that is evaluated."""

    def scored(self) -> list[str | Run]:
        """The runs; where documents were divided, without those of other parts."""
        if self.workspace is None or self.part in (None, EVERYTHING):
            return list(self.runs)
        from cranfield.experiments.chosen_documents import run_among
        from cranfield.experiments.split_files import part_documents
        from cranfield.formats import read_run

        documents = part_documents(self.workspace, self.part)
        return list(self.runs) if documents is None else [run_among(read_run(run), documents) for run in self.runs]

    def comparisons(self, found: Evaluation) -> int:
        """How many values were seen on the test topics, with these; an error if these are not of test topics."""
        from cranfield.experiments.looks import looks, sha256_of, touches_test

        topics = {topic for run in found.values() for topic in run.queries}
        if self.workspace is None or not touches_test(self.workspace, topics, self.qrels):
            raise UsageError(
                "--correct-looks: this comparison does not look at test topics of a divided workspace (--split test)"
            )
        hashes = {name: sha256_of(file) for name, file in self.files(found).items()}
        seen = [(sha256, str(measure)) for sha256 in hashes.values() for measure in found.measures]
        return looks(self.workspace).comparisons(next(iter(hashes.values())), seen)

    def files(self, found: Evaluation) -> dict[str, str]:
        """The file of each run that was evaluated."""
        known = {run_name(file): file for file in self.runs}
        read = {
            name: source.name
            for name, run in found.items()
            for source in (run.origin.inputs if run.origin else ())
            if source.role == "run"
        }
        return {name: file if Path(file).is_file() else known.get(name, file) for name, file in read.items()}

    def notes(self, found: Evaluation) -> tuple[str, ...]:
        """Tell the workspace what was evaluated; gives what belongs in a report, with the heads of the ledger."""
        said = self._noted(found)
        if self.workspace is None:
            return said
        from cranfield.experiments.evaluating import quoted_heads

        return (*said, *quoted_heads(self.workspace))

    def _noted(self, found: Evaluation) -> tuple[str, ...]:
        if self.workspace is None:
            return ()
        from cranfield.experiments.evaluating import evaluating

        return evaluating(
            self.workspace,
            self.files(found),
            [str(measure) for measure in found.measures],
            list(dict.fromkeys(topic for run in found.values() for topic in run.queries)),
            qrels=self.qrels,
            command=command_line(),
        )

    def done(self, found: Evaluation) -> None:
        """Tell the workspace what was evaluated, and say on standard error what belongs beside the numbers."""
        for note in self._noted(found):
            click.echo(f"cranfield: {note}", err=True)

    def baseline(self, name: str) -> str:
        """One of these runs by its name, or else the run of a system or a file."""
        return name if name in map(run_name, self.runs) else self.run(name)

    def run(self, name: str) -> str:
        """The run of a system by its name; anything else is what it was."""
        return _run(self.workspace, name) if self.workspace and _is_system(self.workspace, name) else name

    def topic_texts(self) -> dict[str, str] | None:
        """What the topics of the workspace ask, where they are the ones that are judged."""
        if self.workspace is None or not self.own_qrels:
            return None
        from cranfield.experiments import materials

        return {topic.id: topic.query() for topic in materials.topics(self.workspace).values()}

    def documents_file(self) -> str | None:
        """The file that says what documents are called."""
        if self.workspace is None or not self.own_qrels:
            return None
        from cranfield.experiments import materials

        found = materials.documents_file(self.workspace)
        return None if found is None else str(found)

    def changes(self) -> list[str]:
        """What each run has otherwise than the first, if that is known of all; more than one thing is warned of."""
        if self.workspace is None:
            return []
        from cranfield.experiments.compared_runs import run_differences
        from cranfield.experiments.differences import things

        found = [run_differences(self.runs[0], run) for run in self.runs[1:]]
        for run, several in zip(self.runs[1:], found, strict=True):
            if several is not None and len(things(several)) > 1:
                click.echo(
                    f"cranfield: {run_name(self.runs[0])} and {run_name(run)} differ in more than one thing: "
                    f"{said(several)}. The comparison cannot tell which of them makes the difference.",
                    err=True,
                )
        return [said(several) or "nothing" for several in found if several is not None] if None not in found else []


def said(several: Sequence[Difference]) -> str:
    """The differences that count, in one line."""
    return "; ".join(str(one) for one in several if not one.follows)


def to_evaluate(
    qrels: str | None,
    runs: Sequence[str],
    measures: Sequence[str],
    *,
    needed: Sequence[str] = ("QRELS", "RUN..."),
    split: str | None = None,
) -> ToEvaluate:
    """What is evaluated: as given, and where something is not, as the workspace has it.

    The first name is that of the judgments, unless it is the name of a system, or `split` says which judgments are
    meant: the part of a divided workspace, the usual one if it is not named. `needed` are the arguments without which
    there is nothing to do.
    """
    workspace = find_workspace()
    if workspace is None:
        if split is not None:
            raise UsageError("--split is for a workspace that `cranfield split` has divided, and this is none")
        if qrels is None or len(runs) < len(needed) - 1:
            what = needed[0] if qrels is None else needed[len(runs) + 1]
            raise click.UsageError(
                f"Missing argument '{what}'. Only in a workspace (`cranfield init` makes one) can it be left out."
            )
        return ToEvaluate(qrels, list(runs), tuple(measures))
    if qrels is not None and (split is not None or _is_system(workspace, qrels)):
        runs, qrels = [qrels, *runs], None
    if qrels is not None:
        _run(workspace, qrels)
    given = list(runs) or list(workspace.systems)
    if len(given) < len(needed) - 1:
        raise UsageError(
            f"{workspace.where('systems')}: {_runs(len(needed) - 1)} needed, found {len(given)}: add a system there, "
            "or name more runs"
        )
    _check_runs(workspace, [name for name in given if _is_system(workspace, name)])
    place, part = (qrels, None) if qrels is not None else _judgments(workspace, split)
    return ToEvaluate(
        place,
        [_run(workspace, name) for name in given],
        tuple(measures) or workspace.measures,
        workspace,
        own_qrels=qrels is None,
        part=part,
    )


def named_runs(workspace: Workspace | None, names: Sequence[str], *, all_of_them: bool) -> list[str]:
    """The files of these runs: paths, or in a workspace the names of systems; `all_of_them`, where none is named."""
    if workspace is None:
        return list(names)
    given = list(names) or (list(workspace.systems) if all_of_them else [])
    _check_runs(workspace, [name for name in given if _is_system(workspace, name)])
    return [_run(workspace, name) for name in given]


def _judgments(workspace: Workspace, split: str | None) -> tuple[str, str | None]:
    """The judgments of a workspace, or of the part of it that is meant, and which that is."""
    from cranfield.experiments import materials
    from cranfield.experiments.split_files import is_split, part_file, read_split, usual_part

    if split is None and not is_split(workspace):
        return nearer(materials.qrels(workspace)), None
    record = read_split(workspace)
    if split == EVERYTHING:
        return nearer(materials.qrels(workspace)), split
    part = split or usual_part(workspace)
    if split is None:
        of = f"{record.counts[part]} of {sum(record.counts.values())} {_DIVIDED[record.by]}"
        click.echo(f"cranfield: {part}: {of}; --split names another part", err=True)
    return nearer(part_file(workspace, part)), part


_DIVIDED = {"query": "topics", "document": "documents"}


def _is_system(workspace: Workspace, name: str) -> bool:
    return name in workspace.systems and not Path(name).is_file()


def _run(workspace: Workspace, name: str) -> str:
    """The run that is meant by the name of a system or a path; an error that offers systems where it is neither."""
    if _is_system(workspace, name):
        return nearer(workspace.run_file(name))
    if name != "-" and not name.startswith("ir_datasets:") and not Path(name).exists():
        there = f"{did_you_mean(name, workspace.systems)} There are: {', '.join(workspace.systems)}"
        raise UsageError(f"{name}: there is no such file, and no system of that name{there}")
    return name


def _check_runs(workspace: Workspace, systems: Sequence[str]) -> None:
    """An error for a run that is not there or not whole; what is stale is said."""
    from cranfield.experiments.staleness import system_states

    for one in system_states(workspace, systems):
        name, state = one.system.name, one.run
        if state.condition == "missing":
            raise DataError(f"{name}: there is no run yet: `cranfield search {name}`, or `cranfield update` for all")
        if state.condition == "broken":
            raise DataError(
                f"{name}: {state.why}. `cranfield update` makes it again; give the path of the file to take it as it is"
            )
        if not state.current:
            click.echo(f"cranfield: {name}: its run is stale ({state.why}): `cranfield update` makes it anew", err=True)


def _runs(count: int) -> str:
    return "one run is" if count == 1 else f"{count} runs are"
