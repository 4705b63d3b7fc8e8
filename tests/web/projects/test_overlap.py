"""How many judgments documents shall have."""

from __future__ import annotations

import pytest

from cranfield.errors import UsageError
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.models import Slot
from cranfield.web.judging.recording import record
from cranfield.web.projects.models import Project
from cranfield.web.projects.overlap import raise_overlap
from tests.web.judging.making import answer, make_assessor
from tests.web.projects.material import collection, documents, soups

pytestmark = pytest.mark.django_db


def large(**settings: object) -> Project:
    pool = {"q1": [f"d{place}" for place in range(1, 201)]}
    return soups(pool, collection=collection(*documents(200)), **settings)


def wanted(project: Project) -> dict[str, int]:
    return dict(project.items.values_list("document__name", "wanted"))


def test_a_share_of_the_pool_is_drawn_by_the_seed() -> None:
    """Oracle: of 200 lots with a chance of .3 a number outside 35 to 85 is drawn once in ten thousand times."""
    project = large(overlap=3, overlap_share=0.3, seed=11)
    several = [name for name, number in wanted(project).items() if number == 3]
    assert 35 <= len(several) <= 85
    assert set(wanted(project).values()) == {1, 3}
    assert Slot.objects.count() == 200 + 2 * len(several)


def test_raising_adds_slots_and_keeps_who_was_drawn() -> None:
    project = large(overlap=2, overlap_share=0.3, seed=11)
    before = wanted(project)
    more = raise_overlap(project, 3, share=0.6)
    after = wanted(project)
    assert all(after[name] == 3 for name, number in before.items() if number == 2)
    assert set(after.values()) == {1, 3}
    assert more == sum(after.values()) - sum(before.values())
    assert Slot.objects.count() == sum(after.values())
    assert raise_overlap(project, 3) == 0


def test_one_topic_alone_also_for_what_comes_later() -> None:
    from cranfield.data.pool import Pool
    from cranfield.web.projects.bringing_in import bring_in
    from tests.web.projects.material import TOPICS

    project = soups()
    assert raise_overlap(project, 2, topic=project.topics.get(name="q2")) == 2
    bring_in(project, Pool.from_dict({"q1": ["d9"], "q2": ["d9"]}), TOPICS, collection())
    rows = project.items.filter(document__name="d9").values_list("topic__name", "wanted")
    assert dict(rows) == {"q1": 1, "q2": 2}


def test_overlap_is_never_lowered() -> None:
    project = soups(overlap=3, overlap_share=0.5)
    for overlap, share in ((2, 0.5), (3, 0.4)):
        with pytest.raises(UsageError, match="the overlap is 3 for 50% of the pool, and can only be raised"):
            raise_overlap(project, overlap, share=share)


def test_a_skip_before_does_not_use_up_a_judgment() -> None:
    """One skipped, so another slot came for somebody else; two wanted now means two judgments beside the skip."""
    project = soups({"q1": ["d1"]})
    people = [make_assessor(project, name) for name in ("ann", "bob", "cyd", "dan")]
    record(project, people[0], [answer(hand_out(project, people[0], 1)[0], "skip", scale=project.scales.get().version)])
    assert raise_overlap(project, 2) == 1
    handed = [bool(hand_out(project, person, 1)) for person in people[1:]]
    assert handed == [True, True, False]
