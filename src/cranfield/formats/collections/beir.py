"""A BEIR dataset: corpus.jsonl, queries.jsonl, and a file of judgments for each split, of which test is taken."""

from __future__ import annotations

from cranfield.formats.collections.layouts import Layout

LAYOUT = Layout(
    title="a BEIR dataset",
    documents=("corpus.jsonl*",),
    topics=("queries.jsonl*",),
    qrels=("qrels/test.tsv*", "qrels/dev.tsv*", "qrels/train.tsv*"),
    judged_topics_only=True,
)
