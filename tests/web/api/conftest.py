"""A project that is being judged, and a program that comes to it by a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from cranfield.web.accounts.tokens import make_token
from cranfield.web.projects.models import Project
from tests.web.api.making import judged_project


@dataclass(frozen=True)
class Program:
    """Something that asks by a token, and knows what its project is."""

    project: Project
    client: Client

    def get(self, path: str = "", **parameters: Any) -> Any:
        return self.client.get(f"/api/projects/{self.project.pk}{path}", parameters)

    def post(self, path: str, content: Any, content_type: str = "application/json") -> Any:
        return self.client.post(f"/api/projects/{self.project.pk}{path}", content, content_type=content_type)


@pytest.fixture
def project(db: None) -> Project:
    return judged_project()


@pytest.fixture
def program(project: Project) -> Program:
    _, secret = make_token(project, None, "a program", may_write=True)
    return Program(project, Client(headers={"authorization": f"Bearer {secret}"}))
