"""Every address as everybody: who may not come in learns nothing, and changes nothing."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from cranfield.web.backup.portable import kept_models
from tests.web.security.addresses import ADDRESSES, ADMINISTRATOR, ANONYMOUS, EVERYONE, MANAGER, OUTSIDER
from tests.web.security.conftest import House

METHODS = ("get", "post")


def routes(patterns: list[Any], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            assert isinstance(pattern, URLPattern)
            yield route


def refused(response: HttpResponseBase, who: str, by_token: bool) -> bool:
    """Whether somebody was turned away, without a word on whether there is anything.

    A method that an address does not have is refused to all (405), whatever is there.
    """
    if by_token:
        return response.status_code == 401 if who == ANONYMOUS else response.status_code in (401, 403, 404)
    if who == ANONYMOUS:
        return response.status_code == 302 and response["Location"].startswith("/login/?next=")
    return response.status_code in (404, 405)


def rows() -> dict[str, list[dict[str, Any]]]:
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in kept_models()}


def test_every_address_is_listed() -> None:
    found = list(routes(get_resolver().url_patterns))
    assert sorted(found) == sorted(ADDRESSES), "say in tests/web/security/addresses.py who gets in"


@pytest.mark.parametrize("route", ADDRESSES)
def test_only_who_may_gets_in(route: str, house: House) -> None:
    address, path = ADDRESSES[route], house.path(route)
    for who in sorted(address.may):
        client = house.client(who)
        got, posted = client.get(path), client.post(path)
        assert got.status_code < 500, who
        assert posted.status_code < 500, who
        assert not (refused(got, who, address.by_token) and refused(posted, who, address.by_token)), who
        assert 404 not in (got.status_code, posted.status_code), who
    others = {who: house.client(who) for who in sorted(EVERYONE - address.may)}
    before = rows()
    for who, client in others.items():
        got, posted = client.get(path), client.post(path)
        assert refused(got, who, address.by_token), (who, got.status_code)
        assert refused(posted, who, address.by_token), (who, posted.status_code)
        assert not got.status_code == posted.status_code == 405, who
    assert rows() == before, "one of them changed something"


@pytest.mark.parametrize("route", [route for route in ADDRESSES if ":project>" in route])
def test_a_project_one_may_not_see_is_as_one_that_is_not_there(route: str, house: House) -> None:
    client = house.client(OUTSIDER)
    for method in METHODS:
        there = getattr(client, method)(house.path(route))
        not_there = getattr(client, method)(house.path(route, project=uuid.uuid4()))
        assert there.status_code == not_there.status_code
        assert without_token(there.content) == without_token(not_there.content)


def without_token(content: bytes) -> bytes:
    return re.sub(rb'csrfmiddlewaretoken" value="\w+"', b"", content)


@pytest.mark.parametrize("route", [route for route in ADDRESSES if re.search(r":project>.*<", route)])
def test_parts_of_another_project_are_not_reached_through_ones_own(route: str, house: House) -> None:
    """A manager names their own project, and guesses the number of something in another."""
    client, before = house.client(OUTSIDER), rows()
    for method in METHODS:
        response = getattr(client, method)(house.path(route, project=house.other.pk))
        assert refused(response, OUTSIDER, ADDRESSES[route].by_token), (method, response.status_code)
        assert rows() == before


@pytest.mark.parametrize("route", [route for route, address in ADDRESSES.items() if not address.by_token])
def test_no_form_is_taken_without_its_token(route: str, house: House) -> None:
    clients = [house.client(who, enforce_csrf_checks=True) for who in (ANONYMOUS, ADMINISTRATOR)]
    before = rows()
    for client in clients:
        response = client.post(house.path(route))
        assert response.status_code == 403
        assert b"This form is too old" in response.content
    assert rows() == before


def test_who_left_a_project_is_out(house: House) -> None:
    house.project.memberships.update(left_at=timezone.now())
    for route, address in ADDRESSES.items():
        if ":project>" in route:
            assert refused(house.client(MANAGER).get(house.path(route)), MANAGER, address.by_token), route
