from __future__ import annotations

import pytest
from django.test import Client

from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Project
from tests.web.review.making import empty_project, make_manager


@pytest.fixture
def project(db: None) -> Project:
    """Two topics with four documents each, on a scale from 0 to 2; nobody has judged."""
    return empty_project()


@pytest.fixture
def mia(project: Project) -> User:
    return make_manager(project)


@pytest.fixture
def manager(mia: User) -> Client:
    client = Client()
    client.force_login(mia)
    return client
