"""Topics and judgments are as the documentation says, and fit the documents of this Python."""

from __future__ import annotations

import csv
import sys
import tomllib
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from cranfield import agreement
from cranfield.errors import DataError
from cranfield.experiments.demonstration.material import Judgment, Material, docstrings, gather_material

FOLDER = Path(str(resources.files("cranfield.experiments.demonstration")))
PAGE = (Path(__file__).parents[3] / "docs" / "demonstration.md").read_text()


@pytest.fixture(scope="module")
def material() -> Material:
    return gather_material()


def test_topics_say_what_is_sought() -> None:
    topics = tomllib.loads((FOLDER / "topics.toml").read_text())["topic"]
    assert [topic["id"] for topic in topics] == [str(number) for number in range(1, 51)]
    assert all(set(topic) == {"id", "title", "description", "narrative"} for topic in topics)
    assert len({topic["title"] for topic in topics}) == 50


def test_the_page_counts_as_the_files_do(material: Material) -> None:
    first, second = material.all_judgments, material.all_second_judgments
    # Oracle: lines of the files, without their headers.
    assert len(first) == len((FOLDER / "judgments.tsv").read_text().splitlines()) - 1
    assert len(second) == len((FOLDER / "second-judgments.tsv").read_text().splitlines()) - 1
    for number in (len(first), len(second), len({one.topic for one in second})):
        assert f"{number:,}" in PAGE
    for grade, count in Counter(one.grade for one in first).items():
        assert f"| {grade} |" in PAGE
        assert f"| {count:,} |" in PAGE


def test_every_topic_has_something_to_find(material: Material) -> None:
    answered = {one.topic for one in material.all_judgments if one.grade == 3}
    assert answered == {str(number) for number in range(1, 51)}
    assert {one.grade for one in material.all_judgments} == {0, 1, 2, 3}
    assert all(one.why for one in (*material.all_judgments, *material.all_second_judgments))


def test_a_pair_is_judged_once_in_each_file_and_a_fifth_in_both(material: Material) -> None:
    first, second = (
        [(one.topic, one.document) for one in each] for each in (material.all_judgments, material.all_second_judgments)
    )
    assert len(set(first)) == len(first)
    assert len(set(second)) == len(second)
    assert set(second) <= set(first)
    assert 5 * len(second) >= len(first)


def test_hardly_any_judgment_is_of_a_document_that_this_python_lacks(material: Material) -> None:
    """Between 51 and 110 of 2461 on Python 3.11 to 3.13; another way to name documents would drop far more."""
    kept = [one for one in material.all_judgments if f'"id": "{one.document}"'.encode() in material.documents]
    assert len(material.qrels.splitlines()) == len(kept)
    assert material.dropped == len(material.all_judgments) - len(kept)
    assert material.dropped < 0.05 * len(material.all_judgments)


def test_labels_are_those_of_both_readings(material: Material) -> None:
    rows = list(csv.DictReader(material.labels.splitlines(), delimiter="\t"))
    assert len(rows) == len(material.second_judgments)
    first = {(one.topic, one.document): one.grade for one in material.judgments}
    second = {(one.topic, one.document): one.grade for one in material.second_judgments}
    for row in rows:
        pair = row["query"], row["document"]
        assert (int(row["first"]), int(row["second"])) == (first[pair], second[pair])


def test_kappa_of_all_that_was_judged_twice_is_that_of_the_page(material: Material) -> None:
    first = {(one.topic, one.document): one.grade for one in material.all_judgments}
    second = {(one.topic, one.document): one.grade for one in material.all_second_judgments}
    labels = {
        name: {f"{topic} {document}": str(grades[topic, document]) for topic, document in second}
        for name, grades in (("first", first), ("second", second))
    }
    kappa = agreement(labels, resamples=0)["cohen_kappa"].value
    # Oracle: scikit-learn.
    assert kappa == pytest.approx(cohen_kappa_score([first[pair] for pair in second], list(second.values())))
    assert f"kappa is {kappa:.2f}" in PAGE


def test_judgments_of_absent_documents_are_counted() -> None:
    judgments = tuple(Judgment("1", document, 2, "") for document in ("here", "gone"))
    material = Material(b'{"id": "here"}\n', judgments, judgments)
    assert (material.qrels, material.dropped) == ("1 0 here 2\n", 1)
    assert material.labels == "query\tdocument\tfirst\tsecond\n1\there\t2\t2\n"


def test_a_python_that_cannot_be_run_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(DataError, match=r"the docstrings of Python .* \(/bin/false\) cannot be read"):
        docstrings()
