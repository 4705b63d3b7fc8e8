"""A measure of a ranking that is written down."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.errors import CranfieldError, DataError, ParameterError, UsageError
from cranfield.measures import evaluate_one


def test_a_string_stays_a_string() -> None:
    assert evaluate_one("RelString", [1, 0]) == "10"
    assert evaluate_one("RelString", [1, 0, None, 2]) == "10-2"
    assert evaluate_one("RelString@2", [1, -1, None, 2]) == "1."


@pytest.mark.parametrize(
    ("measure", "grades", "options", "error", "message"),
    [
        ("AP", [1, 0, "x"], {}, DataError, "rank 3: grade 'x' is not a number"),
        ("AP", [1, None, float("nan")], {}, DataError, "rank 3: grade nan is not a finite number"),
        ("AP", [1, None], {"unretrieved": [1, None]}, DataError, "unretrieved document 2: grade None is not a finite number"),
        ("AP", 5, {}, UsageError, "a ranking is a list with an entry for each rank, as in [1, 0, None], not 5"),
        ("statAP", [1, 0], {"probabilities": [1, "x"]}, DataError, "rank 2: probability 'x' is not a number"),
        ("xinfAP", [1], {"strata": [0.5]}, DataError, "rank 1: stratum 0.5 is neither text nor a whole number"),
        ("alpha_nDCG", [1, 0], {}, DataError,
         "rank 1: expected the subtopics of a document, as in 'ab' or {'a': 2, 'b': 1}, found 1"),
        ("alpha_nDCG", ["a"], {"unretrieved": [2]}, DataError,
         "unretrieved document 1: expected the subtopics of a document, as in 'ab' or {'a': 2, 'b': 1}, found 2"),
        ("prefs_simp", [1, 0], {}, UsageError, "prefs_simp needs more than grades; evaluate(..., relevance='prefs') has it"),
        ("AP_avgjg", [1, 0], {}, UsageError, "AP_avgjg needs more than grades; evaluate(..., relevance='qrels_jg') has it"),
        ("P@1..3", [1, 0], {}, ParameterError, "P@1..3 stands for 3 measures; name one, such as P@1"),
    ],
)  # fmt: skip
def test_what_cannot_be_evaluated(
    measure: str, grades: Any, options: dict[str, Any], error: type[CranfieldError], message: str
) -> None:
    with pytest.raises(error) as caught:
        evaluate_one(measure, grades, **options)
    assert str(caught.value) == message
