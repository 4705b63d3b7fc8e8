"""Documents whose grade is known."""

from __future__ import annotations

import pytest

from cranfield.data.qrels import Qrels
from cranfield.errors import DataError, UsageError
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.projects.gold import add_gold
from cranfield.web.projects.models import Item
from tests.web.judging.making import make_assessor
from tests.web.projects.material import collection, soups

pytestmark = pytest.mark.django_db


def test_gold_of_the_collection_and_of_the_pool() -> None:
    project = soups({"q1": ["d1", "d2", "d3"]})
    hand_out(project, make_assessor(project, "ann"), 1)  # d1
    added = add_gold(project, Qrels.from_dict({"q1": {"d1": 2, "d2": 0, "d9": 3}}), collection())
    assert (added.added, added.from_pool, added.judged_already) == (2, 1, 1)
    gold = project.items.filter(origin=Item.Origin.GOLD).order_by("document__name")
    assert list(gold.values_list("document__name", "gold_grade")) == [("d2", 0.0), ("d9", 3.0)]
    assert not gold.filter(slots__isnull=False).exists()
    assert str(added) == (
        "2 gold documents, 1 of them out of the pool; 1 stay in the pool, for somebody has judged or holds them"
    )
    assert add_gold(project, Qrels.from_dict({"q1": {"d2": 1}})).added == 0
    assert gold.get(document__name="d2").gold_grade == 1


@pytest.mark.parametrize(
    ("qrels", "said"),
    [
        ({"q1": {"d1": 7}}, "topic q1, document d1: the grade is 7; the scale has 3, 2, 1, 0"),
        ({"q1": {"d9": 1}}, "the project has no text of d9"),
        ({"q7": {"d1": 1}}, "topic q7 is none of this project"),
        ({"q1": {"d1": -1}}, "there are no judgments in it"),
    ],
)
def test_gold_that_cannot_be(qrels: dict[str, dict[str, int]], said: str) -> None:
    project = soups()
    with pytest.raises(DataError, match=said):
        add_gold(project, Qrels.from_dict(qrels))
    assert not project.items.filter(origin=Item.Origin.GOLD).exists()


def test_there_is_no_gold_among_pairs() -> None:
    with pytest.raises(UsageError, match="gold documents have a grade"):
        add_gold(soups(mode="pairs"), Qrels.from_dict({"q1": {"d1": 1}}))
