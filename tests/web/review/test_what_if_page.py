from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from cranfield.web.judging.models import Decision
from cranfield.web.projects.models import Project
from tests.web.review.making import empty_project, judged, make_people

RANKINGS = {"a": "123", "b": "213", "c": "321"}


@pytest.fixture
def project(db: None) -> Project:
    """Ann finds the first of three documents relevant, bob the last one."""
    project = empty_project(topics=1, documents=3)
    for user, relevant in zip(make_people(project, ann="expert", bob="user"), (0, 2), strict=True):
        for at, item in enumerate(project.items.all()):
            judged(item, user, int(at == relevant))
    return project


def lines(ranking: str, name: str) -> str:
    return "".join(f"q1 Q0 q1-d0000{at} {rank} {9 - rank} {name}\n" for rank, at in enumerate(ranking, 1))


def files() -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(f"{name}.run", lines(order, name).encode()) for name, order in RANKINGS.items()]


def ask(client: Client, project: Project, status: int = 200, **said: Any) -> tuple[Any, str]:
    response = client.post(
        reverse("review-what-if", args=[project.pk]), {"measure": "RR", "rule": "max", "files": files(), **said}
    )
    assert response.status_code == status, response.content.decode()
    return response.context, response.content.decode()


def taus(context: Any) -> dict[str, float]:
    return {judge["name"]: judge["tau"] for judge in context["judges"] if judge["tau"] is not None}


def test_orders_by_each_of_them(manager: Client, project: Project) -> None:
    """By everyone, who take the highest grade, the first and the last document are relevant: RR is 1, 1/2, 1. By ann
    it is 1, 1/2, 1/3: beside everyone's one pair of systems is tied, one in the same order and one in the other,
    tau_b = 0. By bob it is 1/3, 1/3, 1: one pair is tied by everyone, another by him, and one is in the same order,
    tau_b = 1 / sqrt(2 · 2)."""
    context, text = ask(manager, project)
    assert context["systems"] == ["a", "c", "b"]
    assert taus(context) == {
        "group expert": pytest.approx(0),
        "group user": pytest.approx(0.5),
        "only p-ann": pytest.approx(0),
        "only p-bob": pytest.approx(0.5),
    }
    assert "only p-ann" in text
    assert "Ranks of systems by RR" in text
    assert '<td class="number">1 of 1</td><td class="number">100%</td>' in text


def test_a_decision_holds_for_everyone(manager: Client, mia: object, project: Project) -> None:
    """The last document is decided to be not relevant: everyone's order is that of ann."""
    Decision.objects.create(
        item=project.items.all()[2],
        decided_by=mia,
        grade=0,
        reason="No soup.",
        events=[],  # type: ignore[misc]
    )
    assert taus(ask(manager, project)[0])["only p-ann"] == 1


def test_where_preferences_are_given(manager: Client, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(mode="pairs")
    for name in ("review-what-if", "review-assessors"):
        text = manager.get(reverse(name, args=[project.pk])).text
        assert "assessors say which of two documents is better" in text
        assert "<button>Put in order" not in text
        assert "Nobody has judged yet" not in text


def test_nothing_is_kept_of_files(manager: Client, project: Project) -> None:
    ask(manager, project)
    response = manager.get(reverse("review-what-if", args=[project.pk]))
    assert "result" not in response.context
    assert "bring run files" in response.content.decode()


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"measure": "nDGC@10"}, "Did you mean nDCG"),
        ({"measure": "Judged@10"}, "does not say which of two runs is better"),
        ({"rule": "dice"}, "Select a valid choice"),
        ({"files": []}, "Choose a run, or bring run files."),
        ({"files": [SimpleUploadedFile("x.run", b"q1 Q0 d1 1 high a\n")]}, "x.run"),
        ({"files": [SimpleUploadedFile("x.run", b"")]}, "x.run: the file is empty"),
        ({"files": files()[:1] + files()[:1]}, "two of the runs are called a"),
        ({"runs": ["workspace:/etc/passwd"]}, "Select a valid choice"),
    ],
)
def test_what_is_wrong_is_said(said: dict[str, Any], error: str, manager: Client, project: Project) -> None:
    for file in said.get("files", ()):
        file.seek(0)
    _, text = ask(manager, project, status=400, **said)
    assert error in text
    assert "/tmp" not in text


def test_before_anybody_has_judged(manager: Client, project: Project) -> None:
    other = empty_project(1, 1)
    other.memberships.create(user=project.memberships.get(role="manager").user, role="manager", pseudonym="m")
    assert "nobody has graded a document yet" in ask(manager, other, status=400)[1]


def test_runs_of_the_workspace(manager: Client, project: Project, tmp_path: Path, settings: Any) -> None:
    for name, order in RANKINGS.items():
        (tmp_path / f"{name}.run").write_text(lines(order, name))
    systems = "".join(f'[systems.{name}]\nrun = "{name}.run"\n' for name in RANKINGS)
    (tmp_path / "docs.jsonl").write_text('{"id": "q1-d00001", "text": "Boil."}\n')
    (tmp_path / "cranfield.toml").write_text(f'version = 1\nname = "soups"\ncollection = "docs.jsonl"\n{systems}')
    settings.WORKSPACE = str(tmp_path)
    response = manager.get(reverse("review-what-if", args=[project.pk]))
    assert set(response.context["systems"]) == set(RANKINGS), "without being asked, all of them are taken"
    context, _ = ask(manager, project, files=[], runs=["workspace:a", "workspace:c"])
    assert context["systems"] == ["a", "c"]


def test_a_workspace_that_cannot_be_read_has_no_runs(manager: Client, project: Project, settings: Any) -> None:
    settings.WORKSPACE = "/nowhere"
    assert manager.get(reverse("review-what-if", args=[project.pk])).status_code == 200
