"""What every docstring example may use without importing it."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _names_in_examples(doctest_namespace: dict[str, Any]) -> None:
    from cranfield import evaluate, evaluate_one

    doctest_namespace["evaluate"] = evaluate
    doctest_namespace["evaluate_one"] = evaluate_one
