"""What an operation of the interface is: requests are routed by these, and the description is made from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cranfield.web.accounts.models import ApiToken
from cranfield.web.api.fitting import Schema
from cranfield.web.projects.models import Project

JSON = "application/json"


@dataclass(frozen=True)
class Asked:
    """A request that was found in order: whose token, which project, and what else it says."""

    token: ApiToken
    project: Project
    parts: Mapping[str, str] = field(default_factory=dict)
    """Of the path, but for the project."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    unless: str = ""
    """The ETags that the program has already."""


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    """Below `/api/`, such as `projects/{project}/pool`."""
    name: str
    """What the description calls it."""
    summary: str
    answer: Callable[[Asked], Any]
    """Gives what becomes JSON, or a whole response."""
    result: Schema
    """Of the JSON in the answer; of other answers, see `media_types`."""
    said: str = ""
    """More on it, for the description."""
    parameters: Mapping[str, Schema] = field(default_factory=dict)
    parts: Mapping[str, Schema] = field(default_factory=dict)
    """Of the path, but for the project."""
    body: Schema | None = None
    media_types: tuple[str, ...] = (JSON,)
    statuses: Mapping[int, str] = field(default_factory=dict)
    """Answers of its own, besides 200 and the problems that all have."""

    @property
    def writes(self) -> bool:
        return self.method != "GET"
