"""Which format a file is taken for, and what is said of a file that is in none."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cranfield.data.run import Run
from cranfield.errors import CranfieldError, DataError, FormatError, UsageError
from cranfield.formats import (
    FORMATS,
    format_of_name,
    module,
    read_preferences,
    read_qrels,
    read_run,
    recognise,
    run_name,
    write_run,
)
from cranfield.formats.files import open_source

READ: dict[str, Callable[..., Any]] = {"qrels": read_qrels, "run": read_run, "preferences": read_preferences}
HEADS = {
    ("qrels", "letor"): b"2 qid:q1 1:0.5 7:1 #docid = d1 inc = 1\n",
    ("qrels", "trec"): b"q1 0 d1 1\n",
    ("qrels", "strata"): b"q1 0 d1 1 -1\n",
    ("qrels", "prels"): b"q1 d1 0 1 0.25\n",
    ("qrels", "beir"): b"query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    ("qrels", "tsv"): b"qid\tdocno\tlabel\nq1\td1\t1\n",
    ("qrels", "csv"): b"q_id,doc_id,score\nq1,d1,1\n",
    ("qrels", "quepid"): b"query,docid,rating\nq1,d1,1\n",
    ("qrels", "quepid-book"): b"query,docid,Ann Lee\nq1,d1,1\n",
    ("qrels", "label-studio"): b"""[{"data": {"qid": "q1", "docid": "d1"},
        "annotations": [{"completed_by": 7, "result": [{"type": "rating", "value": {"rating": 1}}]}]}]""",
    ("qrels", "opensearch"): b"""{"name": "Soups", "type": "IMPORT_JUDGMENT",
        "judgmentRatings": [{"query": "q1", "ratings": [{"docId": "d1", "rating": "1.000"}]}]}""",
    ("qrels", "json"): b'{"q1": {"d1": 1}}',
    ("qrels", "jsonl"): b'{"query_id": "q1", "doc_id": "d1", "relevance": 1}\n',
    ("qrels", "parquet"): b"PAR1",
    ("run", "trec"): b"q1 Q0 d1 1 0.5 tag\n",
    ("run", "msmarco"): b"q1\td1\t1\n",
    ("run", "tsv"): b"qid\tdocno\trank\tscore\nq1\td1\t1\t0.5\n",
    ("run", "csv"): b"query_id,doc_id,score\nq1,d1,0.5\n",
    ("run", "json"): b'[\n{"qid": "q1", "docno": "d1", "score": 0.5}]',
    ("run", "jsonl"): b'{"qid": "q1", "docno": "d1", "score": 0.5}',
    ("run", "parquet"): b"PAR1",
    ("preferences", "trec"): b"q1 ann 0 d1 1\n",
    ("preferences", "pairs"): b"q1 d1 d2 d2\n",
    ("preferences", "tsv"): b"qid\tjg\tjsg\tdocno\tlevel\nq1\tann\t0\td1\t1\n",
    ("preferences", "csv"): b"qid,jg,jsg,docno,level\nq1,ann,0,d1,1\n",
    ("preferences", "json"): b'[{"qid": "q1", "jg": "ann", "jsg": "0", "docno": "d1", "level": 1}]',
    ("preferences", "jsonl"): b'{"qid": "q1", "jg": "ann", "jsg": "0", "docno": "d1", "level": 1}\n',
    ("preferences", "parquet"): b"PAR1",
}


def test_every_format_has_an_example_here() -> None:
    registered = {(kind, name) for kind, names in FORMATS.items() for name in names}
    assert registered == set(HEADS)


@pytest.mark.parametrize(("kind", "name"), HEADS)
def test_formats_are_recognised_by_content(kind: str, name: str) -> None:
    with open_source(io.BytesIO(HEADS[kind, name])) as source:
        chosen = recognise(kind, source)
    assert chosen is module(name, kind)
    assert name == chosen.NAME
    assert chosen.DESCRIPTION
    assert callable(getattr(chosen, f"read_{kind}"))
    assert hasattr(chosen, f"write_{kind}") or hasattr(chosen, "write")


@pytest.mark.parametrize(("kind", "name"), [pair for pair in HEADS if pair[1] != "parquet"])
def test_the_suffix_says_nothing(kind: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "misnamed.parquet"
    path.write_bytes(b"\xef\xbb\xbf" + HEADS[kind, name])
    read = READ[kind]
    thing = read(path)
    assert thing.queries == ("q1",)
    assert thing.name == "misnamed"
    assert list(read(path, format=name).rows()) == list(thing.rows())


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("run", b"", "f: the file is empty"),
        ("run", b" \n\n", "f: the file is empty"),
        ("run", b"# nothing\n", "f: the file has comments (lines that begin with #) and no records"),
        ("qrels", b"# nothing\n\n# more\n", "f: the file has comments (lines that begin with #) and no records"),
        ("run", b"q Q0 d 1 0.5\n", "f:1: expected 6 fields (query Q0 document rank score tag), found 5. Is the tag missing? It is in none of the other formats either (parquet, json, jsonl, msmarco, tsv, csv)."),
        ("run", b"\nq Q0 d 1 high tag\n", "f:2: score 'high' is not a finite number"),
        ("run", b"q Q0 d 1 nan tag\n", "f:1: score 'nan' is not a finite number"),
        ("run", b"q Q0 d 1 2 tag\rq Q0 e 1 2 tag\r", "f: its lines end in CR alone. Convert them to LF (tr '\\r' '\\n')."),
        ("run", b"\x7fELF\0\0\0", "f: this is not a text file, and no known binary run format"),
        ("qrels", b"q 0 d\n", "f:1: expected 4 fields (query iteration document grade), found 3. Is the grade missing? It is in none of the other formats either (letor, parquet, label-studio, opensearch, json, jsonl, strata, prels, beir, tsv, quepid, quepid-book, csv)."),
        ("qrels", b"q 0 d\nq 0 d 1\nq 0 e 1\n", "f:1: expected 4 fields (query iteration document grade), found 3. Is the grade missing?"),
        ("qrels", b"q 0 d x\n", "f:1: grade 'x' is not a number"),
        ("qrels", b"q ann 0 d 1\n", "f: this looks like preferences, not like judgments. Preferences are read with -R prefs (relevance='prefs'). If these are judgments of a sample, say so: --qrels-format strata, or prels."),
        ("preferences", b"q Q0 d 1\n", "f:1: '1' is preferred, but the two documents are 'Q0' and 'd'. Are these judgments? Then leave out -R prefs, or make preferences of the grades with -R qrels_prefs."),
        ("preferences", b"q d e f\n", "f:1: 'f' is preferred, but the two documents are 'd' and 'e'"),
    ],
)  # fmt: skip
def test_what_is_not_recognised(kind: str, content: bytes, message: str) -> None:
    file = io.BytesIO(content)
    file.name = "f"
    with pytest.raises(DataError) as error:
        READ[kind](file)
    assert str(error.value) == message


def test_an_unknown_format() -> None:
    with pytest.raises(UsageError) as error:
        read_run(io.BytesIO(b"x"), format="jsonlines")
    assert str(error.value) == (
        "unknown run format 'jsonlines'. Did you mean jsonl, json? "
        "There are: trec, parquet, json, jsonl, msmarco, tsv, csv"
    )


def test_a_format_that_the_file_is_not_in() -> None:
    with pytest.raises(FormatError, match="expected 3 fields"):
        read_run(io.BytesIO(b"q1 Q0 d1 1 0.5 tag\n"), format="msmarco")
    with pytest.raises(CranfieldError, match="this is not valid JSON"):
        read_run(io.BytesIO(b"q1 Q0 d1 1 0.5 tag\n"), format="json")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run.gz", "bm25"),
        ("a.b.zst", "a.b"),
        ("PL2c1.0.gz", "PL2c1.0"),
        ("x.TXT", "x"),
        (".hidden", ".hidden"),
        ("-", "standard-input"),
        ("x", "x"),
    ],
)
def test_the_name_of_a_run(path: str, name: str) -> None:
    assert run_name(path) == name
    assert run_name(io.StringIO()) == "standard-input"


@pytest.mark.parametrize(
    ("path", "format"),
    [("a.JSON", "json"), ("a.ndjson.gz", "jsonl"), ("a.tsv.zst", "tsv"), ("a.pq", "parquet"), ("a", "trec")],
)
def test_the_format_a_name_asks_for(path: str, format: str) -> None:
    assert all(format_of_name(kind, path) == format for kind in FORMATS)


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        (
            "qrels",
            b"q Q0 d 1 0.5 tag\n",
            "f: this looks like a run, not like judgments. Are the files in the right order (judgments first)?",
        ),
        (
            "run",
            b"q 0 d 1\n",
            "f: this looks like judgments, not like a run. A run has lines of query Q0 document rank score tag.",
        ),
        (
            "run",
            b"Query;Passage;Similarity\n1;2;3\n",
            "f: this looks like a table with the columns Query, Passage, Similarity. Expected, with commas or tabs between them, columns named query_id, doc_id, score, or the other names for these that docs/formats.md lists.",
        ),
        ("run", b"BZh91AY&SY", "f: this is packed with bzip2, which is not read here. Unpack it first."),
        ("qrels", b"PK\x03\x04\x14\0", "f: this is packed with zip, which is not read here. Unpack it first."),
    ],
)
def test_what_a_file_looks_like_instead(kind: str, content: bytes, message: str) -> None:
    read = read_run if kind == "run" else read_qrels
    stream = io.BytesIO(content)
    stream.name = "f"
    with pytest.raises(CranfieldError) as error:
        read(stream)
    assert str(error.value) == message


def test_a_parquet_file_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    # Whatever the compressed bytes are, nothing in them may be taken for lines of text.
    pytest.importorskip("pyarrow")
    for size in range(1, 40):
        run = Run.from_tuples([(f"q{size}", f"d{at}", at / 7) for at in range(size)])
        write_run(run, tmp_path / "x.parquet")
        assert read_run(tmp_path / "x.parquet").to_dict() == run.to_dict()


def test_a_topic_may_be_called_par1() -> None:
    assert read_qrels(io.BytesIO(b"PAR1 0 d 1\n")).queries == ("PAR1",)
    assert read_qrels(io.BytesIO(b"PAR1x\t0\td\t1\n")).queries == ("PAR1x",)


def test_what_is_not_written_here(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.xz files are not written here; \.gz and \.zst are packed"):
        write_run(Run.from_tuples([("q", "d", 1)]), tmp_path / "x.run.xz")
