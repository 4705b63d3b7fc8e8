"""Judgments out of TianGong's log against its human labels, counted once more in a loop over its lines."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from cranfield.logs.human_agreement import human_agreement
from cranfield.logs.inferring import infer_qrels
from tools.log_figures import tiangong, tiangong_labels, topics_of

pytestmark = pytest.mark.real_data
ENOUGH = 5


def test_inferred_against_human_labels(real_data: Path) -> None:
    human = tiangong_labels(real_data)
    with tiangong(real_data) as log:
        inferred = infer_qrels(log, enough=ENOUGH, topics=topics_of(human))
    found = human_agreement(inferred, human)
    values = coec(real_data / "clicks" / "tiangong_demo")
    labels = {
        (query, document): label for query, judged in human.to_dict().items() for document, label in judged.items()
    }
    both = {key: value for key, value in values.items() if key in labels}
    assert found.documents == len(both) == 350
    keys = zip(inferred.topic.tolist(), inferred.evidence.document.tolist(), strict=True)
    assert dict(zip(keys, inferred.evidence.value.tolist(), strict=True)) == pytest.approx(
        {key: value for key, value in values.items() if key[0] in human.queries}
    )
    relevant = [value for key, value in both.items() if labels[key] >= 1]
    others = [value for key, value in both.items() if labels[key] < 1]
    above = sum((one > two) + (one == two) / 2 for one in relevant for two in others)
    assert found.area.value == pytest.approx(above / (len(relevant) * len(others)), abs=1e-6)
    assert found.area.interval is not None
    assert found.area.interval.lower > 0.5  # better than chance


def coec(folder: Path) -> dict[tuple[str, str], float]:
    """Of each query and document that was shown often enough; rounded, so that what is equal is equal."""
    places: list[tuple[tuple[str, str], int, bool]] = []
    for part in ("train", "valid", "test"):
        for line in (folder / f"{part}_per_query_quid.txt").read_text().splitlines():
            _, query, documents, _, clicks = line.split("\t")[:5]
            both = zip(json.loads(documents), json.loads(clicks), strict=True)
            # A document that stands twice in a list counts once, where it stands first.
            first: dict[str, tuple[int, bool]] = {}
            for rank, (document, clicked) in enumerate(both, 1):
                here = first.get(str(document), (rank, False))
                first[str(document)] = (here[0], here[1] or bool(clicked))
            places += [((query, document), rank, clicked) for document, (rank, clicked) in first.items()]
    shown, clicks_at = Counter(rank for _, rank, _ in places), Counter(rank for _, rank, hit in places if hit)
    times, hits, expected = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for key, rank, hit in places:
        times[key] += 1
        hits[key] += hit
        expected[key] += clicks_at[rank] / shown[rank]  # type: ignore[assignment]
    return {key: round(hits[key] / expected[key], 9) for key in times if times[key] >= ENOUGH}
