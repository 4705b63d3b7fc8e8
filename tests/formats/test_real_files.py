"""Files that others wrote: exact counts, first and last records, and the traps in them.

Oracle of every number and record: `zcat -f FILE | awk 'NF && $1 !~ /^#/'`, piped to `wc -l`, `head -n 1`, `tail -n 1`,
and to `awk '{print $1}' | sort -u | wc -l` for the queries.
"""

from __future__ import annotations

import gzip
import shutil
from collections import Counter
from pathlib import Path

import pytest
import zstandard

from cranfield.data.qrels import Qrels
from cranfield.formats import read_preferences, read_qrels, read_run
from cranfield.formats.validation import validate

pytestmark = pytest.mark.real_data

QRELS = [
    ("trec_eval_test/qrels.test", 3681, 3, "301 0 CR93E-10279 0", "303 0 LA122990-0030 0"),
    ("trec_eval_test/qrels.test.with-comments", 3681, 3, "301 0 CR93E-10279 0", "303 0 LA122990-0030 0"),
    ("trec_eval_test/qrels.rel_level", 3681, 3, "301 0 CR93E-10279 0", "303 0 LA122990-0030 0"),
    ("trec_eval_test/qrels.123", 10362, 3, "301 0 CR93E-10279 0", "303 2 LA122990-0030 0"),
    (
        "trec_eval_test/qrels.comment.test", 5890, 31,
        "2024-127266 0 msmarco_v2.1_doc_00_880019750#4_1633802806 1",
        "2024-96359 0 msmarco_v2.1_doc_54_724887112#1_1700994504 1",
    ),
    ("trec_covid_r1/qrels-rnd1.txt", 8691, 30, "1 0.5 010vptx3 2", "30 0.5 zn87f1lk 1"),
    ("dl19/qrels.dl19-passage.txt", 9260, 43, "19335 Q0 1017759 0", "1133167 Q0 977421 0"),
    (
        "web09_diversity/qrels.diversity", 27964, 50,
        "1 0 clueweb09-en0000-15-04138 0", "50 0 clueweb09-enwp03-31-01880 0",
    ),
    (
        "web09_diversity/qrels.diversity.all", 36970, 98,
        "1 0 clueweb09-en0000-15-04138 0", "99 1 clueweb09-enwp03-23-18429 1",
    ),
    (
        "prefs_cast19/TREC-CAsT-2019.qrels", 29350, 173,
        "31_1 Q0 CAR_116d829c4c800c2fc70f11692fec5e8c7e975250 0", "79_9 Q0 MARCO_8795237 3",
    ),
    ("collections/cacm/qrels.cacm.txt", 796, 52, "1 Q0 CACM-1410 1", "64 Q0 CACM-2651 1"),
    ("collections/time/frelevancia_trec_eval_TIME.txt", 324, 83, "1 0 268 1", "83 0 363 1"),
    ("rbp_eval_test/frac.qrels", 31, 2, "1 0 X001 1", "2 0 X555 0.25"),
    ("ndeval_example/qrels.txt", 4, 1, "0 a A 1", "0 c C 1"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "judgments", "queries", "first", "last"), QRELS)
def test_judgments(real_data: Path, file: str, judgments: int, queries: int, first: str, last: str) -> None:
    qrels = read_qrels(real_data / file)
    assert (len(qrels), len(qrels.queries)) == (judgments, queries)
    rows = {" ".join(map(str, row)) for row in qrels.rows()}
    assert len(rows) == judgments
    assert {first, last} <= rows


COVID = {
    "BBGhelani1": 30000, "BERT": 2355, "PL2c1.0": 30000, "SinequaR1_1": 23926, "TU_Vienna_TKL_1": 2999,
    "UB_NLP_RUN_1": 30000, "UP-rrf5rnd1": 26118, "ir_covid19_cle_dfr": 2564, "ixa-ir-filter-query": 30000,
    "lda400s2000": 1972, "run1": 14983, "sab20.1.meta.docs": 30000, "sheikh_bm25_manual": 1281, "smith.rm3": 30000,
    "udel_fang_run3": 30000, "wistud_bing": 16223,
}  # fmt: skip


@pytest.mark.parametrize("name", COVID)
def test_trec_covid_runs(real_data: Path, name: str) -> None:
    run = read_run(real_data / "trec_covid_r1" / "runs" / f"{name}.gz")
    assert (len(run), len(run.queries), run.tag) == (COVID[name], 30, name)


RUNS = [
    ("trec_covid_r1/runs/BERT.gz", "1 wvicjqdj -0.4820330048251339", "30 h97dui9n -0.4820884908236204"),
    ("trec_covid_r1/runs/UB_NLP_RUN_1.gz", "1 k05cdqlw 7.890209197998048", "30 mskkahwi 0.008239222838188268"),
    ("trec_covid_r1/runs/UP-rrf5rnd1.gz", "1 we4ptygr 0.07230897931345026", "30 10r5p0nu 0.004028189474097485"),
    ("dl19/runs/BM25.top100.txt", "264014 5611210 15.780599594116211", "1106007 6255354 6.47769021987915"),
    ("dl19/runs/REP_LLAMA.top100.txt", "1037798 3620986 0.861", "962179 5748150 0.778"),
    ("collections/time/runs/bm25_stem.sal.gz", "1 257 -10.784801", "83 62 -87.801965"),
    ("trec_eval_test/results.test", "301 FR940202-2-00150 2.129133", "303 LA123089-0107 0.852090"),
    ("trec_eval_test/results.trunc", "301 FBIS3-27619 2.138276", "301 FBIS4-50478 3.340779"),
    (
        "trec_eval_test/results.comment.test",
        "2024-224960 msmarco_v2.1_doc_50_2286987788#13_3087841662 0.7",
        "2024-137182 msmarco_v2.1_doc_23_685375471#1_1514399833 0.23742384113747986",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("file", "first", "last"), RUNS)
def test_the_first_and_last_lines_of_runs(real_data: Path, file: str, first: str, last: str) -> None:
    run = read_run(real_data / file)
    for line in (first, last):
        query, document, score = line.split()
        assert run[query][document] == float(score)


@pytest.mark.parametrize(
    ("file", "documents", "queries"),
    [
        ("dl19/runs/BM25.top100.txt", 4300, 43),
        ("dl19/runs/REP_LLAMA.top100.txt", 43000, 43),
        ("collections/time/runs/bm25_no_stem.sal.gz", 35038, 83),
        ("collections/time/runs/dfr_stem.sal.gz", 35066, 83),
        ("trec_eval_test/results.test", 1500, 3),
        ("trec_eval_test/results.trunc", 584, 2),
        ("trec_eval_test/results.comment.test", 30100, 301),
        ("rbp_eval_test/ties-jumbled.run", 21, 2),
    ],
)
def test_the_size_of_runs(real_data: Path, file: str, documents: int, queries: int) -> None:
    run = read_run(real_data / file)
    assert (len(run), len(run.queries)) == (documents, queries)


# Traps


def test_comment_lines_are_no_judgments(real_data: Path) -> None:
    folder = real_data / "trec_eval_test"
    for plain, commented, with_hash in (
        # diff <(awk 'NF && $1 !~ /^#/' qrels.test.with-comments) qrels.test, and likewise the others
        ("qrels.test", "qrels.test.with-comments", ("301", "0", "CR#93E-1860", 0)),
        ("qrels.123", "qrels.comments.123", ("301", "0", "CR93E-3103#37", 1)),
    ):
        one, other = ({*read_qrels(folder / name).rows()} for name in (plain, commented))
        assert (len(other), other - one) == (len(one), {with_hash})


def test_a_hash_inside_an_identifier_is_no_comment(real_data: Path) -> None:
    preferences = list(read_preferences(real_data / "trec_eval_test/prefs.comment.test").rows())
    assert ("2.EC.A", "0", "0", "CR93E-10505#37", 0) in preferences
    qrels = read_qrels(real_data / "trec_eval_test/qrels.comment.test")
    assert sum("#" in document for _, _, document, _ in qrels.rows()) == len(qrels)


def test_words_after_the_tag(real_data: Path) -> None:
    run = read_run(real_data / "trec_eval_test/results.trunc")
    assert run.tag == "STANDARD"
    (finding,) = [f for f in validate(real_data / "trec_eval_test/results.trunc").findings if f.kind == "trailing"]
    assert finding.count == 5  # awk 'NF > 6' results.trunc | wc -l


def test_negative_grades(real_data: Path) -> None:
    qrels = read_qrels(real_data / "trec_eval_test/qrels.rel_level")
    assert int((qrels.grade < 0).sum()) == 304  # awk '$4 < 0' qrels.rel_level | wc -l
    (finding,) = [
        f for f in validate(real_data / "trec_eval_test/qrels.rel_level").findings if f.kind == "negative-grades"
    ]
    assert finding.count == 304


def test_runs_that_are_not_sorted_by_rank(real_data: Path) -> None:
    run = read_run(real_data / "trec_eval_test/results.test")
    scores = list(run["301"].values())
    assert scores == sorted(scores, reverse=True)
    assert "unsorted" in {f.kind for f in validate(real_data / "trec_eval_test/results.test").findings}


def test_the_rounds_of_trec_covid_stand_in_the_iteration_column(real_data: Path) -> None:
    qrels = read_qrels(real_data / "trec_covid_r1/qrels-rnd1.txt")
    assert qrels.iteration_ids == [b"0.5", b"1"]
    assert len(qrels.of_iteration(b"0.5")) == 2627  # awk '$2 == "0.5"' qrels-rnd1.txt | wc -l
    assert qrels.judged_twice is None


@pytest.mark.parametrize(
    ("name", "start", "queries"),
    # zcat RUN | awk '!($1 in m) || $4 < m[$1] {m[$1] = $4} END {for (q in m) print m[q]}' | sort | uniq -c
    [("PL2c1.0", 0, 30), ("UP-rrf5rnd1", 0, 28), ("sheikh_bm25_manual", 2, 7), ("ir_covid19_cle_dfr", 3, 3)],
)
def test_ranks_that_start_elsewhere(real_data: Path, name: str, start: int, queries: int) -> None:
    report = validate(real_data / "trec_covid_r1" / "runs" / f"{name}.gz")
    (finding,) = [f for f in report.findings if f.kind == "rank-start"]
    assert finding.count == queries
    assert finding.example.endswith(f"starts at rank {start}")
    assert report.errors == 0


@pytest.mark.parametrize(
    ("name", "negative"),  # zcat RUN | awk '$5 < 0' | wc -l
    [("BERT", 2355), ("UB_NLP_RUN_1", 21007), ("run1", 13360), ("smith.rm3", 30000)],
)
def test_negative_scores(real_data: Path, name: str, negative: int) -> None:
    run = read_run(real_data / "trec_covid_r1" / "runs" / f"{name}.gz")
    assert int((run.score < 0).sum()) == negative


def test_another_word_where_q0_belongs(real_data: Path) -> None:
    report = validate(real_data / "collections/time/runs/bm25_stem.sal.gz")
    assert (report.kind, report.format, report.records, report.errors) == ("run", "trec", 35066, 0)


@pytest.mark.parametrize("name", ["ixa-ir-filter-query", "wistud_bing", "udel_fang_run3", "BERT"])
def test_ties_and_their_order(real_data: Path, name: str) -> None:
    path = real_data / "trec_covid_r1" / "runs" / f"{name}.gz"
    with gzip.open(path, "rt") as file:
        lines = [line.split() for line in file]
    shared = Counter((query, float(score)) for query, _, _, _, score, _ in lines)
    expected = sum(count for count in shared.values() if count > 1)
    ties = [f.count for f in validate(path).findings if f.kind == "ties"]
    assert ties == ([expected] if expected else [])
    of_one = [(-float(score), document) for query, _, document, _, score, _ in lines if query == "1"]
    of_one.sort(key=lambda row: row[1], reverse=True)
    of_one.sort(key=lambda row: row[0])
    assert list(read_run(path)["1"]) == [document for _, document in of_one]


def test_windows_line_ends(real_data: Path, tmp_path: Path) -> None:
    source = real_data / "trec_eval_test/qrels.test"
    (tmp_path / "windows").write_bytes(b"\xef\xbb\xbf" + source.read_bytes().replace(b"\n", b"\r\n"))
    assert list(read_qrels(tmp_path / "windows").rows()) == list(read_qrels(source).rows())
    found = {f.kind: f.count for f in validate(tmp_path / "windows").findings}
    assert found == {"bom": 1, "crlf": 3681}


# Kinds of their own


@pytest.mark.parametrize(
    ("file", "judgments", "queries", "first", "last"),
    [
        (
            "prels.mq.10001-20000.txt", 15211, 784,
            "10002 GX037-06-11625428 0 1 0.0031586555555558", "19997 GX257-71-11550035 0 1 0.00107614156144011",
        ),
        (
            "prels.web.1-50.txt", 13118, 50,
            "1 clueweb09-en0003-55-31884 0 0 1", "50 clueweb09-en0007-05-20194 0 1 1",
        ),
    ],
)  # fmt: skip
def test_prels(real_data: Path, file: str, judgments: int, queries: int, first: str, last: str) -> None:
    qrels = read_qrels(real_data / "prels" / file)
    assert (len(qrels), len(qrels.queries)) == (judgments, queries)
    for line in (first, last):
        query, document, grade, method, probability = line.split()
        assert _prel(qrels, query, document) == (float(grade), method.encode(), float(probability))


def _prel(qrels: Qrels, query: str, document: str) -> tuple[float, bytes, float]:
    chosen = qrels.only([query.encode()])
    row = chosen.documents.tolist().index(document.encode())
    assert chosen.method is not None
    assert chosen.probability is not None
    return float(chosen.grade[row]), chosen.method[row], float(chosen.probability[row])


def test_several_assessors(real_data: Path) -> None:
    qrels = read_qrels(real_data / "trec_eval_test/qrels.123")
    assert qrels.iteration_ids == [b"0", b"1", b"2"]
    assert [len(qrels.of_iteration(who)) for who in qrels.iteration_ids] == [3681, 3681, 3000]  # awk '$2 == 0'
    assert "judged-more" in {f.kind for f in validate(real_data / "trec_eval_test/qrels.123").findings}


def test_subtopics(real_data: Path) -> None:
    qrels = read_qrels(real_data / "web09_diversity/qrels.diversity")
    # awk '{print $2}' qrels.diversity | sort -u | wc -l
    assert len(qrels.iteration_ids) == 9
    assert qrels.judged_twice is not None


def test_preferences(real_data: Path) -> None:
    preferences = read_preferences(real_data / "trec_eval_test/prefs.test")
    assert (len(preferences), len(preferences.queries)) == (164, 24)
    rows = list(preferences.rows())
    assert rows[0] == ("1.EC.AB", "F:Ret,C:Not", "F:RnkdLst2digits", "FR940303-1-00022", 1)
    assert ("40.PA.tran", "0", "1", "CR93E-1282", 1) in rows


@pytest.mark.parametrize(("file", "pairs"), [("TREC-CAsT-2019.pref", 14573), ("TREC-CAsT-2019.local.pref", 3743)])
def test_preferences_between_pairs(real_data: Path, file: str, pairs: int) -> None:
    preferences = read_preferences(real_data / "prefs_cast19" / file)
    assert (len(preferences), len(preferences.queries)) == (2 * pairs, 171)
    assert validate(real_data / "prefs_cast19" / file).kind == "preferences"
    lines = Counter(line for line in (real_data / "prefs_cast19" / file).read_text().splitlines())
    rows = list(preferences.rows())
    found: Counter[str] = Counter()
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        found[f"{one[0]} {one[3]} {other[3]} {max(one, other, key=lambda row: row[4])[3]}"] += 1
    assert found == lines


# Packed


def test_the_same_file_packed_in_any_way(real_data: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    with gzip.open(real_data / "trec_covid_r1/runs/run1.gz") as packed, plain.open("wb") as file:
        shutil.copyfileobj(packed, file)
    (tmp_path / "zstd").write_bytes(zstandard.compress(plain.read_bytes()))
    expected = list(read_run(real_data / "trec_covid_r1/runs/run1.gz").rows())
    assert list(read_run(plain).rows()) == list(read_run(tmp_path / "zstd").rows()) == expected
