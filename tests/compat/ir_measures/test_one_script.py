"""One script, run with ir_measures 0.4.3 and, its imports changed, with this module: it prints the same."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

SCRIPT = """
import ir_measures
from ir_measures import *
import pandas as pd

def report(title, results, measures):
    print(title)
    for measure in measures:
        print(f"  {measure!s:<28} {results[measure]:.4f}")

common = [AP, AP(rel=2), nDCG, nDCG@10, nDCG(dcg="log2")@5, P@5, P(rel=2)@10, R@20, RR, MRR(rel=2), Rprec, Bpref, SetF,
          Success@1, IPrec@0.5, Judged@10, NumRet, NumRelRet, RBP(rel=1), INST(max_rel=3), Compat, MAP@10]

qrels = list(ir_measures.read_trec_qrels(QRELS))
run = list(ir_measures.read_trec_run(RUN))
report("lists", ir_measures.calc_aggregate(common, qrels, run), common)
report("files", calc_aggregate(common, ir_measures.read_trec_qrels(QRELS), ir_measures.read_trec_run(RUN)), common)

frame = pd.DataFrame(run)
evaluator = ir_measures.evaluator([nDCG@10, P@5], qrels)
for fraction in (1.0, 0.5):
    part = frame[frame.score >= frame.score.quantile(1 - fraction)]
    report(f"best {fraction:.0%}", evaluator.calc_aggregate(part), [nDCG@10, P@5])

by_query = {}
for metric in ir_measures.iter_calc([nDCG@10, AP], qrels, run):
    by_query.setdefault(metric.query_id, {})[str(metric.measure)] = metric.value
for query in sorted(by_query):
    print(query, " ".join(f"{name}={by_query[query][name]:.6f}" for name in sorted(by_query[query])))

results = ir_measures.calc([P@5], qrels, run)
print(list(results.aggregated), len(results.per_query), type(results).__name__)
table = pd.DataFrame([{"query": m.query_id, str(m.measure): m.value} for m in results.per_query]).sort_values("query")
print(table.to_string(index=False))

wanted = [ir_measures.parse_measure(name) for name in ("nDCG@10", "AP(rel=2)", "P(judged_only=True)@5")]
wanted += ir_measures.parse_trec_measure("recall_5,10") + ir_measures.parse_trec_measure("map")
report("names", ir_measures.pytrec_eval.calc_aggregate(wanted, qrels, run), wanted)
print((P(rel=2)@5).NAME, (P(rel=2)@5).params, P["rel"], sorted(P.SUPPORTED_PARAMS), P@5 == P(cutoff=5), {P@5: 1}[P@5])
"""


def printed(module: str, qrels: str, run: str) -> str:
    text = SCRIPT
    if module != "ir_measures":
        room, name = module.rsplit(".", 1)
        text = text.replace("import ir_measures\n", f"from {room} import {name}\n")
        text = text.replace("from ir_measures import *", f"from {module} import *")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, module, "exec"), {"QRELS": qrels, "RUN": run})
    return out.getvalue()


@pytest.fixture
def made(tmp_path: Path) -> tuple[str, str]:
    """Thirty topics, graded judgments, and a run that lacks one of them; scores without ties."""
    qrels = "".join(
        f"{topic} 0 d{document} {(topic + 3 * document) % 5 - 1}\n"
        for topic in range(30)
        for document in range(topic % 3, 24)
    )
    run = "".join(
        f"{topic} Q0 d{(7 * rank + topic) % 40} {rank} {(40 - rank) / 8} t\n"
        for topic in range(29)
        for rank in range(30)
    )
    (tmp_path / "qrels").write_text(qrels)
    (tmp_path / "run").write_text(run)
    return str(tmp_path / "qrels"), str(tmp_path / "run")


def test_a_script_prints_the_same(made: tuple[str, str]) -> None:
    expected = printed("ir_measures", *made)
    assert printed("cranfield.compat.ir_measures", *made) == expected
    assert expected.count("\n") > 100


@pytest.mark.real_data
def test_a_script_prints_the_same_of_a_real_run(real_data: Path) -> None:
    folder = real_data / "ir_measures_tests"
    files = str(folder / "cwl.qrels"), str(folder / "cwl.run")
    assert printed("cranfield.compat.ir_measures", *files) == printed("ir_measures", *files)
