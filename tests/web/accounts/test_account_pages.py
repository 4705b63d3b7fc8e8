from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from cranfield.web.accounts.audit import note
from cranfield.web.accounts.audit_views import ON_A_PAGE
from cranfield.web.accounts.invitations import join
from cranfield.web.accounts.models import AuditEntry, User
from cranfield.web.accounts.password_links import password_path
from cranfield.web.projects.models import Project

OLD, NEW = "correct horse battery", "staple of another kind"


@pytest.fixture
def anna(db: None) -> User:
    return User.objects.create_user("anna", password=OLD)


@pytest.fixture
def client(anna: User) -> Client:
    client = Client()
    client.force_login(anna)
    return client


def test_an_assessor_sees_their_judging_and_nothing_else(anna: User, client: Client) -> None:
    mine, _, left, closed = (Project.objects.create(name=name) for name in ("Mine", "Other", "Left", "Closed"))
    for project in (mine, left, closed):
        join(project, anna, role="assessor")
    left.memberships.update(left_at=timezone.now())
    Project.objects.filter(pk=closed.pk).update(closed_at=timezone.now())
    page = client.get("/").content.decode()
    assert "Mine" in page
    assert not [name for name in ("Other", "Left", "manage", "New project", "Who changed") if name in page]
    assert page.index("nothing more is to be judged") < page.index(">Closed</a>")


def test_an_assessor_for_whom_there_is_nothing_is_told_so(anna: User, client: Client) -> None:
    join(Project.objects.create(name="Mine"), anna, role="assessor")
    page = client.get("/").content.decode()
    assert "Nothing is here for you at the moment" in page
    assert "0 of 0" not in page


def test_a_manager_sees_their_projects_and_an_administrator_all(anna: User, client: Client) -> None:
    mine, _ = (Project.objects.create(name=name) for name in ("Mine", "Other"))
    join(mine, anna, role="manager")
    assert "Other" not in client.get("/").content.decode()
    User.objects.update(is_administrator=True)
    assert "Other" in client.get("/").content.decode()


def test_somebody_in_no_project_is_told_so(client: Client) -> None:
    assert "You are in no project" in client.get("/").content.decode()


def test_words_to_mark_are_kept_and_nothing_else_is_taken(anna: User, client: Client) -> None:
    client.post("/account/", {"highlight": "soup broth", "is_administrator": "on", "username": "root"})
    anna.refresh_from_db()
    assert (anna.highlight, anna.is_administrator, anna.username) == ("soup broth", False, "anna")


def test_a_changed_password_ends_other_sessions(anna: User, client: Client) -> None:
    elsewhere = Client()
    elsewhere.force_login(anna)
    wrong = client.post("/account/password/", {"old_password": "no", "new_password1": NEW, "new_password2": NEW})
    assert wrong.status_code == 200
    done = client.post("/account/password/", {"old_password": OLD, "new_password1": NEW, "new_password2": NEW})
    assert done.headers["Location"] == "/account/"
    assert client.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302
    assert AuditEntry.objects.get().what == "password changed"
    assert NEW not in str(AuditEntry.objects.values().get())


def test_a_closed_account_is_out_at_once(anna: User, client: Client) -> None:
    User.objects.update(is_active=False)
    assert client.get("/account/").status_code == 302


def test_a_password_is_chosen_by_a_link_once(anna: User) -> None:
    path, guest = password_path(anna), Client()
    form = guest.get(path).headers["Location"]
    assert path.split("/")[3] not in form, "the secret does not stay in the address"
    assert "Choose a password" in guest.get(form).content.decode()
    assert guest.post(form, {"new_password1": "short", "new_password2": "short"}).status_code == 200
    assert guest.post(form, {"new_password1": NEW, "new_password2": NEW}).headers["Location"] == "/login/"
    assert Client().login(username="anna", password=NEW)
    assert "not good any more" in Client().get(path).content.decode()


def test_a_link_to_choose_a_password_is_of_one_account(anna: User) -> None:
    berta = User.objects.create_user("berta", password=OLD)
    _, _, _, token, _ = password_path(anna).split("/")
    _, _, who, _, _ = password_path(berta).split("/")
    assert "not good any more" in Client().get(f"/choose-password/{who}/{token}/").content.decode()


def test_the_audit_trail_has_pages(anna: User, client: Client) -> None:
    User.objects.update(is_administrator=True)
    for number in range(ON_A_PAGE + 1):
        note(anna, None, f"thing {number}", where=f"place {number}")
    first, second = (client.get("/audit/", {"page": page}).content.decode() for page in (1, 2))
    assert f"thing {ON_A_PAGE}<" in first
    assert "thing 0<" not in first
    assert "thing 0<" in second
    assert "where: place 0" in second
    assert client.get("/audit/", {"page": "no number"}).status_code == 200


def test_what_people_write_is_text_on_every_page(anna: User, client: Client) -> None:
    project = Project.objects.create(name="<script>alert(1)</script>", description="<img src=x onerror=alert(1)>")
    join(project, anna, role="manager", group="<b>")
    note(anna, project, "<i>", details="<svg onload=alert(1)>")
    for path in ("/", "/account/", f"/projects/{project.pk}/invitations/", f"/projects/{project.pk}/audit/"):
        page = client.get(path).content.decode()
        assert not [tag for tag in ("<script>alert", "<img src=x", "<svg onload", "<i>") if tag in page]
        assert "&lt;script&gt;" in page
