from __future__ import annotations

import pytest

from tests.web.tasks.making import Contest, make_contest


@pytest.fixture
def contest(db: None) -> Contest:
    """Two topics with four documents each; two runs of each participant may stand."""
    return make_contest()
