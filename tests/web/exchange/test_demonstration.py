"""The demonstration's judgments come in, and go out as they were, byte for byte."""

from __future__ import annotations

import io
import json
from importlib import resources
from pathlib import Path

import pytest

from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.data.pool import Pool
from cranfield.evaluation.agreement import agreement
from cranfield.experiments.demonstration.material import (
    JUDGMENTS,
    PACKAGE,
    SCALE,
    SECOND_JUDGMENTS,
    TOPICS,
    Material,
    iter_judgments,
)
from cranfield.formats import read_qrels
from cranfield.formats.judge_labels import read_judge_labels
from cranfield.formats.scales import read_scale
from cranfield.formats.topics import read_topics
from cranfield.web.exchange.importing import COUNT, carry_out
from cranfield.web.projects.creating import create_project
from cranfield.web.projects.models import Project
from tests.web.exchange.making import given, taken_out


@pytest.fixture(scope="module")
def material() -> Material:
    """All judgments of the demonstration, as in a Python that has every document; what these say is of no matter."""
    first, second = tuple(iter_judgments(JUDGMENTS)), tuple(iter_judgments(SECOND_JUDGMENTS))
    names = sorted({one.document for one in (*first, *second)})
    return Material(b"".join(json.dumps({"id": name}).encode() + b"\n" for name in names), first, second)


@pytest.fixture
def project(db: None, material: Material) -> Project:
    packaged = Path(str(resources.files(PACKAGE)))
    qrels = read_qrels(io.StringIO(material.qrels))
    made, brought = create_project(
        "The demonstration",
        pool=Pool.from_dict({topic: list(graded) for topic, graded in qrels.to_dict().items()}),
        topics=read_topics(packaged / TOPICS),
        collection=Collection("docstrings", lambda: (Document(name, {"text": name}) for name in sorted(material.ids))),
        scale=read_scale(packaged / SCALE),
    )
    assert brought.items == len(material.judgments)
    return made


def test_judgments_come_out_as_they_came_in(project: Project, material: Material, tmp_path: Path) -> None:
    """The qrels byte for byte; and with those of the second assessor, what `cranfield agreement` says is the same."""
    done = carry_out(project, given(material.qrels, assessor="first"))
    assert done.counted == done.plan.read == len(material.judgments)
    assert taken_out(project, "qrels") == material.qrels.encode()
    second = "".join(f"{one.topic} 0 {one.document} {one.grade}\n" for one in material.second_judgments)
    carry_out(project, given(second, assessor="second"), surplus=COUNT)
    (tmp_path / "judges.tsv").write_text(material.labels)
    (tmp_path / "out.qrels_jg").write_bytes(taken_out(project, "qrels_jg"))
    expected, found = (
        agreement(read_judge_labels(tmp_path / name), resamples=2) for name in ("judges.tsv", "out.qrels_jg")
    )
    for key in ("cohen_kappa", "krippendorff_alpha"):
        assert found[key].value == expected[key].value
