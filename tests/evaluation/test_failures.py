"""Failure analysis. Oracle: arithmetic, worked here."""

from __future__ import annotations

import io
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import CoverageError, UsageError

QRELS = {
    "q1": {"a": 1, "b": 2, "c": 1},
    "q2": {"a": 1, "b": 0, "c": 1, "d": 1},
    "q3": {"a": 2},
    "q4": {"a": 1, "b": 1},
}


def found_at(**ranks: int) -> dict[str, dict[str, float]]:
    """A run that has document a of each topic at a rank, and documents that nobody judged above it."""
    return {
        topic: {**{f"x{place}": 100.0 - place for place in range(1, rank)}, "a": 100.0 - rank}
        for topic, rank in ranks.items()
    }


RUNS = {"first": found_at(q1=1, q2=2, q3=4, q4=1), "second": found_at(q1=1, q2=4, q3=8, q4=2)}
TEXTS = {"q1": "soup", "q2": "hot soup", "q3": "soup without any vegetables", "q4": "cold soup"}


def test_the_hardest_topics() -> None:
    found = cf.failures(QRELS, RUNS, "RR")
    # 1, (1/2 + 1/4)/2, (1/4 + 1/8)/2, (1 + 1/2)/2; a quarter of four topics is one.
    assert [(one.topic, one.mean) for one in found.topics] == [("q3", 0.1875), ("q2", 0.375), ("q4", 0.75), ("q1", 1.0)]
    (hardest,) = found.hardest
    assert (hardest.topic, hardest.best, hardest.best_run, hardest.worst, hardest.worst_run) == (
        *("q3", 0.25, "first"), *(0.125, "second"),
    )  # fmt: skip
    assert hardest.spread == pytest.approx(0.125 / math.sqrt(2))


def test_where_runs_disagree() -> None:
    found = cf.failures(QRELS, RUNS, "RR").most_disagreed
    # Differences of 1/2, 1/4, 1/8 and 0: the standard deviation of two values is their difference over √2.
    assert [one.topic for one in found] == ["q4", "q2", "q3"]
    assert found[0].spread == pytest.approx(0.5 / math.sqrt(2))


def test_traits_of_hard_topics() -> None:
    found = cf.failures(QRELS, RUNS, "RR", topics=TEXTS)
    by_name = {trait.name: trait for trait in found.traits}
    assert list(by_name) == ["few relevant", "long query", "unjudged top ranks"]
    few = by_name["few relevant"]
    # R is 3, 3, 1, 2: the lowest quarter is q3 alone. Drawn blindly, one of four topics is q3 with chance 1/4.
    assert (few.meaning, few.hard_with, few.hard, few.others_with, few.others) == (
        "at most 1 relevant document",
        1,
        1,
        0,
        3,
    )
    assert (few.p, few.adjusted, few.topics) == (0.25, 0.75, ("q3",))  # Holm: 3 · 1/4
    assert by_name["long query"].meaning == "4 words or more"
    # Of q3 first shows 4 documents and second 8, one judged in each: 10 of 12 are not judged.
    assert by_name["unjudged top ranks"].meaning == "83% or more of the first 10 documents not judged"
    assert found.topics[0].unjudged == pytest.approx(10 / 12)
    assert found.topics[0].traits == ("few relevant", "long query", "unjudged top ranks")
    assert few.sentence == (
        "few relevant (at most 1 relevant document): 1 of the 1 hardest topics, 0 of the 3 others; by chance as many or "
        "more with p = .250 (p = .750 after correction)."
    )


def test_documents_that_everybody_missed() -> None:
    found = cf.failures(QRELS, RUNS, "RR", missed_below=3)
    # a of q3 is at 4 and 8; a of q2 is at 2 in the first run. The others were retrieved by none.
    assert [(one.topic, one.document, one.grade, one.best_rank, one.best_run) for one in found.missed] == [
        ("q1", "b", 2.0, None, None),
        ("q3", "a", 2.0, 4, "first"),
        ("q1", "c", 1.0, None, None),
        ("q2", "c", 1.0, None, None),
        ("q2", "d", 1.0, None, None),
        ("q4", "b", 1.0, None, None),
    ]
    assert found.relevant_documents == 9
    assert (
        found.missed_sentence
        == "None of 2 runs has 6 of 9 relevant documents in the top 3; 5 of them are retrieved nowhere."
    )
    # All of q3, 2/3 of q1 and of q2, half of q4.
    assert [(one.topic, len(one.documents), one.relevant, one.nowhere) for one in found.missed_by_topic] == [
        ("q3", 1, 1, 0), ("q1", 2, 3, 2), ("q2", 2, 3, 2), ("q4", 1, 2, 1),
    ]  # fmt: skip
    strict = cf.failures(QRELS, RUNS, "RR", missed_below=3, level=2)
    assert [one.document for one in strict.missed] == ["b", "a"]


def test_nothing_is_missed() -> None:
    found = cf.failures({"q1": {"a": 1}, "q2": {"a": 1}}, found_at(q1=1, q2=2), "RR")
    assert found.missed_sentence == "Each of 2 relevant documents is in the top 100 of the run."


def test_one_run() -> None:
    found = cf.failures(QRELS, RUNS["first"], "RR")
    assert found.runs == ("run",)
    assert found.most_disagreed == ()
    assert found.topics[0].spread is None
    assert any("one run cannot disagree with itself" in note for note in found.notes)


def test_less_is_better() -> None:
    runs = {"a": found_at(q1=1, q2=2, q3=4, q4=8)}
    # SetE is 1 - F1: of q1 (1 of 1 retrieved, 1 of 3 relevant) 1/2, of q4 (1 of 8, 1 of 2) 1 - 2/10.
    found = cf.failures(QRELS, runs, "SetE")
    assert found.topics[0].topic == "q4"
    assert found.topics[0].mean == pytest.approx(0.8)
    assert found.topics[-1].mean == pytest.approx(0.5)


def test_topics_that_are_not_looked_at() -> None:
    qrels = {**QRELS, "q5": {"a": 0}, "q6": {"a": 1}}
    found = cf.failures(qrels, RUNS, "RR")
    assert found.left_out == {"without a relevant document": ("q5",)}
    assert found.topics[0].topic == "q6"
    assert found.topics[0].lacking == 2
    assert "lacking" in found.topics[0].traits
    left = cf.failures(qrels, {**RUNS, "third": found_at(q1=1)}, "RR", profile="trec_eval-9")
    assert left.left_out["that some run lacks"] == ("q2", "q3", "q4", "q6")


def test_all_topics_alike() -> None:
    found = cf.failures({"q1": {"a": 1}, "q2": {"a": 1}}, found_at(q1=2, q2=2), "RR")
    assert found.hardest == ()
    assert found.traits == ()


def test_what_cannot_be_asked() -> None:
    with pytest.raises(UsageError, match="NumRet: no topic fails by it, because neither more nor less of it is better"):
        cf.failures(QRELS, RUNS, "NumRet")
    with pytest.raises(UsageError, match="failures are looked at by one measure, found P@5, P@10"):
        cf.failures(QRELS, RUNS, "P@5,10")
    with pytest.raises(CoverageError, match="no topic is left that has a relevant document"):
        cf.failures({"q1": {"a": 0}}, {"q1": {"a": 1.0}}, "RR")
    with pytest.raises(UsageError, match=r"the number of first documents \(--top, top=\)"):
        cf.failures(QRELS, RUNS, "RR", top=0)
    with pytest.raises(UsageError, match="not by qrels_jg"):
        cf.failures(QRELS, RUNS, "AP_avgjg", relevance="qrels_jg")


def test_files_and_streams_give_the_same(tmp_path: Path) -> None:
    cf.write_qrels(cf.Qrels.from_dict(QRELS), tmp_path / "qrels.txt")
    for name, run in RUNS.items():
        cf.write_run(cf.Run.from_dict(run), tmp_path / f"{name}.run")
    (tmp_path / "topics.tsv").write_text("".join(f"{name}\t{text}\n" for name, text in TEXTS.items()))
    files = [tmp_path / "first.run", tmp_path / "second.run"]
    expected = cf.failures(QRELS, RUNS, "RR", topics=TEXTS).to_dict()
    assert cf.failures(tmp_path / "qrels.txt", files, "RR", topics=tmp_path / "topics.tsv").to_dict() == expected
    stream = io.BytesIO((tmp_path / "first.run").read_bytes())
    with_stream = cf.failures(tmp_path / "qrels.txt", {"first": stream, "second": files[1]}, "RR", topics=TEXTS)
    assert with_stream.to_dict() == expected


@given(st.lists(st.integers(1, 12), min_size=1, max_size=12), st.integers(1, 12))
def test_what_holds_for_all_runs(ranks: list[int], missed_below: int) -> None:
    topics = {f"q{number}": rank for number, rank in enumerate(ranks)}
    found = cf.failures({topic: {"a": 1} for topic in topics}, found_at(**topics), "RR", missed_below=missed_below)
    means = [topic.mean for topic in found.topics]
    assert means == sorted(means)
    assert len(found.hardest) == 0 or len(found.hardest) >= math.ceil(len(ranks) / 4)
    assert {one.topic for one in found.missed} == {topic for topic, rank in topics.items() if rank > missed_below}
    assert all(0 <= trait.p <= trait.adjusted <= 1 for trait in found.traits)


def test_runs_that_are_tied_have_no_best() -> None:
    runs = {"first": found_at(q1=1, q2=2), "second": found_at(q1=1, q2=4), "third": found_at(q1=1, q2=2)}
    found = {one.topic: one for one in cf.failures({"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}, runs, "RR").topics}
    # All have 1 on q1 and 0 on q3; on q2 two have 1/2 and one 1/4.
    assert [(found[topic].best_run, found[topic].best_in_words) for topic in ("q1", "q2", "q3")] == [
        (None, "3 tied"), (None, "2 tied"), (None, "3 tied"),
    ]  # fmt: skip
    assert (found["q2"].worst_run, found["q2"].at_worst, found["q2"].at_best) == ("second", 1, 2)


def test_missed_documents_from_as_many_topics_as_possible() -> None:
    qrels = {"q1": {"a": 1, "b": 3, "c": 3, "d": 3}, "q2": {"a": 1, "e": 1}, "q3": {"a": 1, "f": 2, "g": 1}}
    found = cf.failures(qrels, found_at(q1=1, q2=1, q3=1), "RR")
    # Missed are 3 of 4, 2 of 3 and 1 of 2: the topics in that order, and in each the highest grade first.
    assert [(one.topic, one.document) for one in found.missed_spread(4)] == [
        ("q1", "b"), ("q1", "c"), ("q3", "f"), ("q2", "e"),
    ]  # fmt: skip
    assert [one.topic for one in found.missed_spread(3)] == ["q1", "q3", "q2"]
    assert set(found.missed_spread(99)) == set(found.missed)


def test_a_rank_that_runs_share() -> None:
    runs = {"first": found_at(q1=3), "second": found_at(q1=3), "third": found_at(q1=4)}
    (one,) = cf.failures({"q1": {"a": 1}}, runs, "RR", missed_below=2).missed
    assert (one.best_rank, one.best_run, one.at_best, one.best_in_words) == (3, None, 2, "2 tied")


def test_no_topic_in_common() -> None:
    with pytest.raises(CoverageError, match=r"first and second have no judged topic in common.*first has 1 \(q1\)"):
        cf.failures(QRELS, {"first": found_at(q1=1), "second": found_at(q2=1)}, "RR", profile="trec_eval-9")
