from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from cranfield.web.accounts.models import FailedLogin, User
from cranfield.web.accounts.throttling import BY_ADDRESS, BY_NAME, BY_NAME_AND_ADDRESS, begin_login
from tests.web.accounts.hashing import CountedHasher

PASSWORD = "correct horse battery"


@pytest.fixture
def anna(db: None) -> User:
    return User.objects.create_user("anna", password=PASSWORD)


def log_in(name: str = "anna", password: str = "wrong", address: str = "10.0.0.1", path: str = "/login/", **more: str):
    client = Client(REMOTE_ADDR=address)
    return client.post(path, {"username": name, "password": password, **more})


def test_name_and_password_let_in_and_out_again(anna: User) -> None:
    client = Client()
    assert client.get("/").headers["Location"] == "/login/?next=/"
    assert client.post("/login/", {"username": "anna", "password": PASSWORD}).headers["Location"] == "/"
    assert client.get("/").status_code == 200
    assert client.get("/logout/").status_code == 405, "a link on another page cannot log anybody out"
    assert client.post("/logout/").headers["Location"] == "/login/"
    assert client.get("/").status_code == 302


def test_a_session_that_was_there_before_is_not_the_one_after(anna: User) -> None:
    client = Client()
    client.get("/login/")
    client.session.save()
    before = client.session.session_key
    client.post("/login/", {"username": "anna", "password": PASSWORD})
    assert client.session.session_key != before


@pytest.mark.parametrize(
    ("name", "password"),
    [("anna", "wrong"), ("nobody-known", PASSWORD), ("closed", PASSWORD), ("invited", PASSWORD), ("Anna", PASSWORD)],
)
@override_settings(PASSWORD_HASHERS=["tests.web.accounts.hashing.CountedHasher"])
def test_whatever_is_wrong_looks_the_same_and_takes_the_same(db: None, name: str, password: str) -> None:
    User.objects.create_user("anna", password=PASSWORD)
    User.objects.create_user("closed", password=PASSWORD, is_active=False)
    User.objects.create_user("invited")  # has not chosen a password yet
    before = CountedHasher.times
    response = log_in(name, password)
    assert response.status_code == 200
    assert response.context["form"].non_field_errors() == [
        "This name and this password do not go together. Mind capital letters."
    ]
    # One hash, whoever it is: how long an answer takes does not tell which names there are.
    assert CountedHasher.times - before == 1


def test_after_some_failures_even_the_right_password_waits(anna: User) -> None:
    assert [log_in().status_code for _ in range(BY_NAME_AND_ADDRESS)] == [200] * BY_NAME_AND_ADDRESS, begin_login
    refused = log_in(password=PASSWORD)
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 15 * 60
    assert "Too many logins failed" in refused.content.decode()
    assert log_in("ANNA ", PASSWORD).status_code == 429, "the same name, written otherwise"
    assert log_in(password=PASSWORD, address="10.0.0.2").status_code == 302, "anna herself, elsewhere, gets in"
    assert log_in("berta").status_code == 200, "somebody else at that address may try"


def test_names_that_do_not_exist_wait_as_well(anna: User) -> None:
    assert [log_in("nobody-known").status_code for _ in range(BY_NAME_AND_ADDRESS + 1)][-1] == 429


def test_who_waits_gets_in_again_when_failures_are_old(anna: User) -> None:
    for _ in range(BY_NAME_AND_ADDRESS):
        log_in()
    for _ in range(3):
        assert log_in(password=PASSWORD).status_code == 429, "asking again does not make the wait longer"
    FailedLogin.objects.update(at=timezone.now() - FailedLogin.WINDOW - timedelta(seconds=1))
    assert log_in(password=PASSWORD).status_code == 302
    assert not FailedLogin.objects.exists()


def test_a_name_tried_from_many_addresses_waits_everywhere(anna: User) -> None:
    for number in range(BY_NAME):
        begin_login("anna", f"10.1.0.{number}")
    assert log_in(password=PASSWORD, address="10.2.0.1").status_code == 429


def test_an_address_that_tries_many_names_waits_for_all(anna: User) -> None:
    for number in range(BY_ADDRESS):
        begin_login(f"name{number}", "10.0.0.1")
    assert log_in(password=PASSWORD).status_code == 429
    assert log_in(password=PASSWORD, address="10.0.0.2").status_code == 302


def test_who_gets_in_starts_anew(anna: User) -> None:
    for _ in range(BY_NAME_AND_ADDRESS - 1):
        log_in()
    assert log_in(password=PASSWORD).status_code == 302
    assert [log_in().status_code for _ in range(BY_NAME_AND_ADDRESS)] == [200] * BY_NAME_AND_ADDRESS, begin_login


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "http:///evil.example",
        "javascript:alert(1)",
        "\t//evil.example",
    ],
)
def test_a_login_leads_nowhere_else(anna: User, elsewhere: str) -> None:
    assert log_in(password=PASSWORD, next=elsewhere).headers["Location"] == "/"
    assert "evil" not in Client().get("/login/", {"next": elsewhere}).content.decode().replace("?next=", "")


def test_a_login_leads_back(anna: User) -> None:
    assert log_in(password=PASSWORD, next="/account/").headers["Location"] == "/account/"
