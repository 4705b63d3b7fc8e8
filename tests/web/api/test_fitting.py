"""What fits a schema and what does not: the same as jsonschema 4 says, with words of our own."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.web.api.fitting import mistakes_in
from cranfield.web.api.label_imports import GIVEN
from cranfield.web.api.pool import NEW
from cranfield.web.api.schemas import shape, whole

LABEL = {
    "event": "8e6c2a52-4a0f-4f3e-9a57-0d8a3b7f5f10",
    "time": "2026-03-01T09:30:00Z",
    "assessor": "ann",
    "topic": "q1",
    "document": "d1",
    "action": "grade",
    "grade": 2,
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def fits(value: Any, schema: Any) -> bool:
    return not list(mistakes_in(value, schema))


@st.composite
def changed(draw: st.DrawFn, whole: dict[str, Any]) -> dict[str, Any]:
    """An object with one field left out, added, or made anything."""
    name = draw(st.sampled_from([*whole, "reason", "active_ms", "fields", "title", "what"]))
    value = {**whole, name: draw(JSON)}
    if draw(st.booleans()):
        del value[name]
    return value


@settings(max_examples=150, deadline=None)
@given(changed(LABEL) | changed({"topic": "q1", "document": "d1", "title": "Soup"}))
def test_as_json_schema_has_it(value: dict[str, Any]) -> None:
    """Oracle: jsonschema 4, which does not check formats."""
    for schema in (GIVEN, NEW):
        expected = jsonschema.Draft202012Validator(schema).is_valid(value)
        found = [one for one in mistakes_in(value, schema) if "expected a UUID" not in one.said]
        found = [one for one in found if "expected a time" not in one.said]
        assert (not found) == expected, (value, found)


@pytest.mark.parametrize(
    ("change", "where", "said"),
    [
        ({"grade": "2"}, "/grade", "found '2'; expected a number"),
        ({"grade": None}, "/grade", "found null; expected a number"),
        ({"grade": True}, "/grade", "found True; expected a number"),
        ({"action": "grad"}, "/action", "found 'grad'. Did you mean grade? There are: grade, unsure, skip"),
        ({"action": "skip"}, "/grade", "found 2; expected null"),
        ({"assessor": "ann lee"}, "/assessor", "without white space"),
        ({"assessor": "a" * 41}, "/assessor", "found 41 characters; expected 1 to 40"),
        ({"topic": "q1\n"}, "/topic", "without white space"),
        ({"topic": "\ud800"}, "/topic", "found '\\ud800'"),
        ({"reason": "so\0up"}, "/reason", "found 'so\\x00up'"),
        ({"event": "8e6c"}, "/event", "expected a UUID"),
        ({"event": "8e6c2a524a0f4f3e9a570d8a3b7f5f10"}, "/event", "expected a UUID"),
        ({"time": "2026-03-01"}, "/time", "expected a time such as"),
        ({"time": "2026-02-30T09:30:00Z"}, "/time", "expected a time such as"),
        (
            {"time": "0001-01-01T00:00:00+01:00"},
            "/time",
            "found '0001-01-01T00:00:00+01:00'; expected when it was done",
        ),
        ({"active_ms": -1}, "/active_ms", "found -1; expected a number from 0 to 2147483647"),
        ({"active_ms": 1.5}, "/active_ms", "found 1.5; expected a whole number or null"),
        ({"gradde": 1}, "/gradde", "there is no field 'gradde'. Did you mean grade?"),
        ({"a/b~c": 1}, "/a~1b~0c", "there is no field"),
    ],
)
def test_says_where_and_what(change: dict[str, Any], where: str, said: str) -> None:
    [mistake] = mistakes_in({**LABEL, **change}, GIVEN)
    assert mistake.where == where
    assert said in mistake.said


def test_what_is_missing() -> None:
    [mistake] = mistakes_in({}, shape("x", {"n": whole("n")}))
    assert (mistake.where, mistake.said) == ("", "n is missing")


@pytest.mark.parametrize(
    "time", ["2026-03-01T09:30:00Z", "2026-03-01t09:30:00.123456789z", "2026-03-01T09:30:00-05:30"]
)
def test_times(time: str) -> None:
    assert fits({**LABEL, "time": time}, GIVEN)
