"""What the page says is what `cranfield agreement` says of the judgments that are exported."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from django.test import Client
from django.urls import reverse

from cranfield.cli.main import cli
from cranfield.web.projects.models import Project
from tests.web.review.making import add_gold, judged, make_people

GRADES: dict[str, list[float | None]] = {
    "ann": [2, 1, 0, 0, 1, 2, 0, 1],
    "bob": [2, 0, 0, 0, 1, 1, 0, 2],
    "cem": [1, 1, 0, 1, None, 2, 0, 1],
}


def page(client: Client, project: Project, **asked: str) -> tuple[Any, str]:
    response = client.get(reverse("review-agreement", args=[project.pk]), asked)
    assert response.status_code == 200
    return response.context, response.content.decode()


@pytest.fixture
def judged_project(project: Project) -> Project:
    """Three people on eight documents; besides, what does not count: gold, a repeat, an answer that came late."""
    people = make_people(project, ann="expert", bob="expert", cem="user")
    items = list(project.items.all())
    for user, grades in zip(people, GRADES.values(), strict=True):
        events = [judged(item, user, grade) for item, grade in zip(items, grades, strict=True)]
        judged(items[-1], user, 0, repeat_of=events[-1].slot)
    for gold in add_gold(project, 2):
        judged(gold, people[0], 0)
    judged(items[4], people[2], 2, slot=None)
    return project


def command_line(client: Client, project: Project, folder: Path, *options: str) -> dict[str, Any]:
    """What `cranfield agreement` says of the file that is exported."""
    download = client.get(reverse("exchange-download", args=[project.pk]), {"what": "qrels_jg"})
    file = folder / "qrels_jg"
    file.write_bytes(b"".join(download.streaming_content))  # type: ignore[attr-defined]
    done = CliRunner().invoke(cli, ["agreement", str(file), "--format", "json", "--by-topic", "--by-pair", *options])
    assert done.exit_code == 0, done.output
    content: dict[str, Any] = json.loads(done.output)
    return content


def rows_of(context: Any, name: str) -> dict[str, Any]:
    return {row["name"]: row for row in context[name]}


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ({}, ()),
        ({"level": "ordinal", "weights": "quadratic"}, ("--level", "ordinal", "--weights", "quadratic")),
        ({"level": "interval", "weights": "linear"}, ("--level", "interval", "--weights", "linear")),
    ],
)
def test_the_page_has_the_numbers_of_the_command_line(
    asked: dict[str, str], options: tuple[str, ...], manager: Client, judged_project: Project, tmp_path: Path
) -> None:
    context, text = page(manager, judged_project, **asked)
    said = command_line(manager, judged_project, tmp_path, *options)
    shown = {row["name"].casefold(): row for row in context["rows"]}
    assert len(shown) == len(said["coefficients"])
    for one in said["coefficients"].values():
        row = shown[one["coefficient"].casefold()]
        assert row["value"] == one["value"]
        assert (row["lower"], row["upper"]) == (one["interval"]["lower"], one["interval"]["upper"])
        assert f"{one['value']:.4f}" in text
        assert f"{one['interval']['lower']:.4f} to {one['interval']['upper']:.4f}" in text
    topics = rows_of(context, "topics")
    for topic, coefficients in said["by_topic"].items():
        assert topics[topic]["value"] == coefficients["krippendorff_alpha"]["value"]
        assert topics[topic]["kappa"] == coefficients["fleiss_kappa"]["value"]
        assert topics[topic]["lower"] <= topics[topic]["value"] <= topics[topic]["upper"]
    pairs = {(row["pair"].first, row["pair"].second): row["value"] for row in context["pairs"]}
    assert pairs == {(one["first"], one["second"]): one["value"] for one in said["by_pair"]}


def test_the_command_that_is_named_is_the_one_that_says_the_same(manager: Client, judged_project: Project) -> None:
    _, text = page(manager, judged_project, level="ordinal", weights="linear")
    assert "<code>cranfield agreement qrels_jg --level ordinal --weights linear --by-topic --by-pair</code>" in text


def test_two_classes(manager: Client, judged_project: Project) -> None:
    """At 2 or better, ann and bob agree on six of eight documents: both say yes to one, ann alone to one, bob alone to
    one. P(A) = 6/8, P(E) = 2/8 · 2/8 + 6/8 · 6/8 = 40/64, kappa = (48 - 40) / (64 - 40) = 1/3."""
    context, text = page(manager, judged_project, view="2", first="p-ann", second="p-bob")
    chosen = context["chosen"]
    assert chosen["table"] == [
        ("0", [{"times": 5, "same": True}, {"times": 1, "same": False}]),
        ("1", [{"times": 1, "same": False}, {"times": 1, "same": True}]),
    ]
    kappa = next(row for row in chosen["rows"] if row["name"] == "Cohen's kappa")
    assert kappa["value"] == pytest.approx(1 / 3)
    assert "cranfield agreement" not in text, "the command compares grades"


def test_groups(manager: Client, judged_project: Project) -> None:
    context, text = page(manager, judged_project)
    assert set(rows_of(context, "within")) == {"expert", "user"}
    assert rows_of(context, "within")["user"]["why_not"] == "there is only one judge"
    between = rows_of(context, "between")["expert and user"]
    # The lower of the two experts' grades, 2 0 0 0 1 1 0 1, beside the user's 1 1 0 1 - 2 0 1: three of seven agree.
    # P(E) = (4 · 2 + 2 · 4 + 1 · 1) / 49 = 17/49, kappa = (21 - 17) / (49 - 17).
    assert between["value"] == pytest.approx(4 / 32)
    assert "Agreement in and between groups" in text


def test_names_of_users_do_nothing(manager: Client, judged_project: Project) -> None:
    judged_project.memberships.filter(user__username="ann").update(
        pseudonym="<script>alert(1)</script>", group='"><svg onload=x>'
    )
    _, text = page(manager, judged_project)
    assert "<script>alert" not in text
    assert "<svg onload" not in text
    assert "&lt;script&gt;" in text


class TestNothingToCompare:
    def test_nobody_has_judged(self, manager: Client, project: Project) -> None:
        assert "Nobody has graded a document" in page(manager, project)[1]
        assert "Nobody has graded a document" in page(manager, project, view="2")[1]

    def test_one_assessor(self, manager: Client, project: Project) -> None:
        (ann,) = make_people(project, ann="")
        judged(project.items.all()[0], ann, 1)
        assert "All grades are by one assessor, p-ann" in page(manager, project)[1]

    def test_no_document_of_two(self, manager: Client, project: Project) -> None:
        for item, user in zip(project.items.all(), make_people(project, ann="", bob=""), strict=False):
            judged(item, user, 1)
        _, text = page(manager, project)
        assert "No item has labels of two judges. Let more than one assessor judge a document" in text

    def test_all_say_the_same(self, manager: Client, project: Project) -> None:
        people = make_people(project, ann="", bob="")
        for item in project.items.all():
            for user in people:
                judged(item, user, 0)
        context, text = page(manager, project)
        assert "All labels are the same, so that chance alone explains the agreement" in text
        assert next(row for row in context["rows"] if row["name"] == "Percent agreement")["value"] == 1

    def test_two_who_have_nothing_in_common(self, manager: Client, project: Project) -> None:
        ann, bob, cem = make_people(project, ann="", bob="", cem="")
        first, second = project.items.all()[:2]
        for item, user in ((first, ann), (first, bob), (second, bob), (second, cem)):
            judged(item, user, 1 if user == ann else 0)
        assert "They have no document in common" in page(manager, project, first="p-ann", second="p-cem")[1]


def test_preferences_between_two_documents(manager: Client, project: Project) -> None:
    project.mode = Project.Mode.PAIRS
    project.save()
    items = list(project.items.all())
    for item, other in pairwise(items[:5]):
        item.other = other.document
        item.save()
    for user, said in zip(make_people(project, ann="", bob=""), ("lrlr", "lrll"), strict=True):
        for item, side in zip(items[:4], said, strict=True):
            judged(item, user, action="grade", preferred="left" if side == "l" else "right")
    context, text = page(manager, project)
    assert "8 preferences by 2 assessors" in text
    # P(A) = 3/4; ann says left half the time, bob in three of four: P(E) = 1/2 · 3/4 + 1/2 · 1/4 = 1/2.
    kappa = next(row for row in context["rows"] if row["name"] == "Cohen's kappa")
    assert kappa["value"] == pytest.approx(0.5)
    assert [one.triads for one in context["consistency"]] == [0, 0], "each document was compared with the next alone"


def test_preferences_that_go_round_in_a_circle(manager: Client, project: Project) -> None:
    """The first document before the second, the second before the third, the third before the first."""
    project.mode = Project.Mode.PAIRS
    project.save()
    (ann,) = make_people(project, ann="")
    items = list(project.items.all()[:3])
    documents = [item.document for item in items]
    for item, document, other in zip(items, documents, (*documents[1:], documents[0]), strict=True):
        item.document, item.other = document, other
        item.save()
        judged(item, ann, action="grade", preferred="left")
    context, text = page(manager, project)
    (one,) = context["consistency"]
    assert (one.triads, one.circular, one.zeta) == (1, 1, 0)
    assert "All grades are by one assessor" not in text


def test_of_many_topics_the_lowest_are_drawn(
    manager: Client, judged_project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cranfield.web.review.agreement.MOST_DOTS", 1)
    context, text = page(manager, judged_project)
    assert len(context["topics"]) == 2
    assert context["topic_chart"].count("<circle") == 1
    assert "1 more is in the table" in text
