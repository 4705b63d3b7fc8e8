"""Numbers that were published for real runs."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import cranfield as cf

COVID_RUNS = [
    "BBGhelani1", "BERT", "PL2c1.0", "SinequaR1_1", "TU_Vienna_TKL_1", "UB_NLP_RUN_1", "UP-rrf5rnd1",
    "ir_covid19_cle_dfr", "ixa-ir-filter-query", "lda400s2000", "run1", "sab20.1.meta.docs", "sheikh_bm25_manual",
    "smith.rm3", "udel_fang_run3", "wistud_bing",
]  # fmt: skip


def runs_that_differ_from_the_leaderboard(folder: Path, profile: str) -> list[str]:
    # Oracle: the leaderboard of TREC-COVID round 1 (leaderboard.csv), made by NIST with trec_eval 9, -c -M1000.
    with (folder / "leaderboard.csv").open(newline="") as file:
        official = {row["run"].strip(): row for row in csv.DictReader(file)}
    columns = {
        "ndcg@10": "nDCG@10",
        "p@5": "P@5",
        "RBP(p=.5)": "RBP(p=0.5,gain=linear,gmax=2)",
        "bpref": "Bpref",
        "MAP": "AP",
    }
    evaluator = cf.Evaluator(folder / "qrels-rnd1.txt", columns.values(), profile=profile, depth=1000, complete=True)
    files = [folder / "runs" / f"{name}.gz" for name in COVID_RUNS]
    assert len(files) == len(list((folder / "runs").iterdir())) == 16
    different = []
    for name, result in zip(COVID_RUNS, evaluator.evaluate_all(files).values(), strict=True):
        ours = [f"{result.mean[measure]:.4f}" for measure in columns.values()]
        if ours != [official[name][column] for column in columns]:
            different.append(name)
    return different


@pytest.mark.real_data
def test_trec_covid_round_1(real_data: Path) -> None:
    assert runs_that_differ_from_the_leaderboard(real_data / "trec_covid_r1", "trec_eval-9") == []


@pytest.mark.real_data
@pytest.mark.parametrize("profile", ["trec_eval-10", "cranfield"])
def test_trec_covid_with_scores_as_doubles(real_data: Path, profile: str) -> None:
    # BERT's scores differ beyond the seventh digit, so as 32-bit floats they tie and the documents change places.
    assert runs_that_differ_from_the_leaderboard(real_data / "trec_covid_r1", profile) == ["BERT"]


@pytest.mark.real_data
@pytest.mark.parametrize(("run", "expected"), [("BM25", "0.5058"), ("BM25_RM3", "0.5216")])
def test_deep_learning_2019(real_data: Path, run: str, expected: str) -> None:
    # Oracle: the published nDCG@10 of Anserini's BM25 and BM25+RM3 on TREC DL 2019 passages.
    folder = real_data / "dl19"
    result = cf.evaluate(folder / "qrels.dl19-passage.txt", folder / "runs" / f"{run}.top100.txt", "nDCG@10")
    assert f"{result.mean['nDCG@10']:.4f}" == expected


@pytest.mark.real_data
@pytest.mark.parametrize("run", ["bm25_no_stem", "bm25_stem", "dfr_no_stem", "dfr_stem"])
def test_time_collection(real_data: Path, run: str) -> None:
    # Oracle: what trec_eval 8.1 printed (-q -o) for the four TIME runs, each topic and all of them.
    folder = real_data / "collections" / "time"
    printed = (folder / "expected" / f"{run}.trec_eval_8.1.res").read_text()
    measures = ["NumRet", "NumRel", "NumRelRet", "AP", "P@5", "P@10", "P@30", "P@1000", "Rprec"]
    result = cf.evaluate(
        folder / "frelevancia_trec_eval_TIME.txt", folder / "runs" / f"{run}.sal.gz", measures, profile="trec_eval-9"
    )
    sections = printed.split("Queryid (Num):")[1:]
    assert len(sections) == len(result.per_query) + 1
    for section in sections:
        topic, text = section.split("\n", 1)
        values = result.mean if topic.strip() == "All" else result.per_query[topic.strip()]
        numbers = {label.strip(): value for label, value in re.findall(r"([\w -]+):\s+([\d.]+)", text)}
        average = re.search(r"averaged over queries\)\s+([\d.]+)", text)
        assert average is not None
        theirs = [numbers["Retrieved"], numbers["Relevant"], numbers["Rel_ret"], average[1]]
        theirs += [numbers[f"At {k:4} docs"] for k in (5, 10, 30, 1000)] + [numbers["Exact"]]
        ours = [f"{values[m]:.0f}" if m.startswith("Num") else f"{values[m]:.4f}" for m in measures]
        assert ours == theirs, topic
