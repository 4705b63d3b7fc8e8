"""Cranfield, CISI, CACM and TIME: exact counts, first and last records, and what is odd about each.

Counts are compared with what `grep -c` and `wc -l` would say of the files: lines that begin in a way, members of an archive.
"""

from __future__ import annotations

import gzip
import re
import tarfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.evaluation.collection_checks import check_collection
from cranfield.evaluation.collection_statistics import collection_statistics
from cranfield.formats.collections import import_collection, open_collection
from cranfield.formats.collections.cacm import page_fields

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="module")
def imported(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Collection]:
    out = tmp_path_factory.mktemp("collections")
    names = ("cranfield", "cisi", "cacm", "time")
    return {name: import_collection(name, real_data / "collections" / name, out / name) for name in names}


def lines_like(path: Path, pattern: str) -> int:
    return len(re.findall(pattern, path.read_text(), re.MULTILINE))


def parts(collection: Collection) -> tuple[dict[str, Document], dict[str, str], dict[str, dict[str, float]]]:
    assert collection.topics is not None
    assert collection.qrels is not None
    documents = {document.id: document for document in collection.documents()}
    return documents, collection.topics.queries(), collection.qrels.to_dict()


def test_cranfield(real_data: Path, imported: dict[str, Collection]) -> None:
    folder = real_data / "collections" / "cranfield"
    documents, queries, qrels = parts(imported["cranfield"])
    assert len(documents) == lines_like(folder / "cran.all.1400", r"^\.I ") == 1400
    assert len(queries) == lines_like(folder / "cran.qry", r"^\.I ") == 225
    assert sum(map(len, qrels.values())) == lines_like(folder / "cranqrel", r"\S+ +\S+ +\S+") == 1837
    assert list(documents) == [str(number) for number in range(1, 1401)]
    assert documents["1"].fields["author"] == "brenckman,m."
    assert documents["1"].fields["title"].startswith("experimental investigation of the aerodynamics of a\nwing in")
    # Known of Cranfield: these two have neither title nor text.
    assert [name for name, document in documents.items() if "text" not in document.fields] == ["471", "995"]


def test_topics_of_cranfield_go_by_position(imported: dict[str, Collection]) -> None:
    topics = imported["cranfield"].topics
    assert topics is not None
    # Oracle: the file, read by eye. The third query is numbered 004 there, the last 365.
    assert [(name, topics[name].fields["file_number"]) for name in ("1", "3", "225")] == [
        ("1", 1),
        ("3", 4),
        ("225", 365),
    ]
    assert topics["3"].query().startswith("what problems of heat conduction in composite slabs")
    assert topics["225"].query().endswith("mach numbers above 5 .")


def test_grades_of_cranfield(real_data: Path, imported: dict[str, Collection]) -> None:
    """The best code is 1, the best grade 4; the one -1 of each topic stays what it is."""
    given = Counter(line.split()[2] for line in (real_data / "collections/cranfield/cranqrel").read_text().splitlines())
    assert given == {"1": 128, "2": 387, "3": 734, "4": 363, "-1": 225}
    _, _, qrels = parts(imported["cranfield"])
    grades = Counter(grade for judged in qrels.values() for grade in judged.values())
    assert grades == {4: 128, 3: 387, 2: 734, 1: 363, -1: 225}
    assert all(list(judged.values()).count(-1) == 1 for judged in qrels.values())
    # cranqrel has "1 184 2", "1 12 3", "1 462 4", "1 486 -1" and "2 12 1".
    assert [qrels["1"][name] for name in ("184", "12", "462", "486")] == [3, 2, 1, -1]
    assert qrels["2"]["12"] == 4


def test_the_source_documents_of_cranfield_can_be_relevant(real_data: Path, tmp_path: Path) -> None:
    folder = real_data / "collections" / "cranfield"
    made = import_collection("cranfield", folder, tmp_path / "out", grades={-1: 4})
    assert made.qrels is not None
    assert int(made.qrels.count(1).sum()) == 1837  # all pairs of the older file CRAN.REL, says the readme
    assert made.qrels["1"]["486"] == 4


def test_cisi(real_data: Path, imported: dict[str, Collection]) -> None:
    folder = real_data / "collections" / "cisi"
    documents, queries, qrels = parts(imported["cisi"])
    assert len(documents) == lines_like(folder / "CISI.ALL", r"^\.I ") == 1460
    assert len(queries) == lines_like(folder / "CISI.QRY", r"^\.I ") == 112
    assert sum(map(len, qrels.values())) == lines_like(folder / "CISI.REL", r"\S+\s+\S+\s+0\s+0\.000000") == 3114
    assert len(qrels) == 76
    assert {grade for judged in qrels.values() for grade in judged.values()} == {1}
    assert documents["1"].fields["title"] == "18 Editions of the Dewey Decimal Classifications"
    assert documents["1"].fields["author"] == "Comaromi, J.P."
    assert set(check_collection(imported["cisi"]).unjudged) == set(queries) - set(qrels)
    assert len(check_collection(imported["cisi"]).unjudged) == 112 - 76
    # A topic that is the abstract of a paper asks with the abstract.
    topics = imported["cisi"].topics
    assert topics is not None
    assert sum("paper_title" in topic.fields for topic in topics.values()) == lines_like(folder / "CISI.QRY", r"^\.T")
    assert all(topic.query() == topic.query(["text"]) for topic in topics.values())


def test_cacm(real_data: Path, imported: dict[str, Collection]) -> None:
    folder = real_data / "collections" / "cacm"
    documents, queries, qrels = parts(imported["cacm"])
    with tarfile.open(folder / "cacm.tar.gz") as archive:
        pages = {member.name: member.size for member in archive if member.isfile()}
    assert len(documents) == len(pages) == 3204
    assert sum(pages.values()) == 2_217_926  # the 2.2 MB of the notes (004)
    assert len(queries) == lines_like(folder / "topics.cacm.txt", r"^<DOC>") == 64
    assert sum(map(len, qrels.values())) == lines_like(folder / "qrels.cacm.txt", r"^\S+ Q0 \S+ 1") == 796
    assert len(qrels) == 52
    # Read by eye: CACM-0001.html.
    assert dict(documents["CACM-0001"].fields) == {
        "title": "Preliminary Report-International Algebraic Language",
        "source": "CACM December, 1958",
        "author": "Perlis, A. J.\nSamelson,K.",
    }
    assert not any(re.search(r"\d\t\d+\t\d", document.text()) for document in documents.values())


def test_judged_documents_of_cacm_are_there(real_data: Path, imported: dict[str, Collection]) -> None:
    """The judgments say CACM-115, the page is CACM-0115."""
    names = re.findall(r"CACM-\d+", (real_data / "collections" / "cacm" / "qrels.cacm.txt").read_text())
    documents, _, qrels = parts(imported["cacm"])
    assert len({name for name in names if name not in documents}) == 46
    assert check_collection(imported["cacm"]).absent_documents == ()
    assert {int(name[5:]) for name in names} == {int(name[5:]) for judged in qrels.values() for name in judged}


def test_time(real_data: Path, imported: dict[str, Collection]) -> None:
    folder = real_data / "collections" / "time"
    documents, queries, qrels = parts(imported["time"])
    with tarfile.open(folder / "time_docs_423.tar.gz") as archive:
        assert len(documents) == sum(member.isfile() for member in archive) == 423
    assert set(documents) == {str(number) for number in range(1, 424)}
    assert len(queries) == lines_like(folder / "preguntas_TIME.txt", r"^\s*\d+ +\S") == 83
    assert (
        sum(map(len, qrels.values())) == lines_like(folder / "frelevancia_trec_eval_TIME.txt", r"^\d+ 0 \d+ 1") == 324
    )
    assert len(qrels) == 83
    assert documents["350"].fields["date"] == "09/20/63"
    assert documents["350"].fields["page"] == 34
    assert (
        documents["350"].fields["text"].startswith("SOUTH VIET NAM BIRTH AT GENEVA AT 10 : 42 A.M., PEKING\nTIME, WED")
    )
    assert check_collection(imported["time"]).absent_documents == ("424", "425")


def test_both_files_of_judgments_of_time_say_the_same(
    real_data: Path, imported: dict[str, Collection], tmp_path: Path
) -> None:
    folder = real_data / "collections" / "time"
    other = import_collection("time", folder, tmp_path / "out", qrels=folder / "fich_relevantes_TIME.REL")
    assert other.qrels is not None
    assert imported["time"].qrels is not None
    assert other.qrels.to_dict() == imported["time"].qrels.to_dict()


def test_runs_of_time_are_of_these_documents(real_data: Path, imported: dict[str, Collection]) -> None:
    with gzip.open(real_data / "collections/time/runs/bm25_stem.sal.gz", "rt") as run:
        retrieved = {line.split()[2] for line in run}
    assert retrieved == set(parts(imported["time"])[0])


@pytest.mark.parametrize("name", ["cranfield", "cisi", "cacm", "time"])
def test_lengths(name: str, imported: dict[str, Collection]) -> None:
    """Oracle: characters that are letters or digits and follow one that is not, counted one by one."""
    lengths = []
    for document in imported[name].documents():
        text = "\n".join(value for value in document.fields.values() if isinstance(value, str))
        lengths.append(sum(new.isalnum() and not old.isalnum() for old, new in zip(" " + text, text, strict=False)))
    found = collection_statistics(imported[name])
    assert found.documents.words.mean == pytest.approx(float(np.mean(lengths)))
    assert found.documents.words.median == float(np.median(lengths))


def test_a_changed_document_of_cranfield_is_noticed(
    real_data: Path, imported: dict[str, Collection], tmp_path: Path
) -> None:
    content = (real_data / "collections/cranfield/cran.all.1400").read_bytes()
    (tmp_path / "cran.all.1400").write_bytes(content.replace(b"propeller slipstream", b"propeller slipstreak", 1))
    assert open_collection(real_data / "collections/cranfield/cran.all.1400").sha256 == imported["cranfield"].sha256
    assert open_collection(tmp_path / "cran.all.1400").sha256 != imported["cranfield"].sha256


def test_pages_of_cacm() -> None:
    page = "<html>\n<pre>\n\n\nTitle &amp;\nmore\n\nOne.\n\nTwo.\n\nCACM May, 1961\n\nDoe, J.\n\nsorting\n\n5.31\n2, 5.3\n\nCA610501JB 1978\n\n1\t5\t1\n</pre>"
    assert page_fields(page) == {
        "title": "Title &\nmore",
        "text": "One.\n\nTwo.",
        "source": "CACM May, 1961",
        "author": "Doe, J.",
        "keywords": "sorting",
        "categories": "5.31\n2, 5.3",
    }
    assert page_fields("") == {}
