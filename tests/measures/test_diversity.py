"""Measures of diversity: against ndeval, against definitions written out, and by hand."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import pyndeval
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.subtopics import SubtopicRankings
from cranfield.measures import REGISTRY, Measure, parse_one

NDEVAL = {
    "ERR_IA": "ERR-IA",
    "nERR_IA": "nERR-IA",
    "alpha_DCG": "alpha-DCG",
    "alpha_nDCG": "alpha-nDCG",
    "P_IA": "P-IA",
    "StRecall": "strec",
    "NRBP": "NRBP",
    "nNRBP": "nNRBP",
    "AP_IA": "MAP-IA",
}
"""Our names of what ndeval computes, and its own."""
MEASURES = [
    Measure(name) @ definition.defaults_at[0] if definition.at_needed else Measure(name)
    for name, definition in REGISTRY.items()
    if definition.needs == "subtopics"
]
BY_GREEDY_IDEAL = ("alpha_nDCG", "nERR_IA", "nNRBP")


# Random tasks

Document = Mapping[str, int] | None
"""A judged document is a grade for each of some subtopics; None is an unjudged one."""

SUBTOPICS = "abcde"
_grades = st.sampled_from([None, None, None, 1, 1, 2, 0, -1])
_judged = st.tuples(*[_grades] * len(SUBTOPICS)).map(
    lambda grades: {s: grade for s, grade in zip(SUBTOPICS, grades, strict=True) if grade is not None}
)
rankings = st.lists(st.one_of(_judged, _judged, st.none()), max_size=12)
missed = st.lists(_judged, max_size=5)


class Task(NamedTuple):
    """Judgments (query, subtopic, document, grade) and a run (query, document, score), documents best first."""

    judgments: list[tuple[str, str, str, int]]
    run: list[tuple[str, str, float]]


def task(queries: Sequence[tuple[Sequence[Document], Sequence[Document]]]) -> Task:
    """A task of queries given by the documents retrieved, best first, and those missed; and a query with two subtopics.

    That one makes sure that there are subtopics to speak of, and a query that is both judged and in the run.
    """
    judgments, run = [("two", "x", "d", 1), ("two", "y", "d", 1)], [("two", "d", 1.0)]
    for number, (retrieved, unretrieved) in enumerate(queries):
        query = f"q{number}"
        for place, document in enumerate([*retrieved, *unretrieved]):
            name = f"d{(7 * place) % 31:02}"  # neither in the order of ranks nor against it
            for subtopic, grade in (document or {}).items():
                judgments.append((query, subtopic, name, grade))
            if place < len(retrieved):
                run.append((query, name, -float(place)))
    return Task(judgments, run)


tasks = st.lists(st.tuples(rankings, missed), min_size=1, max_size=3).map(task)


def value_of(measure: str | Measure, ranking: Sequence[Any], unretrieved: Sequence[Any] = ()) -> float:
    """One value, not rounded."""
    data = SubtopicRankings.from_subtopics(ranking, unretrieved=unretrieved)
    return float(parse_one(measure).compute(data)[0])


# ndeval


@pytest.mark.real_data
def test_the_example_of_ndeval(real_data: Path) -> None:
    folder = real_data / "ndeval_example"
    expected = dict(line.split("\t") for line in (folder / "expected.tsv").read_text().splitlines())
    assert len(expected) == 21
    scores = cf.evaluate(folder / "qrels.txt", folder / "run.txt", list(expected)).mean
    for name, value in expected.items():
        assert scores[name] == pytest.approx(float(value), abs=1e-4), name  # strec is cut after four places there


def pairs(alpha: float, beta: float, rel: int) -> dict[str, str]:
    """Our measures with these parameters, and ndeval's names; it has no cutoff above 20."""
    found = {}
    for ours, theirs in NDEVAL.items():
        known = REGISTRY[ours].parameters
        given = {name: value for name, value in (("alpha", alpha), ("beta", beta), ("rel", rel)) if name in known}
        measure = Measure(ours)(**given)
        if theirs in pyndeval.NOCUTOFF_MEASURES:
            found[str(measure)] = theirs
        else:
            found |= {str(measure @ cutoff): f"{theirs}@{cutoff}" for cutoff in (2, 5, 20)}
    return found


def pyndeval_scores(
    task: Task, names: Sequence[str], alpha: float, beta: float, rel: int
) -> dict[str, dict[str, float]]:
    evaluator = pyndeval.RelevanceEvaluator(task.judgments, names, relevance_level=rel, alpha=alpha, beta=beta)
    scores: dict[str, dict[str, float]] = evaluator.evaluate(task.run)
    return scores


@settings(max_examples=60)
@given(
    task=tasks,
    alpha=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
    beta=st.sampled_from([0.25, 0.5, 0.8]),
    rel=st.integers(1, 2),
)
def test_pyndeval_agrees(task: Task, alpha: float, beta: float, rel: int) -> None:
    # pyndeval 0.0.8. These alphas make sums of gains exact: with others it may take equal gains for different ones,
    # and the ideal ranking depends on the order of the subtopics.
    names = pairs(alpha, beta, rel)
    theirs = pyndeval_scores(task, list(names.values()), alpha, beta, rel)
    ours = cf.evaluate(task.judgments, task.run, list(names)).per_query
    for query, scores in theirs.items():
        for measure, name in names.items():
            nothing_relevant = math.isnan(scores[name])  # nNRBP is then 0/0
            assert ours[query][measure] == pytest.approx(0.0 if nothing_relevant else scores[name], abs=1e-9), name


@settings(max_examples=30)
@given(task=tasks, alpha=st.floats(0.0, 1.0), beta=st.floats(0.0, 0.99))
def test_pyndeval_agrees_for_any_alpha_where_there_is_no_ideal(task: Task, alpha: float, beta: float) -> None:
    names = {ours: theirs for ours, theirs in pairs(alpha, beta, 1).items() if not ours.startswith(BY_GREEDY_IDEAL)}
    theirs = pyndeval_scores(task, list(names.values()), alpha, beta, 1)
    ours = cf.evaluate(task.judgments, task.run, list(names)).per_query
    for query, scores in theirs.items():
        assert list(ours[query].values()) == pytest.approx(list(scores.values()), abs=1e-9)


def test_at_rank_one_we_normalise_where_ndeval_forgets_to() -> None:
    # Three subtopics, two of them at rank 1: 2 of at most 3.
    judgments = [("q", "a", "d1", 1), ("q", "b", "d1", 1), ("q", "c", "d2", 1)]
    run = [("q", "d1", 1.0)]
    theirs = pyndeval.RelevanceEvaluator(judgments, ["ERR-IA@1", "alpha-DCG@1", "alpha-nDCG@1"]).evaluate(run)["q"]
    assert theirs == {"ERR-IA@1": 2.0, "alpha-DCG@1": 2.0, "alpha-nDCG@1": 1.0}
    ours = cf.evaluate(judgments, run, list(theirs)).mean
    assert list(ours.values()) == pytest.approx([2 / 3, 2 / 3, 1.0])


@pytest.mark.real_data
def test_ir_measures_agrees_on_the_web_track(real_data: Path) -> None:
    # ir_measures 0.4.3 (pyndeval), a run of judged and unjudged documents in random order.
    qrels = real_data / "web09_diversity" / "qrels.diversity"
    judged: dict[str, dict[str, None]] = {}
    for line in qrels.read_text().splitlines():
        query, _, document, _ = line.split()
        judged.setdefault(query, {})[document] = None
    rng = random.Random(9)
    run = []
    for query, documents in judged.items():
        chosen = rng.sample(list(documents), min(60, len(documents))) + [f"unjudged-{i}" for i in range(20)]
        rng.shuffle(chosen)
        run += [(query, document, 100.0 - rank) for rank, document in enumerate(chosen)]
    measures = [
        "ERR_IA@20",
        "nERR_IA@20",
        "alpha_DCG@10",
        "alpha_nDCG@20",
        "NRBP",
        "nNRBP",
        "AP_IA",
        "P_IA@10",
        "StRecall@5",
    ]
    ours = cf.evaluate(qrels, run, measures)
    scored = [ir_measures.ScoredDoc(*row) for row in run]
    wanted = [ir_measures.parse_measure(name) for name in measures]
    theirs = ir_measures.calc(wanted, ir_measures.read_trec_qrels(str(qrels)), scored)
    assert len(judged) == 50
    for metric in theirs[1]:
        expected = 0.0 if math.isnan(metric.value) else metric.value
        assert ours.per_query[metric.query_id][str(metric.measure)] == pytest.approx(expected, abs=1e-9)


# By hand


def test_a_ranking_of_eight_documents_by_hand() -> None:
    # Gains 2, 1/2, 1/4, 0, 2, 1/2, 1, 1/4; in the best order 2, 2, 1, 1/2, 1/2, 1/4, 1/4.
    ranking = ["xy", "x", "x", "", "zw", "z", "v", "z"]
    dcg = 2 + 1 / 2 / math.log2(3) + 1 / 4 / 2 + 2 / math.log2(6) + 1 / 2 / math.log2(7) + 1 / 3
    ideal = (
        2 + 2 / math.log2(3) + 1 / 2 + 1 / 2 / math.log2(5) + 1 / 2 / math.log2(6) + 1 / 4 / math.log2(7) + 1 / 4 / 3
    )
    assert value_of("alpha_DCG(normalize=False)@7", ranking) == pytest.approx(dcg)
    assert value_of("alpha_nDCG@7", ranking) == pytest.approx(dcg / ideal)
    # Five subtopics, normalised by 5 · (1 + 1/2 · 1/2 + 1/4 · 1/3) at rank 3.
    assert value_of("ERR_IA@3", ranking) == pytest.approx((2 + 1 / 2 / 2 + 1 / 4 / 3) / (5 * (1 + 1 / 4 + 1 / 12)))
    assert value_of("StRecall@4", ranking) == pytest.approx(2 / 5)
    assert value_of("P_IA@4", ranking) == pytest.approx(4 / (5 * 4))
    assert value_of("NRBP", ranking[:2]) == pytest.approx((1 - 0.25) / 2 * (2 + 0.5 * 0.5))
    # x: (1 + 1 + 1)/3, y: 1, z: (1/5 + 2/6 + 3/8)/3, w: 1/5, v: 1/7
    ap = (1 + 1 + (1 / 5 + 2 / 6 + 3 / 8) / 3 + 1 / 5 + 1 / 7) / 5
    assert value_of("AP_IA", ranking) == pytest.approx(ap)
    assert value_of("AP_IA@4", ranking) == pytest.approx(2 / 5)


def test_without_a_cutoff_the_whole_list_counts() -> None:
    ranking, unretrieved = ["a", "b", None], ["ab"]
    gained, at_most = 1 + 1 / math.log2(3), 2 * (1 + 1 / 2 / math.log2(3) + 1 / 4 / 2)  # three ranks
    assert value_of("alpha_DCG", ranking, unretrieved) == pytest.approx(gained / at_most)
    assert value_of("alpha_nDCG", ranking, unretrieved) == pytest.approx(
        gained / (2 + 1 / 2 / math.log2(3) + 1 / 2 / 2)
    )
    assert value_of("ERR_IA", ranking, unretrieved) == pytest.approx((1 + 1 / 2) / (2 * (1 + 1 / 2 / 2 + 1 / 4 / 3)))


def test_unjudged_documents_can_be_left_out() -> None:
    # Judged for some subtopic is judged; -1 is not.
    assert value_of("StRecall(judged_only=True)@2", [None, {"a": -1}, {"a": 0}, {"b": 1}]) == 1.0
    assert value_of("StRecall(judged_only=True)@1", [None, {"a": -1, "b": 1}]) == 1.0


def test_a_run_may_beat_the_greedy_ideal() -> None:
    # ab, ac and bd gain 2 each; "z" is the last identifier, so ab comes first: 2, 1.5, 1.5. Better: ac, bd, ab: 2, 2, 1.
    judgments = [
        ("q", subtopic, name, 1) for name, both in (("z", "ab"), ("y", "ac"), ("x", "bd")) for subtopic in both
    ]
    run = [("q", "y", 3.0), ("q", "x", 2.0), ("q", "z", 1.0)]
    greedy = 2 + 1.5 / math.log2(3) + 1.5 / 2
    assert cf.evaluate(judgments, run, "alpha_nDCG").mean["alpha_nDCG"] == pytest.approx(
        (2 + 2 / math.log2(3) + 1 / 2) / greedy
    )


def test_more_subtopics_than_bits_in_a_word() -> None:
    # 70 documents, each relevant to a subtopic of its own: every order is ideal.
    ranking = [{f"s{number}": 1} for number in range(70)]
    assert value_of("alpha_nDCG", ranking) == pytest.approx(1.0)
    assert value_of("StRecall@7", ranking) == pytest.approx(7 / 70)


# Definitions written out


def grades_by_subtopic(documents: Sequence[Document]) -> set[str]:
    return {subtopic for document in documents for subtopic, grade in (document or {}).items() if grade > 0}


def global_gain(document: Document, probability: Mapping[str, float]) -> float:
    return sum(probability.get(subtopic, 0.0) * max(grade, 0) for subtopic, grade in (document or {}).items())


def d_ndcg(
    ranking: Sequence[Document], every: Sequence[Document], probability: Mapping[str, float], cutoff: int
) -> float:
    """D-nDCG as Sakai and Song define it."""
    gains = [global_gain(document, probability) for document in ranking[:cutoff]]
    ideal = sorted((global_gain(document, probability) for document in every), reverse=True)[:cutoff]
    best = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(ideal, 1))
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1)) / best if best else 0.0


@settings(max_examples=50)
@given(
    ranking=rankings,
    unretrieved=missed,
    odds=st.lists(st.integers(1, 9), min_size=5, max_size=5),
    cutoff=st.integers(1, 8),
)
@example([{"a": 2}, {"b": 1}], [{"a": 1, "b": 1}], [7, 3, 1, 1, 1], 2)
def test_d_measures_follow_their_definition(
    ranking: list[Document], unretrieved: list[Document], odds: list[int], cutoff: int
) -> None:
    every = [*ranking, *unretrieved]
    intents = grades_by_subtopic(every)
    probability = {subtopic: float(odd) for subtopic, odd in zip(SUBTOPICS, odds, strict=True)}
    recall = len(grades_by_subtopic(ranking[:cutoff])) / len(intents) if intents else 0.0
    data = SubtopicRankings.from_subtopics(ranking, unretrieved=unretrieved, intents=probability)
    expected = d_ndcg(ranking, every, probability, cutoff)
    (d,) = (cf.D_nDCG @ cutoff).compute(data)
    (sharp,) = (cf.Dsharp_nDCG(gamma=0.25) @ cutoff).compute(data)
    assert d == pytest.approx(expected, abs=1e-12)
    assert sharp == pytest.approx(0.25 * recall + 0.75 * expected, abs=1e-12)


def test_gains_of_d_measures() -> None:
    # 2^2 − 1 = 3 and 2^1 − 1 = 1; then 5 and 1: (1 + 3/1.585)/(3 + 1/1.585), (1 + 5/1.585)/(5 + 1/1.585)
    ranking = [{"a": 1}, {"b": 2}]
    assert value_of("D_nDCG(gain=exponential)", ranking) == pytest.approx(
        (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    )
    assert value_of("D_nDCG(gains=2:5)", ranking) == pytest.approx((1 + 5 / math.log2(3)) / (5 + 1 / math.log2(3)))


def by_intent(
    measure: Callable[[list[bool], int], float],
    ranking: Sequence[Document],
    every: Sequence[Document],
    probability: Mapping[str, float],
) -> float:
    """A measure for each intent alone, weighted by the probabilities of the intents that have a relevant document."""
    intents = sorted(grades_by_subtopic(every))
    total = sum(probability[intent] for intent in intents)
    value = 0.0
    for intent in intents:
        hits = [(document or {}).get(intent, 0) > 0 for document in ranking]
        size = sum((document or {}).get(intent, 0) > 0 for document in every)
        value += probability[intent] / total * measure(hits, size)
    return value


def average_precision(hits: list[bool], size: int) -> float:
    return sum(sum(hits[:rank]) / rank for rank, hit in enumerate(hits, 1) if hit) / size


def precision_at_3(hits: list[bool], size: int) -> float:
    return sum(hits[:3]) / 3


def expected_reciprocal_rank(hits: list[bool], size: int) -> float:
    value, unsatisfied = 0.0, 1.0
    for rank, hit in enumerate(hits, 1):
        if hit:
            value += unsatisfied * 0.5 / rank
            unsatisfied *= 0.5
    return value


@settings(max_examples=50)
@given(ranking=rankings, unretrieved=missed, odds=st.lists(st.integers(1, 9), min_size=5, max_size=5))
def test_intent_aware_measures_weight_intents_by_their_probability(
    ranking: list[Document], unretrieved: list[Document], odds: list[int]
) -> None:
    # Agrawal et al. 2009: the sum over intents of their probability times the measure by that intent alone.
    probability = {subtopic: float(odd) for subtopic, odd in zip(SUBTOPICS, odds, strict=True)}
    data = SubtopicRankings.from_subtopics(ranking, unretrieved=unretrieved, intents=probability)
    every = [*ranking, *unretrieved]
    for measure, definition in (
        (cf.AP_IA, average_precision),
        (cf.P_IA @ 3, precision_at_3),
        (cf.ERR_IA(normalize=False), expected_reciprocal_rank),
    ):
        (value,) = measure.compute(data)
        assert value == pytest.approx(by_intent(definition, ranking, every, probability), abs=1e-12), measure


# What holds for every input, beside what test_every_measure.py has


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_where_nothing_is_judged_nothing_is_scored(measure: Measure) -> None:
    assert value_of(measure, [None, None]) == 0.0
    assert value_of(measure, []) == 0.0


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@settings(max_examples=15)
@given(whole=tasks, order=st.permutations(SUBTOPICS))
def test_names_of_subtopics_do_not_matter(measure: Measure, whole: Task, order: list[str]) -> None:
    renamed = dict(zip(SUBTOPICS, order, strict=True))
    judgments = [(query, renamed.get(subtopic, subtopic), *rest) for query, subtopic, *rest in whole.judgments]
    before = cf.evaluate(whole.judgments, whole.run, measure)[measure]
    assert cf.evaluate(judgments, whole.run, measure)[measure] == pytest.approx(before, abs=1e-12)


def greedy(documents: Sequence[Document]) -> Sequence[Document]:
    """The documents, at each rank the first of those that gain most with alpha 0.5."""
    left, ranking, seen = [d for d in documents if d is not None], [], dict.fromkeys(SUBTOPICS, 0)
    while left:
        best = max(left, key=lambda d: sum(0.5 ** seen[t] for t, grade in d.items() if grade > 0))
        left.remove(best)
        ranking.append(best)
        for subtopic, grade in best.items():
            seen[subtopic] += grade > 0
    return ranking


@settings(max_examples=40)
@given(documents=rankings)
def test_the_greedy_ranking_scores_one(documents: list[Document]) -> None:
    if not grades_by_subtopic(documents):
        return
    ranking = greedy(documents)
    for name in BY_GREEDY_IDEAL:
        assert value_of(name, ranking) == pytest.approx(1.0)
        if name != "nNRBP":
            assert value_of(f"{name}@3", ranking) == pytest.approx(1.0)
