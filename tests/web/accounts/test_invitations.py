from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from cranfield.web.accounts.invitations import InvitationGoneError, accept, invite, invite_administrator, join
from cranfield.web.accounts.models import AuditEntry, Invitation, User
from cranfield.web.projects.members import remove
from cranfield.web.projects.models import Membership, Project

NEW = {"username": "berta", "password1": "soup of the day, twice", "password2": "soup of the day, twice"}


@pytest.fixture
def project(db: None) -> Project:
    return Project.objects.create(name="Soups")


@pytest.fixture
def manager(project: Project) -> User:
    user = User.objects.create_user("mona", password="soup of the day")
    join(project, user, role="manager")
    return user


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def roles(project: Project) -> list[tuple[str, str, str, str]]:
    return list(project.memberships.order_by("pk").values_list("user__username", "role", "group", "pseudonym"))


def test_a_manager_makes_a_link_and_somebody_comes_in_by_it(project: Project, manager: User) -> None:
    page = logged_in(manager).post(
        f"/projects/{project.pk}/invitations/", {"role": "assessor", "group": "expert", "uses": 2, "days": 3}
    )
    (link,) = re.findall(r'value="http://testserver(/join/[^"]+/)"', page.content.decode())
    (kept,) = Invitation.objects.all()
    assert link.split("/")[2] not in str(Invitation.objects.values().get()), "the secret itself is not kept"
    assert timedelta(days=2) < kept.expires_at - timezone.now() < timedelta(days=3)

    guest = Client()
    assert "You are invited as assessor" in guest.get(link).content.decode()
    assert guest.post(link, NEW).headers["Location"] == "/"
    assert guest.get("/").context["user"].username == "berta"
    assert roles(project)[1:] == [("berta", "assessor", "expert", "assessor1")]
    assert "Your judging" in guest.get("/").content.decode()

    other = User.objects.create_user("carl", password="soup of the day")
    assert "Join as carl" in logged_in(other).get(link).content.decode()
    logged_in(other).post(link)
    assert roles(project)[2:] == [("carl", "assessor", "expert", "assessor2")]

    assert Client().get(link).status_code == 404, "used up"
    shown = logged_in(manager).get(f"/projects/{project.pk}/invitations/").content.decode()
    assert "used up" in shown
    assert link not in shown


def test_a_link_that_was_used_leads_those_who_used_it_to_the_project(project: Project, manager: User) -> None:
    _, secret = invite(project, manager, role="assessor")
    guest = Client()
    guest.post(f"/join/{secret}/", NEW)
    assert guest.get(f"/join/{secret}/").headers["Location"] == f"/projects/{project.pk}/judge/"
    assert logged_in(manager).get(f"/join/{secret}/").headers["Location"] == f"/projects/{project.pk}/"
    guest.logout()
    gone = guest.get(f"/join/{secret}/")
    assert gone.status_code == 404
    assert f"/login/?next=/join/{secret}/" in gone.text
    Membership.objects.filter(user__username="berta").update(left_at=timezone.now())
    berta = logged_in(User.objects.get(username="berta"))
    assert berta.get(f"/join/{secret}/").status_code == 404


def test_a_link_made_at_the_machine_itself(project: Project, manager: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others cannot use a link to localhost: it has the name that they type, or a warning stands beside it."""
    form = {"role": "assessor", "uses": 1, "days": 3}
    address, here = f"/projects/{project.pk}/invitations/", {"host": "localhost:8777"}
    page = logged_in(manager).post(address, form, headers=here).text
    assert "This link opens on this machine only" in page
    monkeypatch.setenv("CRANFIELD_ADDRESS", "http://teamhost:8777")
    page = logged_in(manager).post(address, form, headers=here).text
    assert 'value="http://teamhost:8777/join/' in page
    assert "on this machine only" not in page


def test_an_account_needs_a_good_password_and_a_name_of_its_own(project: Project, manager: User) -> None:
    _, secret = invite(project, manager, role="assessor")
    for wrong, said in (
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password2": "another soup of the day"}, "didn’t match"),
        ({"username": "MONA"}, "already exists"),
        ({"username": "two words"}, "valid username"),
    ):
        page = Client().post(f"/join/{secret}/", {**NEW, **wrong})
        assert said in page.content.decode()
    short = Client().post(f"/join/{secret}/", {**NEW, "password1": "short", "password2": "short"}).context["form"]
    assert set(short.errors) == {"password1"}, "where it was chosen"
    assert Invitation.objects.get().uses_left == 1
    assert len(roles(project)) == 1


def test_who_is_logged_in_is_told_as_whom(project: Project, manager: User) -> None:
    _, secret = invite(project, manager, role="assessor")
    page = logged_in(manager).get(f"/join/{secret}/").content.decode()
    assert "You are in this project already, as manager." in page
    assert "Join as" not in page
    somebody = User.objects.create_user("somebody")
    page = logged_in(somebody).get(f"/join/{secret}/").content.decode()
    assert "You are invited as assessor." in page
    assert "You are logged in as somebody." in page


@pytest.mark.parametrize("end", ["withdrawn", "old", "closed", "unknown"])
def test_an_invitation_that_is_not_good_any_more_makes_no_account(project: Project, manager: User, end: str) -> None:
    invitation, secret = invite(project, manager, role="assessor")
    if end == "withdrawn":
        logged_in(manager).post(f"/projects/{project.pk}/invitations/{invitation.pk}/withdraw/")
    elif end == "old":
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif end == "closed":
        Project.objects.update(closed_at=timezone.now())
    else:
        secret = secret[:-1]
    for response in (Client().get(f"/join/{secret}/"), Client().post(f"/join/{secret}/", NEW)):
        assert response.status_code == 404
        assert "not good any more" in response.content.decode()
        assert "Soups" not in response.content.decode()
    assert not User.objects.filter(username="berta").exists()


def test_of_two_who_come_at_once_by_the_last_use_one_gets_in(project: Project, manager: User) -> None:
    invitation, _ = invite(project, manager, role="assessor")
    first, second = (User.objects.create_user(name) for name in ("one", "two"))
    accept(invitation, first)
    with pytest.raises(InvitationGoneError):
        accept(invitation, second)  # holds what was read before the first came
    assert [name for name, *_ in roles(project)] == ["mona", "one"]


def test_a_member_uses_nothing_up_and_does_not_rise(project: Project, manager: User) -> None:
    assessor = User.objects.create_user("anna")
    join(project, assessor, role="assessor")
    invitation, secret = invite(project, manager, role="manager")
    logged_in(assessor).post(f"/join/{secret}/")
    assert roles(project)[1] == ("anna", "assessor", "", "assessor1")
    assert Invitation.objects.get(pk=invitation.pk).uses_left == 1


def test_who_left_comes_back_under_the_old_pseudonym(project: Project, manager: User) -> None:
    anna = User.objects.create_user("anna")
    join(project, anna, role="assessor")
    Membership.objects.filter(user=anna).update(left_at=timezone.now())
    invitation, _ = invite(project, manager, role="assessor", group="user")
    accept(invitation, anna)
    assert roles(project)[1] == ("anna", "assessor", "user", "assessor1")
    assert Membership.objects.get(user=anna).left_at is None


def test_a_pseudonym_that_is_taken_is_passed_over(project: Project, manager: User) -> None:
    Membership.objects.filter(user=manager).update(pseudonym="assessor1")
    assert join(project, User.objects.create_user("anna"), role="assessor").pseudonym == "assessor2"


def test_the_first_administrator_comes_by_a_link_and_only_the_first(db: None) -> None:
    earlier, secret = invite_administrator(), invite_administrator()
    assert Client().get(f"/join/{earlier}/").status_code == 404, "only the latest link is good"
    guest = Client()
    assert "The first administrator" in guest.get(f"/join/{secret}/").content.decode()
    guest.post(f"/join/{secret}/", NEW)
    assert User.objects.get(username="berta").is_administrator
    assert guest.get("/audit/").status_code == 200
    assert Client().get(f"/join/{secret}/").status_code == 404
    assert invite_administrator() is None


def test_a_link_to_a_project_makes_no_administrator(project: Project, manager: User) -> None:
    _, secret = invite(project, manager, role="manager")
    Client().post(f"/join/{secret}/", {**NEW, "is_administrator": "on", "role": "administrator"})
    berta = User.objects.get(username="berta")
    assert [berta.is_administrator, berta.is_staff, berta.is_superuser] == [False] * 3


@pytest.mark.parametrize("wrong", [{"role": "administrator"}, {"uses": 0}, {"days": 91}, {"group": "g" * 61}])
def test_what_cannot_be_is_refused(project: Project, manager: User, wrong: dict[str, object]) -> None:
    asked = {"role": "assessor", "group": "", "uses": 1, "days": 14, **wrong}
    assert logged_in(manager).post(f"/projects/{project.pk}/invitations/", asked).status_code == 400
    assert not Invitation.objects.exists()


def test_all_of_it_is_noted(project: Project, manager: User) -> None:
    invitation, secret = invite(project, manager, role="assessor")
    Client().post(f"/join/{secret}/", NEW)
    logged_in(manager).post(f"/projects/{project.pk}/invitations/{invitation.pk}/withdraw/")
    noted = AuditEntry.objects.filter(project=project).order_by("at").values_list("user__username", "what")
    assert list(noted) == [("mona", "invitation made"), ("berta", "joined"), ("mona", "invitation withdrawn")]
    assert secret not in str(list(AuditEntry.objects.values()))
    page = logged_in(manager).get(f"/projects/{project.pk}/audit/").content.decode()
    assert all(what in page for what in ("invitation made", "joined", "invitation withdrawn", "role: assessor"))


def test_who_was_removed_comes_back_by_a_new_link_only(project: Project, manager: User) -> None:
    berta = User.objects.create_user("berta", password="soup of the day")
    old, secret = invite(project, manager, role="assessor", uses=5)
    accept(old, berta)
    remove(project.memberships.get(user=berta), manager)
    assert logged_in(berta).post(f"/join/{secret}/").status_code == 404
    assert project.memberships.get(user=berta).left_at is not None
    assert Invitation.objects.get(pk=old.pk).uses_left == 4
    _, secret = invite(project, manager, role="assessor")
    assert logged_in(berta).post(f"/join/{secret}/").status_code == 302
    assert project.memberships.get(user=berta).left_at is None


def test_who_comes_back_in_another_role_has_a_pseudonym_of_it(project: Project) -> None:
    ann = User.objects.create(username="ann")
    assert join(project, ann, role="assessor").pseudonym == "assessor1"
    project.memberships.filter(user=ann).update(left_at=timezone.now())
    back = join(project, ann, role="manager")
    assert (back.role, back.pseudonym, back.left_at) == ("manager", "manager1", None)
