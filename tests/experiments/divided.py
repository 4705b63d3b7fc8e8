"""A workspace with twenty topics, in which the best value of a parameter follows from arithmetic.

Topic i asks for the word w_i. Two documents have it: a long one that has it twice, and a short one that has it once. For
b = 0 (and k1 = 1.2) their scores are as 2/3.2 = .625 and 1/2.2 = .455; for b = 1 the length of the long one, 20 words of
10.5 on average, makes that 2/(2 + 2.286) = .467, and that of the short one 1/(1 + .114) = .897.
"""

from __future__ import annotations

import json
from pathlib import Path

from cranfield.experiments.splits import Shares
from cranfield.experiments.splitting import SplitRequest, split_workspace
from cranfield.experiments.updating import update
from cranfield.experiments.workspace import Workspace
from cranfield.experiments.workspace_file import read_workspace

TOPICS = 20
TOML = """\
version = 1
name = "words"
collection = "documents.jsonl"  # two for each topic
topics = "topics.jsonl"
qrels = "qrels.txt"
measures = ["AP", "nDCG@10"]

[systems.bm25]
engine = "bm25"
b = 0.9
stem = false

[systems.flat]
engine = "bm25"
b = 0.0
stem = false
"""


def make_words(folder: Path, relevant: str = "long") -> Path:
    """Write the workspace: for every topic the long document is relevant, or the short one."""
    folder.mkdir()
    documents, topics, qrels = [], [], []
    for number in range(1, TOPICS + 1):
        filler = " ".join(f"f{number}x{at}" for at in range(18))
        documents.append({"id": f"long{number}", "text": f"w{number} {filler} w{number}"})
        documents.append({"id": f"short{number}", "text": f"w{number}"})
        topics.append({"_id": f"t{number}", "title": f"w{number}", "kind": "odd" if number % 2 else "even"})
        qrels += [f"t{number} 0 {one}{number} {int(one == relevant)}\n" for one in ("long", "short")]
    (folder / "documents.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents))
    (folder / "topics.jsonl").write_text("".join(json.dumps(one) + "\n" for one in topics))
    (folder / "qrels.txt").write_text("".join(qrels))
    (folder / "cranfield.toml").write_text(TOML)
    return folder


def divided_words(folder: Path, request: SplitRequest | None = None) -> Workspace:
    """The workspace, searched and divided into 10, 4 and 6 topics."""
    make_words(folder)
    assert not [done.error for done in update(read_workspace(folder)) if done.error]
    split_workspace(read_workspace(folder), request or SplitRequest(shares=Shares(), seed=1), what="cranfield split")
    return read_workspace(folder)
