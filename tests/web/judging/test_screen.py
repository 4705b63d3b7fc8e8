"""The frame of the assessor's page, and what its scripts have to agree on with the rest."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

import cranfield.web
from cranfield.data.scale import RESERVED_KEYS
from cranfield.pooling.active_time import IDLE_AFTER
from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Document, Project, ScaleVersion
from cranfield.web.projects.picture_hosts import MOST_HOSTS
from tests.web.judging.making import GRADES

SCRIPTS = Path(cranfield.web.__file__).parent / "static" / "cranfield" / "judge"


def page_of(project: Project, user: User) -> tuple[str, str]:
    """The page and its content policy."""
    client = Client()
    client.force_login(user)
    response = client.get(reverse("judge", args=[project.pk]))
    assert response.status_code == 200
    return response.content.decode(), response["Content-Security-Policy"]


def test_the_page_says_where_its_scripts_find_things(project: Project, ann: User) -> None:
    client = Client()
    client.force_login(ann)
    response = client.get(reverse("judge", args=[project.pk]))
    assert "csrftoken" in response.cookies, "what the scripts send along"
    found = re.search(r'<script id="settings" type="application/json">(.*?)</script>', response.content.decode())
    assert found
    settings = json.loads(found[1])
    assert settings["person"] == str(ann.pk)
    assert settings["login"] == f"/login/?next=/projects/{project.pk}/judge/"
    for address in settings["addresses"].values():
        assert client.get(address).status_code in (200, 405)


def test_nothing_of_documents_is_in_the_page(project: Project, ann: User) -> None:
    page, _ = page_of(project, ann)
    assert "q1-d00001" not in page
    assert "Soup number" not in page


def test_the_guideline_is_clean(project: Project, ann: User) -> None:
    guideline = "# Judge\n\n<script>alert(1)</script> [x](javascript:alert(1)) *slowly*"
    ScaleVersion.objects.create(project=project, number=2, version="2", content=GRADES, guideline=guideline)
    page, _ = page_of(project, ann)
    assert "<h1>Judge</h1>" in page
    assert "<em>slowly</em>" in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page


def test_pictures_from_elsewhere_only_where_documents_have_some(project: Project, ann: User) -> None:
    assert "img-src 'self' data:;" in page_of(project, ann)[1]
    document = project.documents.first()
    assert document is not None
    document.image = "https://pictures.example/soup.jpg"
    document.save()
    policy = page_of(project, ann)[1]
    assert "img-src 'self' data: https://pictures.example;" in policy
    assert "unsafe" not in policy


def test_from_many_places_pictures_come_from_anywhere(project: Project, ann: User) -> None:
    Document.objects.bulk_create(
        Document(project=project, name=f"p{number}", image=f"https://p{number}.example/soup.jpg", sha256="0" * 64)
        for number in range(MOST_HOSTS + 1)
    )
    assert "img-src 'self' data: https:;" in page_of(project, ann)[1]


def test_an_administrator_who_is_no_member_is_told(project: Project) -> None:
    page, _ = page_of(project, User.objects.create(username="root", is_administrator=True))
    assert "You are no member of this project." in page
    assert "judge.js" not in page


def test_without_a_scale_nobody_judges(ann: User, project: Project) -> None:
    empty = Project.objects.create(name="Stews")
    empty.memberships.create(user=ann, role="assessor", pseudonym="a")
    page, _ = page_of(empty, ann)
    assert "This project has no scale yet." in page
    assert "judge.js" not in page


@pytest.mark.parametrize("name", ["next", "answers", "answered", "progress"])
def test_a_page_made_for_somebody_else_is_refused(name: str, project: Project, ann: User, bob: User) -> None:
    client = Client()
    client.force_login(ann)
    method = client.post if name == "answers" else client.get
    address = reverse(f"judge-{name}", args=[project.pk])
    assert method(address, headers={"X-Cranfield-Person": str(bob.pk)}).status_code == 409
    assert method(address, headers={"X-Cranfield-Person": str(ann.pk)}).status_code in (200, 400)


def test_keys_are_those_of_the_terminal() -> None:
    [listed] = re.findall(r"const DOES = \{(.*?)\};", (SCRIPTS / "keys.js").read_text(), re.DOTALL)
    keys = {quoted or bare for quoted, bare in re.findall(r'(?:"(.)"|(\w)): "\w+"', listed)}
    assert keys == set(RESERVED_KEYS)


def test_idle_time_is_that_of_the_terminal() -> None:
    assert f"const IDLE_AFTER = {IDLE_AFTER:.0f}_000;" in (SCRIPTS / "watch.js").read_text()


def test_every_key_is_explained(project: Project, ann: User) -> None:
    page, _ = page_of(project, ann)
    help_text = page[page.index('id="help"') :]
    named = {{"space": " "}.get(key, key) for key in re.findall("<kbd>(.*?)</kbd>", help_text)}
    assert named == set(RESERVED_KEYS)
