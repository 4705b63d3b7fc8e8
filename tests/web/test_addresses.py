"""What links begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.web.addresses import known_address, public_address, remember, speaks_plainly


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nothing is said of the address, and the installation is new."""
    for name in ("CRANFIELD_HOSTS", "CRANFIELD_TLS", "CRANFIELD_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CRANFIELD_JUDGING", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("host", "variables", "address"),
    [
        ("127.0.0.1", {}, "http://127.0.0.1:8777/"),
        ("::1", {}, "http://[::1]:8777/"),
        ("0.0.0.0", {}, "http://localhost:8777/"),
        ("0.0.0.0", {"CRANFIELD_HOSTS": "teamhost 192.0.2.2"}, "http://teamhost:8777/"),
        ("192.0.2.2", {"CRANFIELD_HOSTS": ".example.org teamhost"}, "http://teamhost:8777/"),
        ("127.0.0.1", {"CRANFIELD_HOSTS": "teamhost"}, "http://127.0.0.1:8777/"),
        ("127.0.0.1", {"CRANFIELD_HOSTS": "teamhost", "CRANFIELD_TLS": "1"}, "https://teamhost/"),
        ("0.0.0.0", {"CRANFIELD_ADDRESS": "https://team.example.org/judging"}, "https://team.example.org/judging/"),
    ],
)
def test_where_a_server_is_found(
    monkeypatch: pytest.MonkeyPatch, host: str, variables: dict[str, str], address: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert public_address(host, 8777) == address


def test_where_it_was_last(monkeypatch: pytest.MonkeyPatch) -> None:
    assert known_address() == "http://127.0.0.1:8000/"
    remember("http://teamhost:8777/")
    assert known_address() == "http://teamhost:8777/"
    monkeypatch.setenv("CRANFIELD_ADDRESS", "https://team.example.org")
    assert known_address() == "https://team.example.org/"


def test_plain_http_on_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [speaks_plainly(host) for host in ("127.0.0.1", "localhost", "0.0.0.0", "192.0.2.2")] == [
        *(False, False),
        *(True, True),
    ]
    monkeypatch.setenv("CRANFIELD_TLS", "1")
    assert not speaks_plainly("0.0.0.0")
