"""What a task keeps: the list of documents, which everybody may have, and the judgments, which nobody gets."""

from __future__ import annotations

import gzip
import hashlib
import io
from typing import TYPE_CHECKING, Any

from cranfield.errors import DataError
from cranfield.web.judging.judgments import judgments
from cranfield.web.named_bytes import NamedBytes
from cranfield.web.projects.models import Project
from cranfield.web.tasks.models import Task
from cranfield.web.tasks.unpacking import packed

if TYPE_CHECKING:
    from cranfield.data.qrels import Qrels
    from cranfield.data.topics import Topics

_FIELDS = ("title", "description", "narrative")


def topics_of(project: Project) -> Topics:
    """The topics of a project, as the library has them."""
    from cranfield.data.topics import Topic, Topics

    return Topics(
        Topic(each.name, {name: text for name in _FIELDS if (text := getattr(each, name))})
        for each in project.topics.all()
    )


def kept_documents(content: NamedBytes) -> bytes:
    """A list of documents as it is kept: the first word of each line, each once."""
    names = dict.fromkeys(line.split()[0] for line in content.getvalue().splitlines() if line.strip())
    return packed(b"\n".join(names) + b"\n")


def documents_file(task: Task) -> bytes | None:
    """The names of the documents there are, a line each; None if there is no list."""
    return None if task.documents is None else gzip.decompress(task.documents)


def document_names(task: Task) -> set[bytes] | None:
    listed = documents_file(task)
    return None if listed is None else set(listed.splitlines())


def kept_qrels(task: Task, content: NamedBytes) -> bytes:
    """Judgments from elsewhere as they are kept. They are of topics of the task, or they are not taken."""
    from cranfield.formats import read_qrels

    qrels = read_qrels(content, name=content.name)
    qrels.refuse_judged_twice("a shared task takes one judgment of each")
    known = set(task.project.topics.values_list("name", flat=True))
    if not known.intersection(qrels.queries):
        raise DataError(f"{content.name}: none of its topics ({', '.join(qrels.queries[:3])}) is of this project")
    return packed(_written(qrels))


def hidden_qrels(task: Task) -> Qrels:
    """What runs are held against: the judgments that were sent in, or else those of the project.

    Of the former only those of the project's topics.
    """
    from cranfield.data.strings import encode
    from cranfield.formats import read_qrels

    if task.qrels is None:
        qrels = judgments(task.project)
    else:
        qrels = read_qrels(io.BytesIO(gzip.decompress(task.qrels)), format="trec")
        qrels = qrels.only([encode(name) for name in task.project.topics.values_list("name", flat=True)])
    if not len(qrels):
        raise DataError("there are no judgments yet: judge some documents, or send in a file of judgments")
    return qrels


def noted(task: Task | None) -> dict[str, Any]:
    """What the audit trail says of a task: of the files that are hidden, or large, their hashes."""
    if task is None:
        return {}
    files = {"documents_sha256": task.documents, "qrels_sha256": task.qrels}
    return {
        "description": task.description,
        "deadline": task.deadline.isoformat(),
        "most": task.most,
        "depth": task.depth,
        "measures": task.measures,
        **{name: hashlib.sha256(gzip.decompress(kept)).hexdigest() if kept else "" for name, kept in files.items()},
    }


def qrels_sha256(qrels: Qrels) -> str:
    return hashlib.sha256(_written(qrels)).hexdigest()


def _written(qrels: Qrels) -> bytes:
    from cranfield.formats import trec_qrels

    out = io.BytesIO()
    trec_qrels.write_qrels(qrels, out)
    return out.getvalue()
