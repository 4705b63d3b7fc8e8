"""Every address for programs: without a token, with a wrong one, one of another project, one for reading alone."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.utils import timezone

from cranfield.web.accounts.models import ApiToken, FailedLogin, User
from cranfield.web.accounts.throttling import BY_NAME_AND_ADDRESS
from cranfield.web.accounts.tokens import make_token, revoke
from tests.web.security.addresses import ADDRESSES, ADMINISTRATOR, BY_TOKEN, MANAGER, OUTSIDER
from tests.web.security.conftest import House
from tests.web.security.test_every_address import METHODS, rows

ROUTES = [route for route, address in ADDRESSES.items() if address == BY_TOKEN]
OF_A_PROJECT = [route for route in ROUTES if ":project>" in route]


def client(secret: str, **headers: str) -> Client:
    return Client(raise_request_exception=False, headers={"authorization": f"Bearer {secret}", **headers})


def refused_everywhere(secret: str, house: House, status: int = 401) -> None:
    for route in ROUTES:
        for method in METHODS:
            response = getattr(client(secret), method)(house.path(route))
            assert response.status_code == status, (route, method)
            assert response["Content-Type"] == "application/problem+json"
            assert response.json()["status"] == status


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic YW5uYTpzb3Vw", "Bearer two words", "cranfield_soup", "Bearer \xff"]
)
def test_what_is_no_token(header: str, house: House) -> None:
    for route in ROUTES:
        response = Client(headers={"authorization": header} if header else {}).get(house.path(route))
        assert response.status_code in (401, 429), route
        assert response.status_code == 429 or response["WWW-Authenticate"].startswith("Bearer realm=")


def test_a_token_in_the_address_is_none(house: House) -> None:
    _, secret = make_token(house.project, None, "here")
    assert Client().get("/api/projects", {"token": secret, "access_token": secret}).status_code == 401


def test_a_session_is_none(house: House) -> None:
    for method in METHODS:
        assert getattr(house.client(ADMINISTRATOR), method)("/api/projects").status_code == 401


def test_a_token_of_the_project_comes_in(house: House) -> None:
    """So that the others are turned away for what they are."""
    _, secret = make_token(house.project, house.people[MANAGER], "program", may_write=True)
    for route in OF_A_PROJECT:
        assert client(secret).get(house.path(route)).status_code in (200, 409), route


@pytest.mark.parametrize("route", OF_A_PROJECT)
def test_a_token_of_another_project_sees_nothing(route: str, house: House) -> None:
    _, secret = make_token(house.other, house.people[OUTSIDER], "theirs", may_write=True)
    before = rows()
    for method in METHODS:
        there = getattr(client(secret), method)(house.path(route), content_type="application/json")
        not_there = getattr(client(secret), method)(house.path(route, project=uuid.uuid4()))
        assert there.status_code == not_there.status_code == 404
        assert there.content == not_there.content
    ApiToken.objects.update(last_used_at=None)
    assert rows() == before


def test_the_list_of_projects_has_the_one_of_the_token(house: House) -> None:
    for project in (house.project, house.other):
        _, secret = make_token(project, None, "x")
        assert [one["id"] for one in client(secret).get("/api/projects").json()["projects"]] == [str(project.pk)]


def test_a_token_for_reading_alone_changes_nothing(house: House) -> None:
    _, secret = make_token(house.project, house.people[MANAGER], "reader")
    before = rows()
    posted = {route: client(secret).post(house.path(route)).status_code for route in OF_A_PROJECT}
    assert set(posted.values()) == {403, 405}
    assert posted["api/projects/<uuid:project>/pool"] == posted["api/projects/<uuid:project>/labels"] == 403
    ApiToken.objects.update(last_used_at=None)
    assert rows() == before


def test_a_token_that_was_revoked(house: House) -> None:
    token, secret = make_token(house.project, house.people[MANAGER], "program", may_write=True)
    assert client(secret).get("/api/projects").status_code == 200
    revoke(token, house.people[MANAGER])
    assert client(secret).get("/api/projects").status_code == 401
    assert 'error="invalid_token"' in client(secret).get("/api/projects")["WWW-Authenticate"]


def test_a_token_of_somebody_who_no_longer_manages_the_project(house: House) -> None:
    _, secret = make_token(house.project, house.people[MANAGER], "program")
    house.project.memberships.update(role="assessor")
    assert client(secret).get("/api/projects").status_code == 401
    house.project.memberships.update(role="manager", left_at=timezone.now())
    assert client(secret).get("/api/projects").status_code == 401
    house.project.memberships.update(left_at=None)
    assert client(secret).get("/api/projects").status_code == 200
    User.objects.update(is_active=False)
    assert client(secret).get("/api/projects").status_code == 401


def test_tokens_that_are_wrong_slow_down_further_ones_and_nobody_else(house: House) -> None:
    _, secret = make_token(house.project, house.people[MANAGER], "program")
    codes = [client("cranfield_wrong").get("/api/projects").status_code for _ in range(BY_NAME_AND_ADDRESS + 2)]
    assert codes == [401] * BY_NAME_AND_ADDRESS + [429] * 2
    waits = client("cranfield_wrong").get("/api/projects")
    assert 0 < int(waits["Retry-After"]) <= 900
    assert client(secret).get("/api/projects").status_code == 200, "a token that is good is not kept waiting"
    assert not FailedLogin.objects.exclude(address="api 127.0.0.1"), "logins of people are counted by themselves"
    refused_everywhere("cranfield_wrong", house, 429)
