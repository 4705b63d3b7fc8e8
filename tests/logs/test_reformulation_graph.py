"""From query to query, against a loop over sessions."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from cranfield.logs.reformulation_graph import KINDS, kind_of_change, reformulation_graph
from tests.logs.making import make_log, query
from tests.logs.small_world import log_of, pages_at_random


@pytest.mark.parametrize("minutes", [1, 5])
def test_against_a_loop(tmp_path: Path, minutes: int) -> None:
    pages = pages_at_random(7, count=200, users=3)
    found = reformulation_graph(log_of(tmp_path, pages), minutes=minutes)
    edges, last = Counter[tuple[str, str]](), dict[str, tuple[str, int]]()
    for page in pages:
        if page.user in last:
            text, seconds = last[page.user]
            # A session ends with 30 minutes of silence, which is more than is allowed here.
            if text != page.text and page.seconds - seconds <= 60 * minutes:
                edges[text, page.text] += 1
        last[page.user] = page.text, page.seconds
    assert edges
    assert {(edge.text, edge.next_text): edge.times for edge in found.edges} == edges
    assert found.changes == edges.total()
    assert [edge.times for edge in found.edges] == sorted(edges.values(), reverse=True)
    kinds = defaultdict[str, int](int)
    for edge in found.edges:
        kinds[edge.kind] += edge.times
    assert found.kinds == {kind: kinds[kind] for kind in KINDS}


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("soup", "hot soup", "specialisation"),
        ("hot tomato soup", "soup", "generalisation"),
        ("tomatoe soup", "tomato soup", "spelling"),
        ("recieve mail", "receive mail", "spelling"),  # two letters changed places
        ("soup", "soap", "spelling"),
        ("soup", "sap", "other"),  # a short word, two letters otherwise
        ("iphone 14", "iphone 15", "replacement"),  # other numbers are other things
        ("soup hot", "hot soup", "spelling"),
        ("head phones", "headphones", "spelling"),
        ("tomato soup", "tomato salad", "replacement"),
        ("soup", "bread", "other"),
    ],
)
def test_kinds(before: str, after: str, kind: str) -> None:
    assert kind_of_change(before, after) == kind


def test_changes_that_few_sessions_made_are_left_out(tmp_path: Path) -> None:
    rows = [
        query(f"{who}{at}", text, 10 * at, client_id=who)
        for who in ("ann", "bob")
        for at, text in enumerate(("soup", "hot soup", f"soup of {who}"))
    ]
    log = make_log(tmp_path, rows)
    found = reformulation_graph(log, least=2)
    assert [edge[:4] for edge in found.edges] == [("soup", "hot soup", 2, 2)]
    assert found.changes == 4


def test_the_graph_in_the_language_of_graphviz(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", 'say "soup"'), query("q2", "soup", 9)])
    graph = reformulation_graph(log)
    (edge,) = graph.edges
    quoted = edge.text.replace('"', '\\"')
    assert graph.dot().splitlines() == [
        "digraph reformulations {",
        "  node [shape=box];",
        f'  "{quoted}" -> "soup" [label="1", penwidth=5.0, class="{edge.kind}"];',
        "}",
    ]
