"""A folder with documents, topics and judgments under their usual names, in any of the formats that are read here."""

from __future__ import annotations

from cranfield.formats.collections.layouts import Layout

LAYOUT = Layout(
    title="a TREC collection",
    documents=("documents*", "docs*", "corpus*", "collection*"),
    topics=("topics*", "queries*"),
    qrels=("qrels*",),
    equal_names=True,
)
