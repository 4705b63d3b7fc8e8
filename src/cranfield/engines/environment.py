"""Values that come from environment variables, so that no file or message holds a secret."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from cranfield.errors import ParameterError

Given = str | Mapping[str, str]
"""A text as it is, or `{"env": "NAME"}` for the value of an environment variable."""

_SECRET = re.compile(
    r"(?<![a-z])(auth|authorization|cookie|credentials?|(api)?key|pass(phrase|wd|word)|pwd|secret|sig(nature)?|token)"
    r"(?![a-z])",
    re.IGNORECASE,
)


def value_of(parameter: str, given: object) -> str:
    """What a parameter says, looked up in the environment where it names a variable.

    >>> value_of("headers.Authorization", {"env": "NO_SUCH_VARIABLE"})
    Traceback (most recent call last):
    ...
    cranfield.errors.ParameterError: headers.Authorization comes from the environment variable NO_SUCH_VARIABLE,
    which is not set
    """
    if isinstance(given, str):
        return given
    named = given.get("env") if isinstance(given, Mapping) and len(given) == 1 else None
    if not isinstance(named, str):
        raise ParameterError(f'{parameter} is to be a text, or {{env = "NAME"}} for an environment variable')
    value = os.environ.get(named)
    if not value:
        raise ParameterError(f"{parameter} comes from the environment variable {named}, which is not set")
    return value


def given_as(given: Given) -> str | dict[str, str]:
    """What a parameter was given as, to be written down: the name of a variable, and not what it holds."""
    return given if isinstance(given, str) else dict(given)


def secret(parameter: str, given: object) -> str:
    """What a parameter says that nobody else may read: it has to come from the environment.

    >>> secret("password", "123456")
    Traceback (most recent call last):
    ...
    cranfield.errors.ParameterError: password is a secret: put it in an environment variable and write
    password = {env = "NAME"}
    """
    if isinstance(given, str):
        raise ParameterError(
            f'{parameter} is a secret: put it in an environment variable and write {parameter} = {{env = "NAME"}}'
        )
    return value_of(parameter, given)


def sounds_secret(name: str) -> bool:
    """Whether what bears this name is likely to be a secret.

    >>> [name for name in ("X-Api-Key", "apikey", "keyword", "author", "access_token") if sounds_secret(name)]
    ['X-Api-Key', 'apikey', 'access_token']
    """
    return bool(_SECRET.search(name))
