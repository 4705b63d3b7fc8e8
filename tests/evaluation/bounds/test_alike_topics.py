"""Topics that look the same to a measure. Oracle: topics made alike or different by hand."""

from __future__ import annotations

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Strings
from cranfield.data.tied_documents import TiedDocuments
from cranfield.evaluation.bounds.alike_topics import alike_topics

QRELS = {
    "q1": {"a": 1, "b": 0},
    "q2": {"c": 0, "d": 1},  # as q1 with other names
    "q3": {"a": 1, "b": 0, "x": 1},  # one more is relevant, and missed
    "q4": {"a": 2, "b": 0},  # another grade
    "q5": {"a": 1, "b": 0},  # one more is retrieved
    "q6": {"a": 1, "b": 0},  # tied at other ranks
    "q7": {"b": 1, "c": 0},  # as q1, in the opposite order by identifier
}
TWO_TIED = {"a": 1.0, "b": 1.0, "c": 0.0}
RUN = {
    "q1": TWO_TIED,
    "q2": {"d": 3.0, "c": 3.0, "z": 2.0},
    "q3": TWO_TIED,
    "q4": TWO_TIED,
    "q5": {**TWO_TIED, "d": -1.0},
    "q6": {"c": 2.0, "a": 1.0, "b": 1.0},
    "q7": {"b": 1.0, "c": 1.0, "d": 0.0},
}


def tied(qrels: Qrels) -> TiedDocuments:
    r = Rankings.join(qrels, Run.from_dict(RUN), keep_ties=True)
    return TiedDocuments.of(r, r.grade.astype(np.int64))


def test_which_topics_are_alike() -> None:
    alike = alike_topics(tied(Qrels.from_dict(QRELS)), np.arange(7))
    kind = alike.which.tolist()
    assert kind[0] == kind[1] == kind[6]
    assert len(set(kind)) == len(alike.example) == 5
    assert alike.mark[0] == alike.mark[1] == alike.mark[6]
    assert len(set(alike.mark.tolist())) == 5


def test_where_judgments_are_a_sample_each_topic_stands_for_itself() -> None:
    plain = Qrels.from_dict(QRELS)
    query = Strings.from_list(plain.query_ids).take(plain.query)
    sampled = Qrels(query, plain.documents, plain.grade, probability=np.full(len(plain), 0.5))
    alike = alike_topics(tied(sampled), np.arange(7))
    assert alike.which.tolist() == alike.example.tolist() == list(range(7))
