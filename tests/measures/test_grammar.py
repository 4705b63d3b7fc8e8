"""Names of measures in every spelling."""

from __future__ import annotations

import pytest

import cranfield as cf
from cranfield.errors import ParameterError, UnknownMeasureError
from cranfield.measures import AP, RBP, REGISTRY, Measure, P, nDCG, parse, parse_all, parse_one, trec_eval


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("nDCG@10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("NDCG_CUT_10", "nDCG@10"),
        ("ndcg", "nDCG"),
        ("nDCG(dcg=exp-log2)@10", "nDCG(gain=exponential)@10"),
        ("nDCG(dcg='log2')@10", "nDCG@10"),
        ("ndcg_burges@10", "nDCG(gain=exponential)@10"),
        ("ndcg.1=3.5,2=9", "nDCG(gains=1:3.5;2:9)"),
        ("P(rel=2)@10", "P(rel=2)@10"),
        ("P_10", "P@10"),
        ("P.10", "P@10"),
        ("precision@10", "P@10"),
        ("map", "AP"),
        ("MAP", "AP"),
        ("AP", "AP"),
        ("map@100-l2", "AP(rel=2)@100"),
        ("map_cut_100", "AP@100"),
        ("AP(rel=2, judged_only=True)@100", "AP(rel=2,judged_only=True)@100"),
        ("recip_rank", "RR"),
        ("MRR", "RR"),
        ("MRR@10", "RR@10"),
        ("Recall@1000", "R@1000"),
        ("recall_1000", "R@1000"),
        ("hit_rate@5", "Success@5"),
        ("hits", "NumRelRet"),
        ("r-precision", "Rprec"),
        ("Rprec_mult_0.20", "Rprec(multiple=0.2)"),
        ("rbp.95", "RBP(p=0.95)"),
        ("rbp.0.95", "RBP(p=0.95)"),
        ("mrr_10", "RR@10"),
        ("P@1000000000000", "P@1000000000000"),
        ("fbeta(beta=2)@5", "F(beta=2)@5"),
        ("break-even", "BreakEven"),
        ("subtopic_recall@10", "StRecall@10"),
        ("nDCG(gains=1:0.123456789)@5", "nDCG(gains=1:0.123456789)@5"),
        ("IPrecAvg(levels=0;0.123456789)", "IPrecAvg(levels=0;0.123456789)"),
        ("RBP", "RBP(p=0.8)"),
        ("RBP(p=0.5,rel=2)", "RBP(p=0.5,rel=2)"),
        ("rbp", "RBP(p=0.9,gain=topic)"),
        ("rbp_p=0.5", "RBP(p=0.5,gain=topic)"),
        ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("11pt_avg", "IPrecAvg"),
        ("set_F", "SetF"),
        ("set_F.4", "SetF(beta=2)"),  # trec_eval's parameter is beta squared
        ("SetF(beta=2)", "SetF(beta=2)"),
        ("utility_2,-1,0,0", "Utility(tp=2)"),
        ("relstring_20", "RelString@20"),
        ("unj_5", "Unjudged@5"),
        ("prefs_simp", "prefs_simp"),
        ("gm_map", "GMAP"),
        ("bpref", "Bpref"),
        ("infAP", "infAP"),
        ("F", "F"),
        ("f1", "F"),
        ("F1@10", "F@10"),
        ("f1@10-l2", "F(rel=2)@10"),
        ("F(alpha=0.25)@5", "F(alpha=0.25)@5"),
        ("AP(denominator=found)", "AP(denominator=found)"),
        ("AP(denominator=min-k-R)@10", "AP(denominator=min-k-R)@10"),
        ("auroc", "AUC"),
        ("ap(DENOMINATOR=MIN-K-R)@10", "AP(denominator=min-k-R)@10"),
    ],
)  # fmt: skip
def test_spellings(spelling: str, canonical: str) -> None:
    assert str(parse_one(spelling)) == canonical
    assert str(parse_one(canonical)) == canonical


def test_families_and_sets() -> None:
    assert parse("P.5,7,3") == [P @ 3, P @ 5, P @ 7]
    assert parse("P") == [P @ k for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]
    assert len(parse("iprec_at_recall")) == 11
    # Oracle: trec_eval prints 30 lines for `official`, one of them the run's name.
    assert len(parse("official")) == 29
    # Oracle: trec_eval 10's out.test.a has 99 lines without the name of the run; relstring has no mean.
    assert len(parse("all_trec")) == 99


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("P@1..4", ["P@1", "P@2", "P@3", "P@4"]),
        ("P@3..3", ["P@3"]),
        ("P@5,10,20", ["P@5", "P@10", "P@20"]),
        ("P@20, 5", ["P@20", "P@5"]),
        ("P@1..3,2,10", ["P@1", "P@2", "P@3", "P@10"]),
        ("f1@1..2-l2", ["F(rel=2)@1", "F(rel=2)@2"]),
        ("nDCG(gain=exponential)@5,10", ["nDCG(gain=exponential)@5", "nDCG(gain=exponential)@10"]),
        ("IPrec@0,0.5,1", ["IPrec@0", "IPrec@0.5", "IPrec@1"]),
        ("IPrec@.25,.5", ["IPrec@0.25", "IPrec@0.5"]),
        ("hit_rate@1,5", ["Success@1", "Success@5"]),
    ],
)
def test_several_values_behind_the_at(text: str, names: list[str]) -> None:
    assert [str(measure) for measure in parse(text)] == names


def test_a_name_for_several_is_not_one() -> None:
    with pytest.raises(ParameterError, match=r"^P@1\.\.10 stands for 10 measures; name one, such as P@1$"):
        parse_one("P@1..10")


def test_each_measure_once() -> None:
    assert parse_all(["map", "AP", "MAP"]) == [AP]


@pytest.mark.parametrize("name", REGISTRY)
def test_every_measure_parses_back(name: str) -> None:
    definition = REGISTRY[name]
    measure = Measure(name)
    if definition.at_needed:
        measure = measure @ definition.defaults_at[0]
    assert parse(str(measure)) == [measure]
    assert parse(repr(measure).lower()) == [measure]
    assert hash(measure) == hash(parse_one(str(measure)))


@pytest.mark.parametrize("entry", trec_eval.TABLE, ids=lambda entry: entry.name)
def test_every_trec_eval_label_parses_back(entry: trec_eval.Entry) -> None:
    for column in entry.columns():
        if column.measure is not None:
            assert parse(column.label) == [column.measure]


def test_values() -> None:
    assert nDCG @ 10 == Measure("nDCG", (("cutoff", 10),))
    assert P(rel=2) @ 10 == (P @ 10)(rel=2)
    assert RBP(p=0.8) == RBP
    assert nDCG(gains={2: 9, 1: 3.5}) == parse_one("ndcg.1=3.5,2=9")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P@0", "P: cutoff must be a whole number from 1 to 10^12, not 0"),
        ("P@2.5", "P: cutoff must be a whole number from 1 to 10^12, not 2.5"),
        ("P@ten", "P: cutoff must be a whole number from 1 to 10^12, not 'ten'"),
        ("IPrec@1.5", "IPrec: recall must be a number from 0 to 1, not 1.5"),
        ("RBP(p=1.5)", "RBP: p must be a number from 0 to below 1, not 1.5"),
        ("RBP(p=1)", "RBP: p must be a number from 0 to below 1, not 1"),
        ("nDCG(gain=log)@5", "nDCG: gain must be one of linear, exponential, not 'log'"),
        (
            "nDCG(gains=3)@5",
            "nDCG: gains must be pairs grade:gain of numbers from -10^9 to 10^9 with ; between them, as in 1:3;2:9, not '3'",
        ),
        ("P(2)@5", "P(2)@5: expected parameters as name=value, found '2'; as in P(rel=...)"),
        ("RBP(0.95)", "RBP(0.95): expected parameters as name=value, found '0.95'; as in RBP(p=...)"),
        (
            "Bpref@5",
            "Bpref takes no cutoff, so Bpref@5 means nothing; its parameters are rel, form, judged_only, written Bpref(rel=...)",
        ),
        (
            "nDCG@10(gain=exponential)",
            "nDCG@10(gain=exponential): the cutoff comes last: write nDCG(gain=exponential)@10",
        ),
        (
            "nDCG(gain=exponential@10",
            "nDCG(gain=exponential@10: a parenthesis is missing, as in nDCG(gain=exponential)@10",
        ),
        ("nDCG@10 AP", "nDCG@10 AP: these are several measures; name them one by one, on the command line -m each"),
        ("nDCG@10,AP", "nDCG@10,AP: these are several measures; name them one by one, on the command line -m each"),
        ("P@5,10 AP", "P@5,10 AP: these are several measures; name them one by one, on the command line -m each"),
        ("P@10..1", "P@10..1: a range runs upwards; write 1..10"),
        ("P@1..ten", "P@1..ten: a range is two whole numbers, as in P@1..10; found '1..ten'"),
        ("P@1..", "P@1..: a range is two whole numbers, as in P@1..10; found '1..'"),
        ("P@0..3", "P: cutoff must be a whole number from 1 to 10^12, not 0"),
        ("P@1-10", "P@1-10: a range is written with two dots: P@1..10"),
        ("P@1..1000000", "P@1..1000000: a range has at most 10000 values; this one has 1000000"),
        ("P@5,,10", "P@5,,10: a value is missing beside a comma, as in P@5,10"),
        ("P@5,ten", "P: cutoff must be a whole number from 1 to 10^12, not 'ten'"),
        (
            "IPrec@0..1",
            "IPrec@0..1: recall is not a whole number, so a range means nothing; name the values, as in IPrec@0,0.5,1",
        ),
        ("P@-1", "P: cutoff must be a whole number from 1 to 10^12, not -1"),
        ("P(rel=2)@-1", "P: cutoff must be a whole number from 1 to 10^12, not -1"),
        ("P@99999999999999999999", "P: cutoff must be a whole number from 1 to 10^12, not 99999999999999999999"),
        ("P@", "P@: behind @ a value is missing, as in P@30"),
        (
            "nDCG(gain=exponential)@",
            "nDCG(gain=exponential)@: behind @ a value is missing, as in nDCG(gain=exponential)@10",
        ),
        ("AP@10@20", "AP@10@20: one @ is enough; several values have commas between them, AP@10,20"),
        ("P@1,000", "P@1,000: commas stand between values; write P@1000"),
        ("P@1,000,000", "P@1,000,000: commas stand between values; write P@1000000"),
        ("P.inf", "P.inf: expected numbers with commas between them, as in P.5,10"),
        ("relstring.1e400", "relstring.1e400: expected numbers with commas between them, as in relstring.5,10"),
        ("P.1e300", "P: cutoff must be a whole number from 1 to 10^12, not 1e+300"),
        ("set_F.-1", "set_F.-1: beta squared must be a number from 0 to 10^9, not -1.0"),
        (
            "ERR(value=all)",
            "ERR(value=all) needs a cutoff, for a reader might go on for ever; as in ERR(value=all)@1000",
        ),
        ("P(rel=1,rel=2)@5", "P(rel=1,rel=2)@5: rel is given twice"),
        ("F(beta=2,alpha=0.5)@5", "F takes beta or alpha, not both"),
        ("F(beta=1,alpha=0.5)", "F takes beta or alpha, not both"),
        ("F(alpha=1.5)", "F: alpha must be a number from 0 to 1, not 1.5"),
        ("AUC(over=retrieved,documents=10)", "AUC takes over or documents, not both"),
        ("AP(denominator=k)", "AP: denominator must be one of R, min-k-R, found, not 'k'"),
        ("Bpref(form=printed)", "Bpref: form must be one of trec_eval, notes, pairs, not 'printed'"),
        ("rbp.x", "rbp.x: expected p=0.95 and grade=gain pairs with commas between them, as in rbp.p=0.95,1=3.5,2=9"),
        ("P.5,5", "P.5,5: the same value is given twice"),
        ("P.a", "P.a: expected numbers with commas between them, as in P.5,10"),
        ("ndcg.1", "ndcg.1: expected grade=gain pairs with commas between them, as in ndcg.1=3.5,2=9"),
        ("utility.1,2", "utility.1,2: expected 4 numbers, found 2"),
        ("map.5", "map takes no parameters, found '5'"),
        ("P(rel=-1)@5", "P: rel must be a number from 0 to 10^9, not -1"),
        ("AP(judged_only=maybe)", "AP: judged_only must be True or False, not 'maybe'"),
    ],
)
def test_impossible_parameters(text: str, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("nDGC", "nDCG"),
        ("recal", "recall"),
        ("recip_rnk", "recip_rank"),
        ("all_trek", "all_trec"),
        ("nDCG10", "nDCG@10"),
        ("map10", "AP@10"),
        ("Bpref10", "Bpref"),
    ],
)
def test_unknown_measures_get_suggestions(text: str, suggestion: str) -> None:
    with pytest.raises(UnknownMeasureError) as caught:
        parse(text)
    assert "Did you mean" in str(caught.value)
    assert suggestion in str(caught.value)


@pytest.mark.parametrize("text", ["", "@10", "(rel=2)", "xyzzy"])
def test_nonsense_is_unknown(text: str) -> None:
    with pytest.raises(UnknownMeasureError):
        parse(text)


@pytest.mark.parametrize("name", [*REGISTRY, *(alias for d in REGISTRY.values() for alias in d.aliases)])
def test_every_name_is_an_attribute_in_any_case(name: str) -> None:
    if not name.isidentifier():
        return
    for spelling in {name, name.lower(), name.upper()} - {"compat", "data"}:
        assert getattr(cf, spelling).name == parse(name)[0].name


def test_aliases_are_attributes() -> None:
    assert (cf.MAP, cf.F1 @ 10, cf.measures.MAP, cf.ndcg_burges) == (
        AP,
        parse_one("F@10"),
        AP,
        nDCG(gain="exponential"),
    )


def test_names_of_parameters_in_any_case() -> None:
    assert cf.INST(t=2) == parse_one("INST(t=2)") == cf.INST(T=2)
    assert P(REL=2) @ 10 == parse_one("P(Rel=2)@10")


def test_what_is_no_name() -> None:
    with pytest.raises(ParameterError, match=r"a measure is a name such as 'nDCG@10', or a value .*; found 5$"):
        parse(5)  # type: ignore[arg-type]


def test_a_bare_value_that_needs_a_cutoff() -> None:
    with pytest.raises(ParameterError, match="P needs a cutoff, as in P@30"):
        parse(P)
