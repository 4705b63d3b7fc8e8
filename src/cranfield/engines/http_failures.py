"""What is said when a server does not answer, refuses, or answers what cannot be used, and what to do about it."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse
    from urllib3.exceptions import HTTPError

_SHOWN = 300
"""Characters of an answer that are shown."""

_ADVICE = {
    400: "Is the query template right?",
    401: 'It wants to know who asks: basic_auth = {env = "NAME"} or [headers] Authorization = {env = "NAME"}.',
    403: "The credentials do not allow this.",
    404: "Are URL and index right?",
    429: "It is asked too often: lower concurrency.",
}


def no_answer(error: HTTPError) -> str:
    """Why there is no answer."""
    from urllib3 import exceptions

    # The first two are kinds of the third for urllib3.
    if isinstance(error, exceptions.NameResolutionError):
        return "has a host that no name server knows. Is the URL right?"
    if isinstance(error, exceptions.NewConnectionError):
        return f"is not there ({_cause(error)}). Is it running, and is the URL right?"
    if isinstance(error, exceptions.ConnectTimeoutError):
        return "cannot be reached in time. Is the URL right? connect_timeout says how long to wait"
    if isinstance(error, exceptions.ReadTimeoutError) or isinstance(_innermost(error), TimeoutError):
        return "took too long to answer. timeout says how long to wait"
    if isinstance(error, exceptions.SSLError):
        return f"cannot prove who it is ({_cause(error)}). ca_file names the certificates to trust"
    if isinstance(error, exceptions.ProtocolError):
        return _broken_off(error)
    return f"cannot be asked: {_cause(error)}"


def refusal(answer: BaseHTTPResponse, content: bytes) -> str:
    """What is wrong by the status of an answer, and what it says."""
    said = f"answered {answer.status}{f' {answer.reason}' if answer.reason else ''}"
    if 300 <= answer.status < 400:
        there = re.sub(r"//[^/@]*@", "//", answer.headers.get("Location", "").partition("?")[0])
        return f"{said}: it sends us to {there or 'another place'}. Write that URL if it is the right one"
    text = _reason(content)
    advice = _ADVICE.get(answer.status, "Its log may say why." if answer.status >= 500 else "")
    return f"{said}{f': {text}' if text else ''}{f'. {advice}' if advice else ''}".removesuffix(".")


def not_json(answer: bytes, error: ValueError) -> str:
    """What an answer is that is not JSON."""
    if not answer.strip():
        return "answered nothing where JSON is expected"
    if (page := _page(answer)) is not None:
        return f"answered a web page{page} where JSON is expected. Is there a login or a proxy in between?"
    if isinstance(error, json.JSONDecodeError) and (
        error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")
    ):
        return f"broke off its answer after {len(answer)} bytes: ...{_text(answer[-60:])}"
    return f"answered what is not JSON: {_text(answer)}"


def _broken_off(error: Exception) -> str:
    """What an answer is that does not end as it should, or does not even begin."""
    from http.client import BadStatusLine, IncompleteRead, LineTooLong

    innermost = _innermost(error)
    if isinstance(innermost, IncompleteRead):  # urllib3's own has a number where Python's has the bytes
        partial: Any = innermost.partial
        partial = partial if isinstance(partial, int) else len(partial)
        missing = f" of {partial + innermost.expected}" if innermost.expected else ""
        return f"broke off its answer after {partial}{missing} bytes. Its log may say why"
    # A server that hangs up without a word is for Python an empty line in the place of a status.
    if isinstance(innermost, BadStatusLine | LineTooLong) and not isinstance(innermost, ConnectionError):
        return f"does not speak HTTP ({_shortened(str(innermost))}). Is the URL right?"
    return f"broke off its answer ({_cause(error)}). Its log may say why"


def _innermost(error: Exception) -> Exception:
    """The first cause; urllib3 has some of them among the arguments of an exception."""
    nested = error.__cause__ or (error.args[-1] if error.args else None)
    return _innermost(nested) if isinstance(nested, Exception) else error


def _cause(error: Exception) -> str:
    """The innermost reason, without the objects that urllib3 names on the way."""
    error = _innermost(error)
    innermost = error.args[-1] if error.args else error
    return re.sub(r"^.*?object at 0x[0-9a-f]+>:? ?|^\S+\(host=.*?\): ", "", str(innermost))[:_SHOWN]


def _reason(body: bytes) -> str:
    """What a refusal says, out of the JSON that OpenSearch, Elasticsearch and Solr wrap it in."""
    try:
        answer = json.loads(body)
    except ValueError:
        page = _page(body)
        return _text(body) if page is None else f"a web page{page}"
    error = answer.get("error") if isinstance(answer, dict) else None
    if isinstance(error, dict):
        causes = error.get("root_cause") or [error]
        reasons = [cause.get("reason") for cause in causes if isinstance(cause, dict)] + [error.get("msg")]
        return _shortened("; ".join(str(reason) for reason in reasons if reason)) or _text(body)
    return _shortened(error) if isinstance(error, str) else _text(body)


def _page(body: bytes) -> str | None:
    """The title of a web page, in brackets; None where this is not one."""
    start = body[:2000].decode("utf-8", "replace")
    if not re.match(r"\s*(<!doctype html|<html|<head|<body|<!--)", start, re.IGNORECASE):
        return None
    title = re.search(r"<title[^>]*>(.*?)</title>", start, re.IGNORECASE | re.DOTALL)
    return f" ({_shortened(unescape(title[1]))!r})" if title else ""


def _text(body: bytes) -> str:
    return _shortened(body[: 4 * _SHOWN].decode("utf-8", "replace"))


def _shortened(text: str) -> str:
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
