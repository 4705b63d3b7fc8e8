"""What goes with every page: who may frame it, keep it, run scripts in it."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponseBase
from django.test import Client

from tests.web.security.addresses import ADDRESSES, ADMINISTRATOR, ANONYMOUS
from tests.web.security.conftest import House


def check(response: HttpResponseBase) -> None:
    policy = dict(part.strip().partition(" ")[::2] for part in response["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert "unsafe" not in response["Content-Security-Policy"]
    assert all(re.fullmatch(r"'self'( 'nonce-[\w+/=]+')?", policy[name]) for name in ("script-src", "style-src"))
    assert "no-store" in response["Cache-Control"]
    assert response["X-Robots-Tag"] == "noindex, nofollow"


@pytest.mark.parametrize("route", ADDRESSES)
@pytest.mark.parametrize("who", [ANONYMOUS, ADMINISTRATOR])
def test_every_page_has_them(who: str, route: str, house: House) -> None:
    response = house.client(who).get(house.path(route))
    check(response)
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"


@pytest.mark.urls("tests.web.security.page_with_script")
@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/denied", 403, "You may not do this here"),
        ("/not/there", 404, "There is no such page"),
        ("/broken", 500, "What you judged is safe"),
    ],
)
def test_pages_about_errors_have_them_too(path: str, status: int, said: str, db: None) -> None:
    response = Client(raise_request_exception=False).get(path)
    assert response.status_code == status
    check(response)
    assert said in response.content.decode()
    assert "soup" not in response.content.decode()


def test_a_host_that_is_none_of_ours_gets_nothing(db: None) -> None:
    response = Client(raise_request_exception=False).get("/login/", headers={"host": "evil.example"})
    assert response.status_code == 400
    check(response)
    assert b"evil.example" not in response.content


@pytest.mark.urls("tests.web.security.page_with_script")
def test_a_nonce_is_used_once(db: None) -> None:
    nonces = set()
    for _ in range(3):
        response = Client().get("/script")
        (nonce,) = re.findall(r'nonce="([^"]+)"', response.content.decode())
        assert f"'nonce-{nonce}'" in response["Content-Security-Policy"]
        nonces.add(nonce)
    assert len(nonces) == 3


def test_style_sheets_may_be_kept(db: None) -> None:
    response = Client().get("/static/cranfield/style.css")
    assert response.status_code == 200
    assert "no-store" not in response["Cache-Control"]
    response.close()


def test_search_engines_are_told_to_stay_away(db: None) -> None:
    assert Client().get("/robots.txt").content == b"User-agent: *\nDisallow: /\n"
