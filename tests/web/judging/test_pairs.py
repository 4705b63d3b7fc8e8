"""Pairs: which are made, on which side each document is, and what comes out as preferences."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from cranfield.data.run import Run
from cranfield.errors import UsageError
from cranfield.evaluation.agreement import agreement
from cranfield.evaluation.evaluate import evaluate
from cranfield.formats import read_preferences
from cranfield.web.accounts.models import User
from cranfield.web.judging import sides
from cranfield.web.judging.consistency import consistency
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.preferences import pair_labels, preference_events, preferences
from cranfield.web.judging.recording import Outcome, record
from cranfield.web.judging.showing import shown_item
from cranfield.web.projects.models import Document, Membership, Project, ScaleVersion, Topic
from cranfield.web.projects.pairs import make_pairs
from tests.web.judging.making import GRADES, SCALE, answer, make_assessor, new_document

NAMES = ["d1", "d2", "d3"]


@pytest.fixture
def project(db: None) -> Project:
    """A topic with three documents, each compared with each, by two people."""
    return pairs_of(NAMES, overlap=2)


def pairs_of(names: list[str], per_document: int | None = None, **settings: int) -> Project:
    project = Project.objects.create(name="Soups", mode=Project.Mode.PAIRS, **settings)
    ScaleVersion.objects.create(project=project, number=1, version=SCALE, content=GRADES)
    topic = Topic.objects.create(project=project, name="q1", title="Soup", place=1)
    documents = Document.objects.bulk_create(new_document(project, name, f"Text of {name}.") for name in names)
    make_pairs(project, {topic: documents}, per_document)
    return project


def prefer(project: Project, assessor: User, pairs: dict[frozenset[str], str]) -> list[Outcome]:
    """Judge all pairs as somebody does who sees names: the preferred one of each pair, or `same`."""
    outcomes = []
    for slot in hand_out(project, assessor, 50):
        shown = shown_item(slot)
        on_screen = {shown["document"]["name"]: "left", shown["other"]["name"]: "right", "same": "same"}
        preferred = on_screen[pairs[frozenset(on_screen) - {"same"}]]
        outcomes += record(project, assessor, [answer(slot, preferred=preferred)])
    return outcomes


def all_prefer(*order: str) -> dict[frozenset[str], str]:
    """Preferences of somebody who has an order of all documents, best first."""
    return {frozenset((better, worse)): better for at, better in enumerate(order) for worse in order[at + 1 :]}


CIRCLE = {frozenset(["d1", "d2"]): "d1", frozenset(["d2", "d3"]): "d2", frozenset(["d1", "d3"]): "d3"}


class TestMakingPairs:
    def test_every_pair_with_the_slots_that_are_wanted(self, project: Project) -> None:
        items = list(project.items.select_related("document", "other"))
        assert {frozenset((item.document.name, item.other.name)) for item in items if item.other} == set(CIRCLE)
        assert [item.place for item in items] == [1, 2, 3]
        assert Slot.objects.count() == 6

    def test_so_many_per_document(self, db: None) -> None:
        project = pairs_of([f"d{number}" for number in range(9)], per_document=4)
        rows = project.items.values_list("document__name", "other__name")
        assert set(Counter(name for row in rows for name in row).values()) == {4}

    def test_a_pair_is_made_once(self, project: Project) -> None:
        topic = project.topics.get()
        first, second = project.items.all()[:2]
        first.document, first.other = first.other, first.document  # type: ignore[assignment]
        first.save()
        second.delete()
        assert make_pairs(project, {topic: list(project.documents.all())}, seed=7) == 1
        assert project.items.count() == 3
        assert sorted(project.items.values_list("place", flat=True)) == [1, 3, 4]


class TestSides:
    def test_they_change_from_slot_to_slot(self, db: None) -> None:
        project = pairs_of([f"d{number}" for number in range(12)], overlap=2)
        left = Counter(
            sides.shown(slot)[0] == slot.item.document for slot in Slot.objects.filter(item__project=project)
        )
        # Of 132 slots about half: 35 or fewer are 5.4 standard deviations of 5.7 from the mean, 66: once in ten million.
        assert min(left[True], left[False]) > 35

    def test_what_is_recorded_is_the_document_and_not_the_side(self, project: Project) -> None:
        ann, bob = (make_assessor(project, name) for name in ("ann", "bob"))
        for assessor in (ann, bob):
            assert {outcome.status for outcome in prefer(project, assessor, all_prefer("d2", "d3", "d1"))} == {
                "recorded"
            }
        for event in preference_events(project):
            names = {"left": event.left, "right": event.right}
            assert names[event.preferred] == ("d2" if "d2" in names.values() else "d3")

    def test_own_answers_are_told_as_they_are_on_screen(self, project: Project) -> None:
        ann = make_assessor(project, "ann")
        for slot in hand_out(project, ann, 5):
            record(project, ann, [answer(slot, preferred="left")])
            assert shown_item(slot, Event.objects.get(slot=slot))["standing"]["preferred"] == "left"

    def test_the_hash_is_of_what_was_to_the_left(self, project: Project) -> None:
        ann = make_assessor(project, "ann")
        for slot in hand_out(project, ann, 5):
            record(project, ann, [answer(slot, preferred="left")])
            event = Event.objects.get(slot=slot)
            assert event.document_sha256 == shown_item(slot)["document"]["sha256"]

    def test_the_same_answer_twice_is_one(self, project: Project) -> None:
        ann = make_assessor(project, "ann")
        for slot in hand_out(project, ann, 5):
            sent = answer(slot, preferred="right")
            assert [one.status for one in record(project, ann, [sent, sent])] == ["recorded", "recorded"]
            assert Event.objects.filter(slot=slot).count() == 1


class TestPreferences:
    @pytest.fixture
    def judged(self, project: Project) -> Project:
        """Ann says d1 > d2 > d3, Bob d1 > d2, d1 > d3 and d2 the same as d3; Ann takes nothing back."""
        prefer(project, make_assessor(project, "ann"), all_prefer("d1", "d2", "d3"))
        prefer(project, make_assessor(project, "bob"), all_prefer("d1", "d2", "d3") | {frozenset(("d2", "d3")): "same"})
        return project

    def test_each(self, judged: Project) -> None:
        found = preferences(judged)
        better = {(query, group): document for query, group, _, document, level in found.rows() if level == 1}
        assert sorted(better.values()) == ["d1", "d1", "d1", "d1", "d2"]
        assert len({group for _, group in better}) == 5

    def test_majority(self, project: Project) -> None:
        prefer(project, make_assessor(project, "ann"), all_prefer("d1", "d2", "d3"))
        prefer(project, make_assessor(project, "bob"), all_prefer("d1", "d3", "d2"))
        rows = list(preferences(project, "majority").rows())
        assert [document for *_, document, level in rows if level == 1] == ["d1", "d1"]  # d2 and d3: one against one
        with pytest.raises(UsageError, match="unknown rule 'most'"):
            preferences(project, "most")

    def test_where_most_find_both_the_same_none_is_preferred(self, db: None) -> None:
        project = pairs_of(["d1", "d2"], overlap=3)
        for name, preferred in (("ann", "d1"), ("bob", "same"), ("cem", "same")):
            prefer(project, make_assessor(project, name), {frozenset(("d1", "d2")): preferred})
        assert len(preferences(project, "majority")) == 0
        assert len(preferences(project, "each")) == 2

    def test_a_run_is_evaluated_by_them(self, judged: Project) -> None:
        run = Run.from_dict({"q1": {"d2": 3.0, "d1": 2.0, "d3": 1.0}})
        result = evaluate(preferences(judged), run, ["prefs_simp"], relevance="prefs")
        # d1 > d2 twice is not fulfilled; d1 > d3 twice and d2 > d3 once are: 3 of 5.
        assert result.mean["prefs_simp"] == pytest.approx(3 / 5)

    def test_what_was_corrected_taken_back_or_left_open_does_not_count(self, project: Project) -> None:
        ann = make_assessor(project, "ann")
        one, two, three = hand_out(project, ann, 5)
        record(project, ann, [answer(one, preferred="left"), answer(one, preferred="same")])
        sent = answer(two, preferred="left")
        record(project, ann, [sent, answer(two, "withdraw", supersedes=sent["uuid"])])
        record(project, ann, [answer(three, "unsure")])
        assert len(preferences(project)) == 0
        assert len(list(preference_events(project))) == 5
        assert pair_labels(project).labels == ("same",)

    def test_agreement_over_pairs(self, judged: Project) -> None:
        labels = pair_labels(judged)
        assert labels.judges == ("p-ann", "p-bob")
        [percent, *_] = agreement(labels, resamples=0).coefficients.values()
        assert percent.value == pytest.approx(2 / 3)  # they say the same of two of three pairs

    def test_consistency(self, project: Project) -> None:
        prefer(project, make_assessor(project, "ann"), all_prefer("d1", "d2", "d3"))
        prefer(project, make_assessor(project, "bob"), CIRCLE)
        ann, bob = consistency(project)
        assert (ann.assessor, ann.pairs, ann.triads, ann.circular, ann.share, ann.zeta) == ("p-ann", 3, 1, 0, 0.0, 1.0)
        assert (bob.assessor, bob.circular, bob.share, bob.zeta) == ("p-bob", 1, 1.0, 0.0)

    def test_the_page_of_agreement_shows_it(self, judged: Project) -> None:
        client = Client()
        client.force_login(make_assessor(judged, "max", Membership.Role.MANAGER))
        page = client.get(reverse("review-agreement", args=[judged.pk])).content.decode()
        rows = re.findall(r'<th scope="row">(p-\w+)</th>(.*?)</tr>', page.partition("Each with oneself")[2])
        assert [(name, re.findall(r">([^<>]+)</td>", cells)) for name, cells in rows] == [
            ("p-ann", ["3", "0", "1", "0", "0.000", "1.000"]),
            ("p-bob", ["2", "1", "0", "0", "–", "–"]),
        ]

    def test_who_finds_all_the_same_has_none(self, project: Project) -> None:
        prefer(project, make_assessor(project, "ann"), dict.fromkeys(CIRCLE, "same"))
        [ann] = consistency(project)
        assert (ann.same, ann.pairs, ann.share, ann.zeta) == (3, 0, None, None)


class TestFiles:
    @pytest.fixture
    def client(self, project: Project) -> Client:
        prefer(project, make_assessor(project, "ann"), all_prefer("d1", "d2", "d3"))
        client = Client()
        client.force_login(make_assessor(project, "max", Membership.Role.MANAGER))
        return client

    @pytest.mark.parametrize(("kind", "name"), [("trec", "preferences.prefs"), ("pairs", "preferences.pairs")])
    def test_files_are_read_again(self, client: Client, project: Project, kind: str, name: str, tmp_path: Path) -> None:
        response = client.get(reverse("judge-preferences", args=[project.pk]), {"format": kind, "rule": "majority"})
        assert response["Content-Disposition"] == f'attachment; filename="{name}"'
        read = read_preferences(io.StringIO(response.content.decode()), format=kind)
        assert [sorted(row[3:] for row in read.rows())] == [
            sorted(row[3:] for row in preferences(project, "majority").rows())
        ]

    def test_events(self, client: Client, project: Project) -> None:
        response = client.get(reverse("judge-preferences", args=[project.pk]), {"format": "events"})
        events = [json.loads(line) for line in response.content.decode().splitlines()]
        assert [event["assessor"] for event in events] == ["p-ann"] * 3
        assert all(event["counts"] for event in events)

    def test_what_there_is_not_is_refused_in_words(self, client: Client, project: Project) -> None:
        for wrong in ({"format": "tsv"}, {"rule": "most"}):
            response = client.get(reverse("judge-preferences", args=[project.pk]), wrong)
            assert response.status_code == 400
            assert b"There are:" in response.content
