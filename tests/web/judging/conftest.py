from __future__ import annotations

import pytest

from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Project
from tests.web.judging.making import make_assessor, make_project


@pytest.fixture
def project(db: None) -> Project:
    """Two topics with five documents each, one judgment wanted of each."""
    return make_project()


@pytest.fixture
def ann(project: Project) -> User:
    return make_assessor(project, "ann")


@pytest.fixture
def bob(project: Project) -> User:
    return make_assessor(project, "bob")
