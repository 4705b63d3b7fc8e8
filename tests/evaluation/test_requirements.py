"""The small language of the gate."""

from __future__ import annotations

from typing import Any

import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.evaluation.requirements import CONDITIONS, parse_requirement


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nDCG@10 drop <= 0.01", {"kind": "drop", "operator": "<=", "limit": 0.01}),
        ("nDCG@10 drop<=.01", {"kind": "drop", "operator": "<=", "limit": 0.01}),
        ("nDCG@10  DROP  <  1e-2 ", {"kind": "drop", "operator": "<", "limit": 0.01}),
        ("nDCG@10 relative drop <= 2%", {"kind": "drop", "operator": "<=", "limit": 0.02, "relative": True}),
        ("nDCG@10 relative rise >= 1.5 %", {"kind": "rise", "operator": ">=", "limit": 0.015, "relative": True}),
        ("nDCG@10 rise > 0", {"kind": "rise", "operator": ">"}),
        ("nDCG@10 drop <= -0.01", {"kind": "drop", "operator": "<=", "limit": -0.01}),
        ("nDCG@10>=0.3", {"kind": "value", "operator": ">=", "limit": 0.3}),
        ("nDCG@10 >= 0.3 significantly", {"kind": "value", "operator": ">=", "limit": 0.3, "significantly": True}),
        ("nDCG@10 improves", {"kind": "improves"}),
        ("nDCG@10 improves significantly", {"kind": "improves", "significantly": True}),
        ("nDCG@10 non-inferior margin 0.02", {"kind": "non-inferior", "limit": 0.02}),
        ("nDCG@10 equivalent margin 0.02", {"kind": "equivalent", "limit": 0.02}),
        ("nDCG@10 improves in long queries", {"kind": "improves", "slice": "long queries"}),
        ("nDCG@10 drop <= 0.1 in language=en", {"kind": "drop", "operator": "<=", "limit": 0.1, "slice": "language=en"}),
        ("nDCG@10 >= 0.3 significantly in a in b", {"operator": ">=", "limit": 0.3, "significantly": True, "slice": "a in b"}),
    ],
)  # fmt: skip
def test_what_is_understood(text: str, expected: dict[str, Any]) -> None:
    found = parse_requirement(text)
    assert found.measure == cf.nDCG @ 10
    defaults = {"kind": "value", "operator": "", "limit": 0.0, "relative": False, "significantly": False, "slice": None}
    assert {name: getattr(found, name) for name in defaults} == pytest.approx({**defaults, **expected})


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("P(rel=2)@10 >= 0.3", cf.P(rel=2) @ 10),
        ("P(rel=2)@10>=0.3", cf.P(rel=2) @ 10),
        ("RBP(p=0.8, rel=2) drop <= 0.1", cf.RBP(p=0.8, rel=2)),
        ("ndcg_cut_10 improves", cf.nDCG @ 10),
        ("ndcg.1=3,2=9 improves", cf.measures.parse_one("ndcg.1=3,2=9")),
        ("map@100-l2 improves", cf.AP(rel=2) @ 100),
    ],
)
def test_measures_in_any_spelling(text: str, measure: cf.Measure) -> None:
    assert parse_requirement(text).measure == measure


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "requirement '': expected a measure and a condition, such as 'nDCG@10 drop <= 0.01'"),
        (">= 0.3", "requirement '>= 0.3': expected a measure and a condition"),
        ("AP", f"requirement 'AP': after the measure nothing follows, expected one of: {'; '.join(CONDITIONS)}"),
        ("AP drops 0.1", "after the measure found 'drops 0.1', expected one of: drop <= NUMBER; "),
        ("AP drop <=", "requirement 'AP drop <=': after 'drop <=' expected a number, found nothing"),
        ("AP drop", "requirement 'AP drop': after 'drop' expected an operator and a number, such as 'drop <= 0.01'"),
        ("AP rise 0.1", "after 'rise' expected an operator and a number, such as 'rise >= 0.01'"),
        ("AP relative drop 2%", "after 'relative drop' expected an operator and a number, such as 'relative drop <= 2%'"),
        ("AP => 0.3", "the operators are <=, <, >= and >; did you mean 'AP >= 0.3'?"),
        ("AP drop ≤ 0.01", "the operators are <=, <, >= and >; did you mean 'AP drop <= 0.01'?"),
        ("AP noninferior margin 0.02", "expected 'non-inferior margin NUMBER', such as 'AP non-inferior margin 0.02', found 'noninferior margin 0.02'"),
        ("AP improves much", "after 'improves' found 'much', expected 'significantly' or nothing"),
        ("drop <= 0.01", "requirement 'drop <= 0.01': the measure is missing"),
        ("improves significantly", "the measure is missing"),
        ("AP >= 3", "requirement 'AP >= 3': no run can meet this: the mean of AP is from 0 to 1"),
        ("AP > 1", "no run can meet this: the mean of AP is from 0 to 1"),
        ("AP rise >= 1.5", "no run can meet this: the rise of AP is from -1 to 1"),
        ("SetE < 0", "no run can meet this: the mean of SetE is from 0 to 1"),
        ("AP drop <= one", "after 'drop <=' expected a number, found 'one'"),
        ("AP drop <= 0.1 always", "after the number found 'always'"),
        ("AP non-inferior 0.1", "expected 'non-inferior margin NUMBER', such as 'AP non-inferior margin 0.02', found 'non-inferior 0.1'"),
        ("AP in tail", "after the measure found 'in tail', expected one of"),
        ("AP drop <= 2%", "an absolute drop is a number such as 0.01, and a relative one a percentage, written such as 'relative drop <= 2%'"),
        ("AP relative drop <= 0.02", "a relative one a percentage, written such as 'relative drop <= 2%'"),
        ("nDGC@10 improves", "requirement 'nDGC@10 improves': unknown measure 'nDGC@10'. Did you mean nDCG"),
        ("P@5,10 improves", "P@5,10 stands for 2 measures; name one, such as P@5"),
        ("AP non-inferior margin 0", "the margin must be above 0, not 0"),
        ("AP equivalent margin -1", "the margin must be above 0, not -1"),
        ("AP drop >= 0.1", "of AP more is better, so this would ask for a worse run; did you mean 'drop <=' or 'rise >='?"),
        ("AP rise <= 0.1", "of AP more is better, so this would ask for a worse run; did you mean 'rise >=' or 'drop <='?"),
        ("AP <= 0.1", "of AP more is better, so this would ask for a worse run; did you mean '>='?"),
        ("SetE drop <= 0.1", "of SetE less is better, so this would ask for a worse run; did you mean 'drop >=' or 'rise <='?"),
        ("SetE >= 0.1", "of SetE less is better, so this would ask for a worse run; did you mean '<='?"),
        ("Judged@10 improves", "neither more nor less of Judged@10 is better; use drop, rise, >=, <= or equivalent"),
        ("Judged@10 non-inferior margin 0.1", "neither more nor less of Judged@10 is better"),
        ("GMAP equivalent margin 0.1", "GMAP is not a mean over topics, so this cannot be tested; use drop, rise, >= or <="),
        ("GMAP >= 0.1 significantly", "GMAP is not a mean over topics, so this cannot be tested"),
        ("RelString@10 >= 1", "RelString@10 is text and has no mean"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_said(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_requirement(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["SetE rise <= 0.1", "SetE drop >= 0.1", "SetE <= 0.1", "SetE non-inferior margin .1",
                                  "Judged@10 drop <= 0.1", "Judged@10 rise <= 0.1", "Judged@10 >= 0.5", "NumRet <= 1000",
                                  "AP >= 1", "NumRelRet >= 3", "GMAP drop <= 0.1", "GMAP improves significantly"])  # fmt: skip
def test_requirements_that_make_sense(text: str) -> None:
    assert parse_requirement(text).text == text
