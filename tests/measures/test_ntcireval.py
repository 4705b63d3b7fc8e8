"""Every value that NTCIREVAL prints for its sample ranking, by one of our measures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cranfield.data.rankings import Rankings
from cranfield.measures import parse_one

pytestmark = pytest.mark.real_data

# Its labels without a cutoff, then with one; {g} stands for its gains -g, {k} for the cutoff.
LABELS = {
    "RR": "RR",
    "O-measure": "O-measure(gains={g})",
    "P-measure": "P-measure(gains={g})",
    "P-plus": "P-plus(gains={g})",
    "AP": "AP",
    "Q-measure": "Q-measure(gains={g})",
    "NCUgu,P": "NCU(stop=graded-uniform,utility=precision,gains={g})",
    "NCUgu,BR": "NCU(stop=graded-uniform,utility=blended-ratio,gains={g})",
    "NCUrb,P": "NCU(stop=rank-biased,utility=precision,gains={g})",
    "NCUrb,BR": "NCU(stop=rank-biased,utility=blended-ratio,gains={g})",
    "RBP": "RBP(p=0.95,gain=linear,gmax=3,gains={g})",
    "ERR": "ERR(gain=linear,gmax=3,gains={g})",
    "AP@": "AP(denominator=min-k-R)@{k}",
    "Q@": "Q(gains={g})@{k}",
    "nDCG@": "nDCG(discount=log,gains={g})@{k}",
    "MSnDCG@": "MSnDCG(gains={g})@{k}",
    "P@": "P@{k}",
    "nERR@": "nERR(gain=linear,gmax=3,gains={g})@{k}",
    "Hit@": "Success@{k}",
}


def sample(folder: Path) -> tuple[list[float | None], list[float]]:
    """The grade at each rank of sample.res (None: unjudged), and the grades of the documents it lacks."""
    judged = {
        name: float(level[1:]) for name, level in map(str.split, (folder / "sample.rel").read_text().splitlines())
    }
    ranked = (folder / "sample.res").read_text().split()
    return [judged.get(name) for name in ranked], [grade for name, grade in judged.items() if name not in ranked]


@pytest.mark.parametrize(
    ("file", "gains", "judged_only"),
    [
        ("res_test_compute.txt", "1:1;2:2;3:3", False),  # compute -g 1:2:3
        ("res_test_compute_cutoff.txt", "1:1;2:2;3:3", False),  # compute -g 1:2:3 -cutoffs 2
        ("res_test_compute_grade.txt", "1:1;2:4;3:9", False),  # compute -g 1:4:9
        ("res_test_compute_label_j.txt", "1:1;2:2;3:3", True),  # label -j, then compute -g 1:2:3
    ],
)
def test_every_printed_value(real_data: Path, file: str, gains: str, judged_only: bool) -> None:
    # Oracle: the expected outputs of NTCIREVAL (version 141207) for its sample.rel and sample.res, to four places.
    folder = real_data / "ntcireval_test"
    ranked, missed = sample(folder)
    rankings = Rankings.from_grades(ranked, unretrieved=missed)
    printed = re.findall(r"^ *([A-Za-z][\w,@-]*)= +([\d.]+)$", (folder / file).read_text(), re.MULTILINE)
    assert len(printed) == len(LABELS) == 19
    for label, value in printed:
        name, at, cutoff = label.partition("@")
        measure = parse_one(LABELS[name + at].format(g=gains, k=cutoff and int(cutoff)))(judged_only=judged_only)
        measure.check_judgments(rankings.qrels)
        assert measure.compute(rankings)[0] == pytest.approx(float(value), abs=5.0001e-5), (label, str(measure))
