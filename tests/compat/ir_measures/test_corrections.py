"""What docs/compat.md lists: where ir_measures 0.4.3 is wrong or gives two answers, and what is right.

Each test has the original beside it, so that the list stays true; the right values are worked out in comments.
"""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import ir_measures as original
import pytest

from cranfield.compat import ir_measures
from cranfield.compat.ir_measures import (
    AP,
    ERR,
    ERR_IA,
    RBP,
    RR,
    Accuracy,
    Compat,
    IPrec,
    Judged,
    NumQ,
    NumRel,
    NumRet,
    P,
    Qrel,
    R,
    ScoredDoc,
    SetF,
    alpha_DCG,
    alpha_nDCG,
    calc_aggregate,
    nDCG,
    nNRBP,
)
from cranfield.errors import DataError, UsageError
from tests.compat.ir_measures.material import theirs


def both(names: list[str], qrels: Any, run: Any) -> tuple[list[float], list[float]]:
    """The original's means and ours."""
    there = original.calc_aggregate([theirs(name) for name in names], qrels, run)
    ours = calc_aggregate([ir_measures.parse_measure(name) for name in names], qrels, run)
    return [float(there[theirs(name)]) for name in names], list(ours.values())


def test_ties_follow_one_rule() -> None:
    # a and b are tied; the last identifier comes first, so b, which is relevant, is at rank 1.
    qrels, run = {"q": {"b": 1}}, {"q": {"a": 1.0, "b": 1.0}}
    names = ["RR", "RR@10", "Judged@1", "RBP(rel=1,p=0.5)", "Compat(p=0.5)"]
    there, ours = both(names, qrels, run)
    assert there == pytest.approx([1.0, 0.5, 0.0, 0.25, 0.25 / 1.25])
    assert ours == pytest.approx([1.0, 1.0, 1.0, 0.5, 1.0])


def test_scores_are_doubles() -> None:
    # As 32-bit floats the two scores are the same, and b would come first.
    there, ours = both(["RR", "RR@10"], {"q": {"a": 1}}, {"q": {"a": 100.00000001, "b": 100.0}})
    assert there == [0.5, 1.0]
    assert ours == [1.0, 1.0]


def test_set_f_takes_beta_and_not_its_square() -> None:
    # P = 1/2, R = 1/3, β² = 4: 5 · (1/6) / (4 · 1/2 + 1/3) = 5/14. With β² = 2: 3 · (1/6) / (2 · 1/2 + 1/3) = 3/8.
    there, ours = both(["SetF(beta=2.0)"], {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 1.0, "x": 2.0}})
    assert there == pytest.approx([3 / 8])
    assert ours == pytest.approx([5 / 14])


def test_the_square_of_beta_in_a_name_of_trec_eval_stays_what_it_is() -> None:
    (measure,) = ir_measures.parse_trec_measure("set_F.2")
    assert measure == SetF(beta=math.sqrt(2))
    found = measure.calc_aggregate({"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 1.0, "x": 2.0}})
    assert found == pytest.approx(3 / 8)  # as above, with β² = 2


SUBTOPICS = [("q", "a", 1, "1"), ("q", "a", 1, "2"), ("q", "b", 1, "1")]


def test_several_alphas_in_one_call() -> None:
    # b, a against a, b: alpha = 0.5: (1 + (0.5 + 1)/log2 3) / (2 + 0.5/log2 3); alpha = 0: (1 + 2/log2 3) / (2 + 1/log2 3)
    run = {"q": {"b": 2.0, "a": 1.0}}
    wanted = [alpha_nDCG @ 5, alpha_nDCG(alpha=0.0) @ 5]
    log3 = math.log2(3)
    right = [(1 + 1.5 / log3) / (2 + 0.5 / log3), (1 + 2 / log3) / (2 + 1 / log3)]
    assert list(calc_aggregate(wanted, [Qrel(*row) for row in SUBTOPICS], run).values()) == pytest.approx(right)
    there = original.calc_aggregate(
        [original.alpha_nDCG @ 5, original.alpha_nDCG(alpha=0.0) @ 5], [original.Qrel(*row) for row in SUBTOPICS], run
    )
    assert 0.0 in there.values()


def test_diversity_of_judged_documents_only_and_at_any_depth() -> None:
    qrels = [Qrel(*row) for row in SUBTOPICS]
    run = {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}
    # Without x the ranking is the ideal one; with it everything is one rank further down.
    assert alpha_nDCG(judged_only=True).calc_aggregate(qrels, run) == 1.0
    down = (2 / math.log2(3) + 0.5 / math.log2(4)) / (2 + 0.5 / math.log2(3))
    assert (alpha_nDCG @ 100).calc_aggregate(qrels, run) == pytest.approx(down)
    there = [original.Qrel(*row) for row in SUBTOPICS]
    with pytest.raises(TypeError):
        (original.alpha_nDCG(judged_only=True) @ 5).calc_aggregate(there, run)
    with pytest.raises(AssertionError):
        (original.alpha_nDCG @ 100).calc_aggregate(there, run)


def test_diversity_at_one_is_normalised_as_at_other_cutoffs() -> None:
    # b covers one of two subtopics: 1/2.
    run = {"q": {"b": 1.0}}
    wanted = [alpha_DCG @ 1, ERR_IA @ 1]
    assert list(calc_aggregate(wanted, [Qrel(*row) for row in SUBTOPICS], run).values()) == [0.5, 0.5]
    there = original.calc_aggregate(
        [original.alpha_DCG @ 1, original.ERR_IA @ 1], [original.Qrel(*row) for row in SUBTOPICS], run
    )
    assert set(there.values()) == {1.0}


def test_a_topic_without_relevant_subtopics_is_0_and_not_nan() -> None:
    rows, run = [("q", "a", 0, "1"), ("q", "a", 0, "2")], {"q": {"a": 1.0}}
    assert nNRBP.calc_aggregate([Qrel(*row) for row in rows], run) == 0.0
    assert math.isnan(original.nNRBP.calc_aggregate([original.Qrel(*row) for row in rows], run))


def test_interpolated_precision_of_judged_documents_is_0_and_not_nan_where_there_are_none() -> None:
    qrels, run = {"q": {"a": 0}}, {"q": {"x": 1.0}}
    assert (IPrec(judged_only=True) @ 0.3).calc_aggregate(qrels, run) == 0.0
    assert math.isnan((original.IPrec(judged_only=True) @ 0.3).calc_aggregate(qrels, run))


def test_readers_can_be_used_again(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 2.0 t\nq Q0 b 2 1.0 t\n")
    qrels = {"q": {"b": 1}}
    for module, second in ((original, 0.0), (ir_measures, 0.5)):
        evaluator = module.evaluator([module.RR], qrels)
        run = module.read_trec_run(str(tmp_path / "run"))
        assert evaluator.calc_aggregate(run) == {module.RR: 0.5}
        assert evaluator.calc_aggregate(run) == {module.RR: second}


def test_a_generator_that_is_used_up_is_an_error() -> None:
    for module in (original, ir_measures):
        run = (module.ScoredDoc("q", document, score) for document, score in (("a", 2.0), ("b", 1.0)))
        evaluator = module.evaluator([module.RR], {"q": {"b": 1}})
        assert evaluator.calc_aggregate(run) == {module.RR: 0.5}
        if module is original:
            assert evaluator.calc_aggregate(run) == {module.RR: 0.0}
        else:
            with pytest.raises(UsageError, match="run: this generator is used up; make a list of it"):
                evaluator.calc_aggregate(run)


def test_err_needs_neither_numbers_for_topics_nor_low_grades_nor_a_cutoff() -> None:
    # gmax 4: s = (2^2 - 1)/2^4 = 3/16 at rank 2. gmax 5, the highest grade: s = (2^5 - 1)/2^5 at rank 1.
    assert (ERR @ 10).calc_aggregate({"topic-a": {"a": 2}}, {"topic-a": {"x": 2.0, "a": 1.0}}) == pytest.approx(3 / 32)
    assert ERR.calc_aggregate({"1": {"a": 5}}, {"1": {"a": 1.0}}) == pytest.approx(31 / 32)


def test_no_rounding_to_five_places() -> None:
    # s = 1/16 at rank 1 and 1/16 at rank 2: 1/16 + (15/16) · (1/16) / 2
    found = (ERR @ 10).calc_aggregate({"1": {"a": 1, "b": 1}}, {"1": {"a": 2.0, "b": 1.0}})
    assert found == 1 / 16 + 15 / 512
    # (2^1 - 1)/log2 3 over (2^1 - 1)/log2 2
    found = (nDCG(dcg="exp-log2") @ 10).calc_aggregate({"1": {"a": 1}}, {"1": {"x": 2.0, "a": 1.0}})
    assert found == pytest.approx(1 / math.log2(3), abs=1e-15)


def test_counts_of_judgments_do_not_depend_on_the_run() -> None:
    qrels, run = {"q": {"a": 1}, "r": {"a": 1, "b": 1}}, {"q": {"a": 1.0}}
    there, ours = both(["NumQ", "NumRel"], qrels, run)
    assert there == [1.0, 1.0]
    assert ours == [2.0, 3.0]
    assert NumRel(rel=2).calc_aggregate({"q": {"a": 1, "b": 2}}, run) == 1.0
    assert NumQ.calc_aggregate(qrels, {}) == 2.0


def test_accuracy_leaves_out_the_same_topics_beside_other_measures() -> None:
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    run = {"q": {"a": 2.0, "x": 1.0}, "r": {"x": 2.0, "y": 1.0}}
    assert original.Accuracy.calc_aggregate(qrels, run) == 1.0
    there, ours = both(["Accuracy", "AP"], qrels, run)
    assert there == [0.5, 0.5]
    assert ours == [1.0, 0.5]
    # Where nothing retrieved is irrelevant, nothing stands above a relevant document.
    assert Accuracy.calc_aggregate(qrels, {"q": {"a": 1.0}}) == 1.0
    with pytest.raises(ZeroDivisionError):
        original.Accuracy.calc_aggregate(qrels, {"q": {"a": 1.0}})


TOGETHER = """
from {module} import *
one = calc_aggregate([nDCG(gains={{1: 10}}) @ 5, nDCG @ 10], {{"q": {{"a": 1, "b": 2}}}}, {{"q": {{"a": 2.0, "b": 1.0}}}})
two = calc_aggregate([P(judged_only=True) @ 5, NumRet], {{"q": {{"a": 1}}}}, {{"q": {{"a": 1.0, "b": 2.0}}}})
print(round(one[nDCG @ 10], 4), two[NumRet])
"""


def test_measures_do_not_change_each_other() -> None:
    # nDCG@10: (1 + 2/log2 3) / (2 + 1/log2 3) = 2.2619/2.6309 = .8597; two documents are retrieved.
    def printed(module: str, seed: int) -> str:
        command = [sys.executable, "-W", "ignore", "-c", TOGETHER.format(module=module)]
        return subprocess.run(
            command, env={"PYTHONHASHSEED": str(seed)}, check=True, capture_output=True, text=True
        ).stdout.strip()

    assert {printed("ir_measures", seed) for seed in (1, 3, 4)} != {"0.8597 2.0"}
    assert {printed("cranfield.compat.ir_measures", seed) for seed in (1, 3, 4)} == {"0.8597 2.0"}


def test_levels_of_recall_have_more_than_two_places() -> None:
    # Of 8 documents 0.125 is one, found at rank 1; the original takes 0.12 for both, and loses one of the two.
    qrels, run = {"q": {f"d{i}": 1 for i in range(8)}}, {"q": {"d0": 1.0}}
    wanted = [IPrec @ 0.12, IPrec @ 0.125, IPrec @ 0.13]
    # 0.12 · 8 + 0.9 and 0.125 · 8 + 0.9 are 1 cut off, 0.13 · 8 + 0.9 = 1.94 too; two would need 0.1375.
    assert list(calc_aggregate(wanted, qrels, run).values()) == [1.0, 1.0, 1.0]
    there = original.calc_aggregate([original.IPrec @ 0.12, original.IPrec @ 0.125], qrels, run)
    assert sorted(there.values()) == [0.0, 1.0]


def test_a_topic_with_an_empty_list_has_no_judged_documents() -> None:
    assert (Judged @ 5).calc_aggregate({"q": {"a": 1}}, {"q": {}}) == 0.0
    with pytest.raises(ZeroDivisionError):
        (original.Judged @ 5).calc_aggregate({"q": {"a": 1}}, {"q": {}})


def test_lines_of_a_topic_need_not_stand_together() -> None:
    # q is b, a: RBP is 0.5 · 0.5; r has nothing. The mean is .125; the original counts q twice.
    rows = [("q", "a", 1.0), ("r", "x", 1.0), ("q", "b", 2.0)]
    qrels = {"q": {"a": 1}, "r": {"b": 1}}
    found = RBP(rel=1, p=0.5).calc_aggregate(qrels, [ScoredDoc(*row) for row in rows])
    assert found == 0.125
    there = original.RBP(rel=1, p=0.5).calc_aggregate(qrels, [original.ScoredDoc(*row) for row in rows])
    assert there == pytest.approx((0.5 + 0 + 0) / 3)


def test_documents_that_are_named_twice_are_errors() -> None:
    twice = [ScoredDoc("q", "a", 1.0), ScoredDoc("q", "a", 2.0)]
    with pytest.raises(DataError, match="row 2: document 'a' is returned twice for query 'q'"):
        P(rel=1, cutoff=1).calc_aggregate({"q": {"a": 1}}, twice)
    judged = [Qrel("q", "a", 1), Qrel("q", "a", 0)]
    with pytest.raises(DataError, match="row 2: document 'a' is judged twice for query 'q': grades 1 and 0"):
        AP.calc_aggregate(judged, {"q": {"a": 1.0}})
    with pytest.raises(DataError, match="score nan is not a finite number"):
        AP.calc_aggregate({"q": {"a": 1}}, {"q": {"a": math.nan}})


def test_of_several_subtopics_the_highest_grade_counts() -> None:
    # a is relevant to subtopic 1 and not to 2: to AP it is relevant, in whichever order the judgments stand.
    rows = [("q", "a", 1, "1"), ("q", "a", 0, "2")]
    run = {"q": {"a": 1.0}}
    for order in (rows, rows[::-1]):
        assert AP.calc_aggregate([Qrel(*row) for row in order], run) == 1.0
    assert original.AP.calc_aggregate([original.Qrel(*row) for row in rows], run) == 0.0


def test_a_topic_without_judgments_does_not_count() -> None:
    qrels, run = {"q": {"a": 1}, "r": {}}, {"q": {"a": 1.0}, "r": {"a": 1.0}}
    there, ours = both(["AP", "RBP(rel=1,p=0.5)"], qrels, run)
    assert there == [0.5, 0.25]  # r counts as 0
    assert original.RBP(rel=1, p=0.5).calc_aggregate(qrels, run) == pytest.approx(0.5)  # alone, it does not count
    assert ours == [1.0, 0.5]


def test_compat_with_scores_below_0() -> None:
    # b is retrieved and a is not: the ideal is b, a. Overlap 1 + 0.5 · 1/2 of 1 + 0.5 · 2/2. The original takes a, b.
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"b": -1.0}}
    assert Compat(p=0.5).calc_aggregate(qrels, run) == pytest.approx(1.25 / 1.5)
    assert original.Compat(p=0.5).calc_aggregate(qrels, run) == pytest.approx(0.25 / 1.5)


def test_rbp_has_no_last_rank() -> None:
    # (1 - p) · 1; the original divides by 1 - p^1000, the weight of the 1000 ranks it looks at.
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    assert RBP(rel=1, p=0.999).calc_aggregate(qrels, run) == pytest.approx(0.001)
    assert original.RBP(rel=1, p=0.999).calc_aggregate(qrels, run) == pytest.approx(0.001 / (1 - 0.999**1000))


def test_measures_that_no_provider_computes() -> None:
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}
    expected = {
        RBP(rel=1, p=0.5) @ 2: 0.25,  # 0.5 · 0.5
        NumRel(rel=2): 1.0,
        RR(judged_only=True) @ 1: 1.0,  # a, b
        # (1/log2 3 + 3/log2 4) / (3 + 1/log2 3)
        nDCG(dcg="exp-log2"): (1 / math.log2(3) + 1.5) / (3 + 1 / math.log2(3)),
        R(rel=0) @ 2: 0.5,
    }
    assert calc_aggregate(expected, qrels, run) == pytest.approx(expected)


def test_whole_numbers_will_do_for_fractions() -> None:
    assert (IPrec @ 1).calc_aggregate({"q": {"a": 1}}, {"q": {"a": 1.0}}) == 1.0
    assert SetF(beta=2).calc_aggregate({"q": {"a": 1}}, {"q": {"a": 1.0}}) == 1.0
    with pytest.raises(AssertionError):
        (original.IPrec @ 1).calc_aggregate({"q": {"a": 1}}, {"q": {"a": 1.0}})


def test_grades_may_be_fractions() -> None:
    # (0.5 · 1/log2 3 + 1.5 · 1/log2 2) is the ideal order: 1.
    assert (nDCG @ 10).calc_aggregate({"q": {"a": 1.5, "b": 0.5}}, {"q": {"a": 2.0, "b": 1.0}}) == 1.0


def test_a_path_need_not_be_text(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 2.0 t\n")
    assert list(ir_measures.read_trec_run(tmp_path / "run")) == [ScoredDoc("q", "a", 2.0)]
    assert list(original.read_trec_run(tmp_path / "run")) == []


def test_number_of_documents_retrieved_beside_others() -> None:
    assert calc_aggregate([P(judged_only=True) @ 5, NumRet], {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 2.0}}) == {
        P(judged_only=True) @ 5: 0.2,
        NumRet: 2.0,
    }
