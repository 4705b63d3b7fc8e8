"""What a pool is made of and for: runs, topics and documents, in a workspace those of `cranfield.toml`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from cranfield.cli.completion import FILE
from cranfield.cli.named_runs import run_files
from cranfield.errors import DataError, UsageError
from cranfield.experiments.finding import find_workspace

if TYPE_CHECKING:
    from cranfield.data.pool import Pool
    from cranfield.experiments.workspace import Workspace

POOL_FILE = "pool.tsv"
"""The pool of a workspace, where no other file is named."""

topics_option = click.option(
    "--topics", metavar="FILE", type=FILE, help="Pool only these topics.  [default: in a workspace, its topics]"
)
collection_option = click.option(
    "--collection",
    metavar="PLACE",
    type=FILE,
    help="The documents the pool is for: their hash is written down.  [default: in a workspace, its collection]",
)
force_option = click.option("--force", is_flag=True, help="Put the new pool in the place of a file that is there.")


class PoolInputs(NamedTuple):
    """What a pool is made of and for."""

    runs: list[str]
    topics: Collection[str] | None
    topics_sha256: str | None
    collection_sha256: str | None
    documents: Callable[[], Iterator[str]] | None
    """Reads the identifiers of the documents the pool is for, where these are known."""
    workspace: Workspace | None

    def refuse_other(self, pool: Pool, name: str) -> None:
        """An error for a pool that is for other documents or topics than these."""
        both = {
            "documents": (pool.collection_sha256, self.collection_sha256),
            "topics": (pool.topics_sha256, self.topics_sha256),
        }
        for what, (recorded, found) in both.items():
            if recorded is not None and found is not None and recorded != found:
                raise DataError(
                    f"{name}: this pool is for other {what}: their SHA-256 was {recorded[:12]}..., here it is "
                    f"{found[:12]}.... Build a pool for these with `cranfield pool build`."
                )


def pool_inputs(runs: Sequence[str], topics: str | None, collection: str | None, *, all_runs: bool) -> PoolInputs:
    """As given, and where something is not, as the workspace has it; with `all_runs` that goes for the runs too."""
    workspace = find_workspace()
    named = run_files(workspace, runs, all_of_them=all_runs)
    if topics is not None:
        from cranfield.formats.collections.opening import content_of
        from cranfield.formats.topics import read_topics

        asked = read_topics(topics)
        topic_ids, topics_sha256 = list(asked), content_of(asked).sha256
    elif workspace is not None:
        from cranfield.experiments import materials

        topic_ids, topics_sha256 = list(materials.topics(workspace)), materials.topics_content(workspace).sha256
    else:
        topic_ids, topics_sha256 = None, None
    collection_sha256, documents = _collection(workspace, collection)
    return PoolInputs(named, topic_ids, topics_sha256, collection_sha256, documents, workspace)


def output_of(output: str | None, workspace: Workspace | None, *, force: bool) -> str:
    """Where the pool goes; an error if something is there that would be lost."""
    if output is None:
        if workspace is None:
            raise click.UsageError("Missing option '-o'. Only in a workspace can it be left out.")
        from cranfield.cli.workspace_options import nearer

        output = nearer(workspace.root / POOL_FILE)
    refuse_overwriting(
        output,
        ", and a pool may have been judged from. Add to it with `cranfield pool extend`, name another file with -o, or "
        "say --force to lose it.",
        force=force,
    )
    return output


def refuse_overwriting(
    output: str, advice: str = ": name another file with -o, or say --force to lose it.", *, force: bool
) -> None:
    """An error if a file is there that would be lost."""
    if output != "-" and Path(output).exists() and not force:
        raise UsageError(f"{output}: there is such a file already{advice}")


def _collection(
    workspace: Workspace | None, collection: str | None
) -> tuple[str | None, Callable[[], Iterator[str]] | None]:
    """The hash of the documents, and what reads their identifiers."""
    if collection is not None:
        from cranfield.formats.collections import open_collection

        opened = open_collection(collection)
        return opened.sha256, lambda: (document.id for document in opened.documents())
    if workspace is None:
        return None, None
    from cranfield.experiments import materials

    return materials.documents_content(workspace).sha256, lambda: (
        document.id for document in materials.collection(workspace).documents()
    )
