"""Asking a server over HTTP, patiently: time limits, repetition with back-off, TLS, and secrets that stay secret."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict
from urllib.parse import urlsplit

from cranfield.engines import http_failures
from cranfield.engines.environment import Given, given_as, secret, sounds_secret, value_of
from cranfield.engines.parameters import number, text, whole_number, yes_or_no
from cranfield.engines.patience import pause
from cranfield.errors import EngineError, MissingExtraError, ParameterError

_AGAIN = frozenset({429, 500, 502, 503, 504})
"""Answers after which the same request may succeed a little later."""


class Connection(TypedDict, total=False):
    """The parameters that every engine has that is asked over HTTP."""

    headers: Mapping[str, Given]
    """Sent with each request; secrets as `{env = "NAME"}`."""
    basic_auth: Given
    """`{env = "NAME"}` of a variable that holds `user:password`."""
    timeout: float
    """Seconds after which a request has failed that is not answered in full, from its first byte to the last of the
    answer. One that is repeated has as long again."""
    connect_timeout: float
    """Seconds after which a server that does not take the call is out of reach."""
    retries: int
    """How often a request is repeated that failed for a reason that may pass."""
    ca_file: str
    """Certificates of the authorities to trust, instead of those of the system."""
    verify: bool
    """Whether the server has to prove who it is."""


IMMATERIAL = frozenset({"concurrency", "timeout", "connect_timeout", "retries", "ca_file", "verify"})
"""What changes nothing in the answers."""


class HttpClient:
    """A pool of connections to one server.

    Errors in connecting and answers of 429 and 5xx are followed by another attempt, after a pause that doubles each
    time, is drawn between half and all of that, and is what the server asks for in `Retry-After` if that is longer (at
    most a minute). A server that has never answered is not asked again: it is down, or the URL is wrong.
    """

    def __init__(
        self,
        engine: str,
        url: str,
        *,
        connections: int,
        hidden: Sequence[str] = (),
        headers: Mapping[str, Given] | None = None,
        basic_auth: Given | None = None,
        timeout: float = 30.0,
        connect_timeout: float = 5.0,
        retries: int = 4,
        ca_file: str | None = None,
        verify: bool = True,
    ) -> None:
        try:
            import urllib3

            from cranfield.engines.timely_connections import TimelyConnection, TimelyTlsConnection
        except ImportError:
            raise MissingExtraError(f"the engine {engine}", "search") from None
        parts = urlsplit(text("url", url))
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ParameterError(f"url = {_without_credentials(url)!r} is to begin with http:// or https:// and a host")
        if parts.username or parts.password:
            raise ParameterError(
                "url holds a user name or password: put user:password in an environment variable and write "
                'basic_auth = {env = "NAME"}'
            )
        if parts.query:
            raise ParameterError(
                f"url = {url.partition('?')[0]!r} goes on with a question mark, and the engine {engine} puts its own "
                "requests behind the address. Take that part out: what belongs to a search goes into query "
                "(opensearch, elasticsearch) or parameters (solr)"
            )
        whole_number("concurrency", connections, least=1, most=1000)
        limit = number("timeout", timeout, least=0.001)
        reached = urllib3.Timeout(connect=number("connect_timeout", connect_timeout, least=0.001), read=limit)
        self.engine = engine
        self.retries = whole_number("retries", retries, least=0)
        self.path = parts.path.rstrip("/")
        self._host = f"{parts.scheme}://{parts.netloc}"
        self._headers, self._secrets = _headers(headers or {})
        self._secrets += hidden
        if basic_auth is not None:
            pair = secret("basic_auth", basic_auth)
            self._headers |= urllib3.make_headers(basic_auth=pair)
            self._secrets += [pair, pair.partition(":")[2], self._headers["authorization"].split()[1]]
        tls = {"cert_reqs": "CERT_REQUIRED" if yes_or_no("verify", verify) else "CERT_NONE", "ca_certs": ca_file}
        if not verify:
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        self._pool = urllib3.connection_from_url(
            self._host,
            maxsize=connections,
            block=True,
            timeout=reached,
            limit=limit,
            **(tls if parts.scheme == "https" else {}),
        )
        self._pool.ConnectionCls = TimelyConnection if parts.scheme == "http" else TimelyTlsConnection
        self._mishaps = urllib3.exceptions.HTTPError
        self._described = {
            "headers": {name: given_as(value) for name, value in (headers or {}).items()},
            "basic_auth": None if basic_auth is None else given_as(basic_auth),
        }
        self._answered = False

    def json(self, method: str, target: str, body: str | bytes | None = None, **options: Any) -> Any:
        """What the server answers to a request, which has to be JSON."""
        answer = self.request(method, target, body, **options)
        try:
            return json.loads(answer)
        except ValueError as error:
            raise self.error(target, http_failures.not_json(answer, error)) from None

    def request(
        self,
        method: str,
        target: str,
        body: str | bytes | None = None,
        *,
        content_type: str = "application/json",
        repeatable: bool = True,
        allowed: tuple[int, ...] = (),
    ) -> bytes:
        """The bytes that the server answers to a request; a status that is neither fine nor allowed is an error."""
        headers = self._headers if body is None else {**self._headers, "content-type": content_type}
        attempt = 1
        while True:
            asked = None
            try:
                answer = self._pool.urlopen(method, target, body, headers, retries=False, redirect=False)
            except self._mishaps as error:
                problem, again = http_failures.no_answer(error), self._answered
            else:
                self._answered = True
                if 200 <= answer.status < 300 or answer.status in allowed:
                    return answer.data
                problem, again = http_failures.refusal(answer, answer.data), answer.status in _AGAIN
                asked = answer.headers.get("Retry-After")
            if not (again and repeatable) or attempt > self.retries:
                raise self.error(target, problem, attempt)
            time.sleep(pause(attempt, _seconds(asked)))
            attempt += 1

    def description(self) -> dict[str, Any]:
        """What is sent with every request, for the provenance of a run: what is secret by the name of its variable."""
        return {name: value for name, value in self._described.items() if value}

    def where(self, target: str) -> str:
        """The address of a request as it may be shown: what follows the question mark may hold secrets."""
        return self._host + target.partition("?")[0]

    def close(self) -> None:
        """Let go of the connections."""
        self._pool.close()

    def error(self, target: str, problem: str, attempts: int = 1) -> EngineError:
        """An error that says which engine and address has the problem, without what must not be shown."""
        for hidden in self._secrets:
            problem = problem.replace(hidden, "***")
        tried = f" (after {attempts} attempts)" if attempts > 1 else ""
        return EngineError(f"{self.engine} at {self.where(target)} {problem}{tried}")


def _headers(given: Mapping[str, Given]) -> tuple[dict[str, str], list[str]]:
    """The headers as they are sent, and what among them must not be shown."""
    headers, secrets = {"accept": "application/json", "user-agent": "cranfield"}, []
    for name, value in given.items():
        read = secret if sounds_secret(name) else value_of
        headers[name.lower()] = read(f"headers.{name}", value)
        if not isinstance(value, str):
            # Of "Bearer abc" the part behind the blank is the secret one.
            secrets += [headers[name.lower()], headers[name.lower()].split()[-1]]
    return headers, secrets


def _seconds(asked: str | None) -> float:
    """`Retry-After` in seconds, which is a number or a date."""
    if asked is None:
        return 0.0
    if asked.strip().isdigit():
        return float(asked)
    from email.utils import parsedate_to_datetime

    try:
        return float(parsedate_to_datetime(asked).timestamp()) - time.time()
    except ValueError:
        return 0.0


def _without_credentials(url: str) -> str:
    scheme, separator, rest = url.rpartition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2]}"
