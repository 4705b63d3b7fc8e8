"""CACM and TIME in the files they first came in. These are made here, after the descriptions of the formats."""

from __future__ import annotations

from pathlib import Path

from cranfield.formats.collections import import_collection


def test_cacm_in_three_files(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "cacm.all").write_text(
        ".I 1\n.T\nAlgebraic Language\n.B\nCACM December, 1958\n.X\n1\t5\t1\n.I 1410\n.T\nTSS\n"
    )
    (files / "query.text").write_text(".I 1\n.W\n What articles exist?\n.N\n 1. Richard Alexander\n")
    (files / "qrels.text").write_text("01 1410  0 0\n")
    made = import_collection("cacm", files, tmp_path / "out")
    assert [document.id for document in made.documents()] == ["1", "1410"]
    assert made.topics is not None
    assert made.topics.queries() == {"1": "What articles exist?"}
    assert made.qrels is not None
    assert made.qrels.to_dict() == {"1": {"1410": 1}}


def test_time_in_three_files(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "TIME.ALL").write_text(
        "*TEXT 017 01/04/63 PAGE 020\n\n THE ALLIES\n\n*TEXT 020 01/04/63 PAGE 021\n\n RUSSIA\n*STOP\n"
    )
    (files / "TIME.QUE").write_text(
        "*FIND    1\n\n KENNEDY ADMINISTRATION\n PRESSURE .\n\n*FIND    2\n\n LODGE\n\n*STOP\n"
    )
    (files / "TIME.REL").write_text("1  1 2\n\n2  2\n\n")
    made = import_collection("time", files, tmp_path / "out")
    assert [(document.id, dict(document.fields)) for document in made.documents()] == [
        ("1", {"text": "THE ALLIES", "date": "01/04/63", "page": 20}),
        ("2", {"text": "RUSSIA", "date": "01/04/63", "page": 21}),
    ]
    assert made.topics is not None
    assert made.topics.queries() == {"1": "KENNEDY ADMINISTRATION PRESSURE .", "2": "LODGE"}
    assert made.qrels is not None
    assert made.qrels.to_dict() == {"1": {"1": 1, "2": 1}, "2": {"2": 1}}
