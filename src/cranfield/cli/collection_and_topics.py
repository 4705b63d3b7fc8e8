"""Documents and topics for people to judge: as given, and what is not given as the workspace has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.data.collection import Collection
from cranfield.data.topics import Topics
from cranfield.errors import UsageError
from cranfield.formats.collections import open_collection
from cranfield.formats.collections.reading import Reading, Ways
from cranfield.formats.topics import read_topics

if TYPE_CHECKING:
    from cranfield.experiments.workspace import Workspace


def collection_and_topics(
    collection: str | None, topics: str | None, ways: Ways, workspace: Workspace | None
) -> tuple[Collection, Topics]:
    """What is judged, and for what."""
    if collection is not None:
        found = open_collection(collection, **ways)
    elif workspace is not None:
        from cranfield.experiments import materials

        found = materials.collection(workspace)
    else:
        raise click.UsageError("Missing option '--collection'. Only in a workspace can it be left out.")
    if topics is not None:
        return found, read_topics(topics, **Reading(**ways).of_topics)
    if collection is None and workspace is not None:
        from cranfield.experiments import materials

        return found, materials.topics(workspace)
    if found.topics is None:
        raise UsageError(f"{collection}: this collection has no topics of its own: name their file with --topics")
    return found, found.topics
