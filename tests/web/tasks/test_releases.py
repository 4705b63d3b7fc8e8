"""Scores: what they are, who sees them when, and that they stay as they were."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import pytrec_eval

from cranfield.web.judging.judgments import judgments
from cranfield.web.judging.models import Decision
from cranfield.web.named_bytes import NamedBytes
from cranfield.web.tasks.material import hidden_qrels, kept_qrels
from cranfield.web.tasks.models import Release, Task
from tests.web.tasks.making import BAD, GOOD, GRADES, Contest, judge_all, qrels_text, run_text

GRADED = {topic: {name: grade for name, grade in GRADES.items() if name.startswith(topic)} for topic in ("q1", "q2")}


def page(contest: Contest, who: str, release: Release) -> str:
    response = contest.client(getattr(contest, who)).get(contest.address("task-release", release=release.pk))
    assert response.status_code == 200
    return re.sub(r'csrfmiddlewaretoken" value="\w+"', "", response.content.decode())


@pytest.fixture
def scored(contest: Contest) -> Contest:
    """Ann's good run and Bob's bad one, and judgments."""
    contest.hand_in(contest.ann, GOOD, "good")
    contest.hand_in(contest.bob, BAD, "bad")
    judge_all(contest)
    return contest


def test_scores_are_those_of_trec_eval(scored: Contest) -> None:
    """Oracle: pytrec_eval 0.5 (trec_eval 9) on the same runs and grades, topics that a run lacks counted as 0."""
    scored.hand_in(scored.ann, {"q1": GOOD["q1"]}, "half")
    release = scored.release(measures="AP RR P@5", per_topic=True)
    oracle = pytrec_eval.RelevanceEvaluator(GRADED, {"map", "recip_rank", "P_5"})
    rankings = {"good": GOOD, "bad": BAD, "half": {"q1": GOOD["q1"]}}
    for run in release.scores["runs"]:
        ranking = rankings[run["name"]]
        expected = oracle.evaluate({t: {d: float(-i) for i, d in enumerate(ds)} for t, ds in ranking.items()})
        for ours, theirs in (("AP", "map"), ("RR", "recip_rank"), ("P@5", "P_5")):
            per_topic = {topic: expected.get(topic, {}).get(theirs, 0.0) for topic in GRADED}
            assert run["means"][ours] == pytest.approx(sum(per_topic.values()) / 2)
            assert {t: values[ours] for t, values in run["per_topic"].items()} == pytest.approx(per_topic)
    assert [run["missing"] for run in release.scores["runs"]] == [0, 0, 1]


def test_scores_are_those_of_the_command_line_on_the_exported_judgments(scored: Contest, tmp_path: Path) -> None:
    from cranfield.formats import write_qrels

    release = scored.release(measures="nDCG@10 AP")
    write_qrels(judgments(scored.project), tmp_path / "qrels")
    (tmp_path / "good.run").write_bytes(run_text(GOOD, "good"))
    command = ["evaluate", "qrels", "good.run", "-m", "nDCG@10", "-m", "AP", "--format", "json"]
    told = subprocess.run(
        [sys.executable, "-m", "cranfield", *command], cwd=tmp_path, capture_output=True, check=True, text=True
    )
    good = next(run for run in release.scores["runs"] if run["name"] == "good")
    assert good["means"] == json.loads(told.stdout)["runs"][0]["mean"]


def test_judgments_from_elsewhere_count_instead_of_those_of_the_project(scored: Contest) -> None:
    turned = {name: 2 - grade for name, grade in GRADES.items()}
    Task.objects.update(qrels=kept_qrels(scored.task, NamedBytes(qrels_text(turned) + b"q9 0 x 1\n", "qrels")))
    qrels = hidden_qrels(Task.objects.get())
    assert qrels["q1"] == {name: turned[name] for name in GRADED["q1"]}
    assert qrels.queries == ("q1", "q2")
    release = scored.release(measures="RR(rel=2)")
    # q1: turned grades of BAD are 2, 2, 0: RR 1; of GOOD 0, 1, 2: RR 1/3. q2: BAD 2: RR 1; GOOD 0, 1, 2: RR 1/3
    means = {run["name"]: next(iter(run["means"].values())) for run in release.scores["runs"]}
    assert means == pytest.approx({"bad": 1.0, "good": 1 / 3})


def test_who_sees_their_own_runs_learns_nothing_of_others(scored: Contest) -> None:
    alone = scored.release(audience="own")
    seen = page(scored, "ann", alone)
    assert "good" in seen
    assert "bad" not in seen
    assert "p-bob" not in seen
    assert "Which differences count" not in seen
    # Bob's run is no part of what Ann sees: without it, she sees the same.
    Release.objects.filter(pk=alone.pk).update(
        scores={**alone.scores, "runs": [r for r in alone.scores["runs"] if r["name"] == "good"], "together": {}}
    )
    assert page(scored, "ann", alone) == seen


def test_who_sees_all_runs_sees_them_in_order_and_is_told_what_counts(scored: Contest) -> None:
    release = scored.release(audience="all")
    for who in ("ann", "bob", "organiser"):
        seen = page(scored, who, release)
        assert seen.index("<td>good</td>") < seen.index("<td>bad</td>")
        assert "Which differences count" in seen
        assert "p-ann" in seen
        assert "Topic by topic" not in seen
        assert (release.qrels_sha256[:12] in seen) == (who == "organiser")


def test_topics_are_shown_only_if_they_are_released(scored: Contest) -> None:
    assert "per_topic" not in json.dumps(scored.release(audience="all").scores)
    release = scored.release(audience="all", per_topic=True)
    assert "Topic by topic" in page(scored, "ann", release)


def test_nothing_is_seen_before_it_is_shown_or_after_it_is_withdrawn(scored: Contest) -> None:
    organiser, ann = scored.client(scored.organiser), scored.client(scored.ann)
    organiser.post(scored.address("task-release-new"), {"measures": "AP", "audience": "all"})
    release = Release.objects.get()
    address = scored.address("task-release", release=release.pk)

    def seen() -> bool:
        assert organiser.get(address).status_code == 200
        listed = address in ann.get(scored.address("task")).content.decode()
        assert ann.get(address).status_code == (200 if listed else 404)
        return listed

    assert not seen()
    organiser.post(scored.address("task-release-show", release=release.pk))
    assert seen()
    organiser.post(scored.address("task-release-withdraw", release=release.pk))
    assert not seen()
    organiser.post(scored.address("task-release-show", release=release.pk))
    assert not seen(), "withdrawn is withdrawn"


def test_scores_do_not_move(scored: Contest) -> None:
    release = scored.release(audience="all", per_topic=True)
    seen = page(scored, "bob", release)
    for item in scored.project.items.all():
        Decision.objects.create(item=item, decided_by=scored.organiser, grade=2, reason="all of it", events=[])
    scored.hand_in(scored.bob, {"q1": ["q1-d00003"]}, "new")
    assert page(scored, "bob", release) == seen
    later = scored.release(audience="all", per_topic=True)
    assert later.qrels_sha256 != release.qrels_sha256
    assert len(later.scores["runs"]) == 3


def test_scores_of_a_run_that_was_withdrawn_meanwhile_are_not_shown(scored: Contest) -> None:
    organiser = scored.client(scored.organiser)
    organiser.post(scored.address("task-release-new"), {"measures": "AP", "audience": "all"})
    release = Release.objects.get()
    submission = scored.project.submissions.get(name="bad")
    scored.client(scored.bob).post(scored.address("task-withdraw", submission=submission.pk))
    told = organiser.post(scored.address("task-release-show", release=release.pk), follow=True).content.decode()
    assert "withdrawn since these scores were computed" in told
    release.refresh_from_db()
    assert release.shown_at is None


@pytest.mark.parametrize(
    ("measures", "words"),
    [
        ("nDGC@10", "unknown measure"),
        ("num_rel", "follows from the judgments alone"),
        ("num_ret", "neither more nor less of it is better"),
        ("", "required"),
    ],
)
def test_impossible_measures_are_refused(scored: Contest, measures: str, words: str) -> None:
    response = scored.client(scored.organiser).post(
        scored.address("task-release-new"), {"measures": measures, "audience": "all"}
    )
    assert response.status_code == 400
    assert words in response.content.decode()
    assert not Release.objects.exists()


def test_without_judgments_or_runs_nothing_is_scored(contest: Contest) -> None:
    organiser, data = contest.client(contest.organiser), {"measures": "AP", "audience": "all"}
    without_runs = organiser.post(contest.address("task-release-new"), data)
    contest.hand_in(contest.ann, GOOD, "good")
    without_judgments = organiser.post(contest.address("task-release-new"), data)
    assert (without_runs.status_code, without_judgments.status_code) == (400, 400)
    assert "there are no judgments yet" in without_judgments.content.decode()


def test_one_run_alone_is_not_compared(contest: Contest) -> None:
    contest.hand_in(contest.ann, GOOD, "good")
    judge_all(contest)
    release = contest.release(audience="all")
    assert release.scores["together"] == {"nDCG@10": None, "AP": None}
    assert "Which differences count" not in page(contest, "ann", release)
