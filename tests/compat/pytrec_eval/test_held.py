"""What is parsed behaves as dicts do, whoever looks first and however."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections import defaultdict
from collections.abc import Callable, MutableMapping
from typing import Any

import pandas
import pytest
import pytrec_eval as original

from cranfield.compat import pytrec_eval
from cranfield.compat.pytrec_eval.held import Documents, Unread

LINES = ["q2 Q0 d1 1 0.5 t", "q2 Q0 é2 2 0.25 t", "q1 Q0 d1 1 -3 t", "q1 Q0 d9 2 1e3 t"]
PLAIN = {"q2": {"d1": 0.5, "é2": 0.25}, "q1": {"d1": -3.0, "d9": 1000.0}}
QRELS = {"q1": {"d1": 1, "d9": 0}, "q2": {"é2": 2}}


def unread() -> Any:
    documents = pytrec_eval.parse_run(LINES)["q2"]
    assert type(documents) is Unread
    return documents


def test_it_is_a_dict_of_dicts() -> None:
    run = pytrec_eval.parse_run(LINES)
    assert type(run) is defaultdict
    assert run.default_factory is dict
    assert list(run) == ["q2", "q1"]
    assert all(isinstance(documents, dict) and isinstance(documents, MutableMapping) for documents in run.values())
    assert run == PLAIN
    assert run["never"] == {}
    assert list(run) == ["q2", "q1", "never"]


LOOKS: dict[str, Callable[[Any], Any]] = {
    "get an item": lambda d: d["d1"],
    "get": lambda d: (d.get("d1"), d.get("none", 7)),
    "len": len,
    "bool": bool,
    "in": lambda d: ("d1" in d, "x" in d),
    "list": list,
    "reversed": lambda d: list(reversed(d)),
    "keys": lambda d: list(d.keys()),
    "values": lambda d: list(d.values()),
    "items": lambda d: list(d.items()),
    "views": lambda d: d.keys() & {"d1", "x"},
    "sorted": lambda d: sorted(d.items(), key=lambda item: item[1]),
    "max": lambda d: max(d, key=d.get),
    "equal": lambda d: d == {"d1": 0.5, "é2": 0.25},
    "equal, reversed": lambda d: PLAIN["q2"] == d,
    "not equal": lambda d: d != {"d1": 0.5, "é2": 0.25},
    "repr": repr,
    "str": str,
    "dict": dict,
    "unpack": lambda d: {**d},
    "keywords": lambda d: (lambda **named: named)(**d),
    "update another": lambda d: (lambda other: (other.update(d), other))({"x": 1.0}),
    "or": lambda d: d | {"x": 1.0},
    "or, reversed": lambda d: {"x": 1.0} | d,
    "copy": lambda d: d.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda d: pickle.loads(pickle.dumps(d)),
    "json": json.dumps,
    "indented json": lambda d: json.dumps(d, indent=1, sort_keys=True),
    "set": lambda d: (d.__setitem__("x", 2.0), list(d.items())),
    "delete": lambda d: (d.__delitem__("d1"), list(d.items())),
    "pop": lambda d: (d.pop("d1"), d.pop("x", None), list(d.items())),
    "popitem": lambda d: (d.popitem(), list(d.items())),
    "setdefault": lambda d: (d.setdefault("d1", 9.0), d.setdefault("x", 9.0), list(d.items())),
    "update": lambda d: (d.update({"d1": 9.0}), list(d.items())),
    "in-place or": lambda d: (d.__ior__({"x": 9.0}), list(d.items()))[1],
    "clear": lambda d: (d.clear(), list(d.items())),
    "sum": lambda d: sum(d.values()),
    "set of": set,
    "match": lambda d: [score for score in d.values() if isinstance(score, float)],
    "isinstance": lambda d: isinstance(d, dict),
}


@pytest.mark.parametrize("name", LOOKS)
def test_whatever_one_does_with_it(name: str) -> None:
    look = LOOKS[name]
    # Oracle: the same done with a plain dict.
    assert look(unread()) == look(dict(PLAIN["q2"]))


def test_equality_of_two_that_nobody_has_looked_into() -> None:
    assert unread() == unread()
    assert pytrec_eval.parse_run(LINES) == pytrec_eval.parse_run(LINES)
    read = unread()
    len(read)
    assert read == unread()
    assert unread() == read
    assert unread() != pytrec_eval.parse_run(LINES)["q1"]
    assert (unread() | unread()) == PLAIN["q2"]


def test_copies_are_plain() -> None:
    assert type(copy.copy(unread())) is type(copy.deepcopy(unread())) is type(unread().copy()) is dict
    run = pickle.loads(pickle.dumps(pytrec_eval.parse_run(LINES)))
    assert type(run) is defaultdict
    assert [type(documents) for documents in run.values()] == [dict, dict]


def test_a_whole_run_as_json_and_as_a_table() -> None:
    assert json.loads(json.dumps(pytrec_eval.parse_run(LINES))) == PLAIN
    table = pandas.DataFrame(pytrec_eval.parse_run(LINES))
    assert table.equals(pandas.DataFrame(PLAIN))


def test_evaluating_does_not_look() -> None:
    run, qrels = pytrec_eval.parse_run(LINES), pytrec_eval.parse_qrel(["q1 0 d1 1", "q2 0 é2 2", "q2 0 x 0"])
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map"})
    # By hand: é2 is second of two; d1 has the lower score of two.
    assert evaluator.evaluate(run) == {"q2": {"map": 0.5}, "q1": {"map": 0.5}}
    assert evaluator.evaluate({"q1": run["q1"]}) == {"q1": {"map": 0.5}}
    assert evaluator.evaluate({"q2": run["q1"]}) == {"q2": {"map": 0.0}}  # under another name: é2 is not in it
    assert evaluator.evaluate(dict(run)) == evaluator.evaluate(run)
    assert [type(documents) for documents in [*run.values(), *qrels.values()]] == [Unread] * 4


def test_what_is_evaluated_is_what_is_there() -> None:
    run = pytrec_eval.parse_run(LINES)
    run["q1"]["d1"] = 2000.0
    assert type(run["q1"]) is Documents
    evaluator = pytrec_eval.RelevanceEvaluator(QRELS, {"map"})
    assert evaluator.evaluate(run) == {"q2": {"map": 0.5}, "q1": {"map": 1.0}}
    del run["q2"]["d1"]
    run["q3"] = run.pop("q1")
    assert evaluator.evaluate(run) == {"q2": {"map": 1.0}}


def test_judgments_that_change_later() -> None:
    qrels = pytrec_eval.parse_qrel(["q1 0 d1 1", "q1 0 d9 0"])
    before = pytrec_eval.RelevanceEvaluator(qrels, {"map"})
    qrels["q1"]["d9"] = 1
    after = pytrec_eval.RelevanceEvaluator(qrels, {"map"})
    # By hand: d9 first, then d1. Relevant at rank 2, or at both ranks.
    assert before.evaluate(PLAIN) == {"q1": {"map": 0.5}}
    assert after.evaluate(PLAIN) == {"q1": {"map": 1.0}}


def test_code_that_looks_past_the_methods_stops() -> None:
    # pytrec_eval itself reads dicts in C, without asking them: it must not take one for empty.
    evaluator = original.RelevanceEvaluator(QRELS, {"map"})
    with pytest.raises(TypeError):
        evaluator.evaluate(pytrec_eval.parse_run(LINES))
    plain = {query: dict(documents) for query, documents in pytrec_eval.parse_run(LINES).items()}
    assert evaluator.evaluate(plain) == {"q2": {"map": 0.5}, "q1": {"map": 0.5}}


def test_identifiers_that_are_not_text() -> None:
    lines = io.BufferedReader(io.BytesIO(b"q1 Q0 caf\xe9 1 0.5 t\nq1 Q0 caf\xc3\xa9 2 0.5 t\n"))
    run = pytrec_eval.parse_run(lines)
    assert list(run["q1"]) == ["caf\udce9", "café"]
    # Tied; in bytes 0xE9 comes after 0xC3, so that it comes first; looked into or not.
    for _ in range(2):
        assert pytrec_eval.RelevanceEvaluator({"q1": {"caf\udce9": 1}}, {"map"}).evaluate(run) == {"q1": {"map": 1.0}}
        assert pytrec_eval.RelevanceEvaluator({"q1": {"café": 1}}, {"map"}).evaluate(run) == {"q1": {"map": 0.5}}
        dict(run["q1"])
