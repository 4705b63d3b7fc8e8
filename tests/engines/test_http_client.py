"""What a client does when a server does not do its part."""

from __future__ import annotations

import email.utils
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cranfield.engines import http_client
from cranfield.engines.http_client import HttpClient
from cranfield.errors import EngineError, ParameterError
from tests.engines.faulty_server import Clock, FaultyServer, closed_port, dripping, faulty_server, hanging_up
from tests.engines.local_server import Answer, Request, serving

OK = b'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 11\r\n\r\n{"hits":[]}'


@pytest.fixture
def server() -> Iterator[tuple[str, FaultyServer]]:
    with faulty_server() as found:
        yield found


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Pauses take no time here: how long they would be is what is looked at."""
    clock = Clock()
    monkeypatch.setattr(http_client, "time", clock)
    return clock


def client(url: str, **settings: Any) -> HttpClient:
    return HttpClient("http", url, **{"connections": 2, "timeout": 5.0, **settings})


def message(url: str, path: str, **settings: Any) -> str:
    with pytest.raises(EngineError) as raised:
        client(url, **settings).json("GET", path)
    said = str(raised.value)
    assert said.startswith(f"http at {url}{path.partition('?')[0]} ")
    return said.removeprefix(f"http at {url}{path.partition('?')[0]} ")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("404", "answered 404 Not Found: no such index [papers]. Are URL and index right?"),
        ("401", 'answered 401 Unauthorized: who are you?. It wants to know who asks: basic_auth = {env = "NAME"} or '
                '[headers] Authorization = {env = "NAME"}'),
        ("moved", "answered 301 Moved Permanently: it sends us to https://elsewhere.example/search. "
                  "Write that URL if it is the right one"),
        ("garbage", "answered what is not JSON: \ufffd\ufffd<<<>>> not JSON at all"),
        ("html", "answered a web page ('Sign in & go on') where JSON is expected. Is there a login or a proxy in between?"),
        ("empty", "answered nothing where JSON is expected"),
        ("JSON%20cut%20short", "broke off its answer after 47 bytes: ...{\"hits\": [{\"id\": \"d1\", \"score\": 2.0}, {\"id\": \"d"),
    ],
)  # fmt: skip
def test_what_does_not_pass_is_said_at_once(server: tuple[str, FaultyServer], kind: str, expected: str) -> None:
    url, faulty = server
    assert message(url, f"/{kind}") == expected
    assert len(faulty.asked) == 1


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("500", "answered 500 Internal Server Error: out of memory. Its log may say why (after 4 attempts)"),
        ("503", "answered 503 Service Unavailable: try later. Its log may say why (after 4 attempts)"),
        (
            "html%20error",
            "answered 502 Bad Gateway: a web page ('Sign in & go on'). Its log may say why (after 4 attempts)",
        ),
    ],
)
def test_what_may_pass_is_tried_again(server: tuple[str, FaultyServer], clock: Clock, kind: str, expected: str) -> None:
    url, faulty = server
    assert message(url, f"/{kind}", retries=3) == expected
    assert len(faulty.asked) == 4
    # 1/4, 1/2 and 1 second, each drawn between half of it and all.
    assert all(low <= pause <= 2 * low for low, pause in zip((0.125, 0.25, 0.5), clock.pauses, strict=True))


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_server_that_was_busy_is_fine_again(server: tuple[str, FaultyServer], clock: Clock, status: int) -> None:
    url, faulty = server
    assert len(client(url).json("GET", f"/busy{status}")["hits"]) == 5
    assert len(faulty.asked) == 3


def test_what_changes_the_server_is_not_repeated(server: tuple[str, FaultyServer], clock: Clock) -> None:
    url, faulty = server
    with pytest.raises(EngineError, match="429"):
        client(url).json("PUT", "/busy429", "{}", repeatable=False)
    assert len(faulty.asked) == 1
    assert clock.pauses == []


@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [("7", 7, 7), ("999999", 60, 60), ("soon", 0, 0.5), ("-3", 0, 0.5), ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0.5)],
)
def test_the_server_says_how_long_to_wait(
    server: tuple[str, FaultyServer], clock: Clock, asked: str, least: float, most: float
) -> None:
    url, faulty = server
    faulty.retry_after = asked
    client(url).json("GET", "/busy429")
    assert all(least <= pause <= most for pause in clock.pauses)
    assert len(clock.pauses) == 2


def test_the_server_may_name_the_hour(server: tuple[str, FaultyServer], clock: Clock) -> None:
    url, faulty = server
    faulty.retry_after, faulty.busy = email.utils.formatdate(time.time() + 30, usegmt=True), 1
    client(url).json("GET", "/busy503")
    assert 25 < clock.pauses[0] <= 30


def test_a_short_wait_that_is_asked_for_is_really_waited(server: tuple[str, FaultyServer]) -> None:
    url, faulty = server
    faulty.retry_after, faulty.busy = "1", 1
    began = time.monotonic()
    client(url).json("GET", "/busy429")
    assert time.monotonic() - began >= 1


def test_a_server_that_is_down_is_not_waited_for(clock: Clock) -> None:
    said = message(f"http://127.0.0.1:{closed_port()}", "/search")
    assert said == "is not there (Connection refused). Is it running, and is the URL right?"
    assert clock.pauses == []


def test_a_server_that_went_down_is_waited_for(clock: Clock) -> None:
    with hanging_up(lambda number: OK) as url:
        asking = client(url, retries=2)
        asking.json("GET", "/")
    with pytest.raises(
        EngineError, match=r"Connection refused\)\. Is it running, and is the URL right\? \(after 3 att"
    ):
        asking.json("GET", "/")
    assert len(clock.pauses) == 2


def test_a_slow_server(server: tuple[str, FaultyServer]) -> None:
    assert message(server[0], "/slow", timeout=0.1) == "took too long to answer. timeout says how long to wait"


@pytest.mark.parametrize(
    ("at_once", "then"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (b"HTTP/1.1 200 OK\r\nX-Slow: ", b"a"),
        (b"", b"H"),
    ],
    ids=["content", "chunks", "headers", "status"],
)
def test_a_server_that_sends_a_byte_now_and_then(at_once: bytes, then: bytes) -> None:
    """No pause is as long as the limit; all together are."""
    with dripping([at_once, *[then] * 60], 0.05) as url:
        said = message(url, "/", timeout=0.4, retries=0, connections=1)
    assert said == "took too long to answer. timeout says how long to wait"


def test_connections_are_used_again() -> None:
    addresses = set()

    def answer(request: Request) -> Answer:
        addresses.add(request.client)
        return Answer({"hits": []}) if request.path == "/" else Answer(b"", 404)

    with serving(answer) as url:
        asking = client(url, connections=1)
        for _ in range(3):
            asking.json("GET", "/")
            with pytest.raises(EngineError, match="404"):
                asking.json("GET", "/missing")
    assert len(addresses) == 1


def test_a_body_that_is_cut_short(server: tuple[str, FaultyServer]) -> None:
    # Five hits of 26 letters, four times ", ", and {"hits": []} around them: 130 + 8 + 12; 20 are kept back.
    assert message(server[0], "/cut%20short") == "broke off its answer after 130 of 150 bytes. Its log may say why"
    chunked = b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"hits":'
    with hanging_up(lambda number: chunked) as url:
        said = message(url, "/")
    assert said.startswith("broke off its answer ")
    assert "b'" not in said


def test_a_server_that_hangs_up_and_then_does_not(clock: Clock) -> None:
    def answer(number: int) -> bytes:
        return b"" if number == 2 else OK

    with hanging_up(answer) as url:
        asking = client(url, connections=1)
        asking.json("GET", "/")
        assert asking.json("GET", "/") == {"hits": []}
    assert len(clock.pauses) == 1


def test_what_is_no_http() -> None:
    with hanging_up(lambda number: b"220 smtp.example ESMTP\r\n") as url:
        assert message(url, "/") == "does not speak HTTP (220 smtp.example ESMTP). Is the URL right?"


def test_a_host_that_does_not_exist() -> None:
    with pytest.raises(EngineError, match=r"has a host that no name server knows\. Is the URL right\?"):
        client("http://no-such-host.invalid").json("GET", "/")


def test_credentials_are_sent_and_never_shown(
    server: tuple[str, FaultyServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, faulty = server
    monkeypatch.setenv("PAIR", "anna:hunter2")
    monkeypatch.setenv("BEARER", "Bearer s3cr3t")
    assert message(url, "/echo", basic_auth={"env": "PAIR"}).startswith("answered 403 Forbidden: not for Basic ***.")
    # base64 of anna:hunter2, by `printf anna:hunter2 | base64`.
    assert faulty.asked[-1].headers["authorization"] == "Basic YW5uYTpodW50ZXIy"
    said = message(url, "/echo?key=abc", headers={"Authorization": {"env": "BEARER"}})
    assert said.startswith("answered 403 Forbidden: not for ***.")
    assert faulty.asked[-1].headers["authorization"] == "Bearer s3cr3t"


def test_headers_that_are_no_secret_may_be_written_down(server: tuple[str, FaultyServer]) -> None:
    url, faulty = server
    client(url, headers={"Accept-Language": "de"}).json("GET", "/fine")
    assert faulty.asked[-1].headers["accept-language"] == "de"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"headers": {"Authorization": "Bearer abc"}}, "headers.Authorization is a secret: put it in an environment"),
        ({"headers": {"X-Api-Key": "abc"}}, "headers.X-Api-Key is a secret"),
        ({"headers": {"Accept": 5}}, "headers.Accept is to be a text"),
        ({"headers": {"Authorization": {"env": "CRANFIELD_NOT_SET"}}}, "CRANFIELD_NOT_SET, which is not set"),
        ({"basic_auth": "anna:hunter2"}, "basic_auth is a secret"),
        ({"timeout": 0}, "timeout is 0; expected a number of at least"),
        ({"connect_timeout": "5"}, "connect_timeout is '5'; expected a number"),
        ({"retries": -1}, "retries is -1; expected a whole number"),
        ({"connections": 0}, "concurrency is 0; expected a whole number"),
        ({"verify": "no"}, "verify is 'no'; expected true or false"),
    ],
)
def test_impossible_settings(settings: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParameterError) as raised:
        client("http://127.0.0.1", **settings)
    assert expected in str(raised.value)
    assert "hunter2" not in str(raised.value)
    assert "abc" not in str(raised.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://anna:hunter2@127.0.0.1/", "url holds a user name or password"),
        ("ftp://anna:hunter2@127.0.0.1/", "url = 'ftp://127.0.0.1/' is to begin with http:// or https://"),
        ("localhost:9200", "url = 'localhost:9200' is to begin with http:// or https://"),
        ("", "url is ''; expected a text"),
        (
            "http://127.0.0.1:9200/papers?key=hunter2",
            "url = 'http://127.0.0.1:9200/papers' goes on with a question mark",
        ),
    ],
)
def test_impossible_urls(url: str, expected: str) -> None:
    with pytest.raises(ParameterError) as raised:
        client(url)
    assert expected in str(raised.value)
    assert "hunter2" not in str(raised.value)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate that nobody has signed but its owner."""
    made = tmp_path / "server.pem"
    subject = ("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    command = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject)
    try:
        subprocess.run([*command, "-keyout", str(made), "-out", str(made) + ".crt"], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no openssl to make a certificate with")
    made.write_text(made.read_text() + Path(f"{made}.crt").read_text())
    return made


def test_a_server_has_to_prove_who_it_is(certificate: Path) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with serving(lambda request: Answer({"hits": []}), tls) as url:
        said = message(url, "/")
        assert said.startswith("cannot prove who it is (")
        assert said.endswith("ca_file names the certificates to trust")
        assert client(url, ca_file=f"{certificate}.crt").json("GET", "/") == {"hits": []}
        assert client(url, verify=False).json("GET", "/") == {"hits": []}
