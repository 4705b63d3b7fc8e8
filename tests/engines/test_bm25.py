"""BM25 and its variants, against bm25s and arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.data.documents import Document
from cranfield.engines.bm25 import Bm25Engine
from cranfield.engines.bm25_variants import FREQUENCY
from cranfield.errors import EngineError, ParameterError

# N = 4; lengths 2, 4, 1, 5: the mean is 3. alpha is in two documents, beta in two, gamma in two, delta in one.
TEXTS = ["alpha beta", "alpha alpha gamma gamma", "delta", "beta gamma beta beta beta"]


def plain(folder: Path, texts: list[str], **parameters: object) -> Bm25Engine:
    engine = Bm25Engine(folder, stem=False, stop_words=False, **parameters)  # type: ignore[arg-type]
    engine.index(Document(f"d{number}", {"text": text}) for number, text in enumerate(texts))
    return engine


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bm25Engine]:
    with plain(tmp_path_factory.mktemp("bm25"), TEXTS) as made:
        yield made


# By hand, with k1 = 1.5, b = .5, for alpha in d1, which has it twice and is of length 4: K = 1.5 (.5 + .5 4/3) = 1.75;
# N = 4 and n = 2. For BM25L, c = 2 / (.5 + .5 4/3) = 12/7.
BY_HAND = {
    "lucene": math.log(1 + 2.5 / 2.5) * 2 / 3.75,
    "atire": math.log(4 / 2) * 2.5 * 2 / 3.75,
    "bm25l": math.log(5 / 2.5) * 2.5 * (12 / 7 + 0.5) / (1.5 + 12 / 7 + 0.5),
    "bm25+": math.log(5 / 2) * (2.5 * 2 / 3.75 + 1),
}


@pytest.mark.parametrize("variant", BY_HAND)
def test_a_score_worked_out_by_hand(engine: Bm25Engine, variant: str) -> None:
    hits = dict(engine.tuned(k1=1.5, b=0.5, variant=variant).search("alpha", 10))
    assert hits.keys() == {"d0", "d1"}
    assert hits["d1"] == pytest.approx(BY_HAND[variant], rel=1e-12)


def test_robertson_takes_from_what_half_of_the_documents_have(tmp_path: Path) -> None:
    # n = 3 of N = 4: ln(1.5 / 3.5) < 0; lengths are equal, so K = 1.2 and f / (f + K) = 1/2.2.
    engine = plain(tmp_path, ["alpha", "alpha", "alpha", "beta"], variant="robertson")
    assert dict(engine.search("alpha", 10))["d0"] == pytest.approx(math.log(1.5 / 3.5) / 2.2, rel=1e-12)


def test_the_weight_of_rarity_can_be_another_variants(engine: Bm25Engine) -> None:
    hits = dict(engine.tuned(k1=1.5, b=0.5, variant="lucene", idf="atire").search("alpha", 10))
    assert hits["d1"] == pytest.approx(math.log(4 / 2) * 2 / 3.75, rel=1e-12)


def test_a_word_that_is_there_twice_counts_twice(engine: Bm25Engine) -> None:
    once, twice = (dict(engine.search(query, 10)) for query in ("alpha", "alpha alpha"))
    assert twice == pytest.approx({name: 2 * score for name, score in once.items()})


# bm25s 0.3.16. It counts words that a document has not (for BM25L and BM25+), which the papers do not, so each word is
# asked for alone; and it has no negative weights of rarity, so no word is asked for that half of the texts have.
words = st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), min_size=1, max_size=12)


@settings(max_examples=60)
@given(
    texts=st.lists(words, min_size=3, max_size=12),
    query=words,
    k1=st.floats(0.1, 3),
    b=st.floats(0, 1),
    variant=st.sampled_from(list(FREQUENCY)),
)
def test_equals_bm25s(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[list[str]],
    query: list[str],
    k1: float,
    b: float,
    variant: str,
) -> None:
    have_it = {word: sum(word in text for text in texts) for text in texts for word in text}
    asked = [word for word in dict.fromkeys(query) if 0 < have_it.get(word, 0) < len(texts) / 2]
    delta = 1.0 if variant == "bm25+" else 0.5
    engine = plain(tmp_path_factory.mktemp("bm25s"), [" ".join(text) for text in texts])
    ours = dict(engine.tuned(k1=k1, b=b, variant=variant, delta=delta).search(" ".join(asked), 100))

    theirs = bm25s.BM25(k1=k1, b=b, method=variant, delta=delta, dtype="float64")
    theirs.index(texts, show_progress=False)
    scores = np.zeros(len(texts))
    for word in asked:
        has_it = np.array([word in text for text in texts])
        scores += np.where(has_it, theirs.get_scores([word]), 0)
    assert ours == pytest.approx({f"d{number}": score for number, score in enumerate(scores) if score}, rel=1e-9)


def test_other_parameters_read_nothing_again(engine: Bm25Engine) -> None:
    other = engine.tuned(k1=2)
    assert other._index() is engine._index()
    assert other.description()["parameters"] == {**engine.description()["parameters"], "k1": 2.0}
    assert engine.description()["parameters"]["k1"] == 1.2


def test_opens_with_other_query_parameters_but_not_with_another_analysis(tmp_path: Path) -> None:
    plain(tmp_path, TEXTS).close()
    assert Bm25Engine(tmp_path, stem=False, stop_words=False, k1=2.0, variant="bm25l").count() == 4
    with pytest.raises(ParameterError, match=r"was indexed with stem = false, not true: open it with that, or index"):
        Bm25Engine(tmp_path, stop_words=False).count()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k1": -1}, "k1 is -1; expected a number of at least 0"),
        ({"k1": math.nan}, "k1 is nan; expected a number of at least 0"),
        ({"b": "high"}, "b is 'high'; expected a number from 0 to 1"),
        ({"variant": "lucen"}, r"variant is 'lucen'. Did you mean lucene\? Expected one of: lucene, robertson"),
        ({"delta": True}, "delta is True; expected a number"),
        ({"fields": {"title": 2}}, "this engine takes names without weights"),
    ],
)
def test_impossible_parameters(tmp_path: Path, parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Bm25Engine(tmp_path, **parameters)  # type: ignore[arg-type]


def test_tuning_what_is_settled_is_refused(engine: Bm25Engine) -> None:
    with pytest.raises(
        ParameterError, match="stem is settled when documents are indexed; free are k1, b, variant, idf, delta"
    ):
        engine.tuned(stem=True)


def test_a_damaged_index(tmp_path: Path) -> None:
    plain(tmp_path, TEXTS).close()
    (tmp_path / "bm25" / "starts.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(EngineError, match=r"the index cannot be opened .*: index again"):
        Bm25Engine(tmp_path, stem=False, stop_words=False).search("alpha", 10)


def test_more_words_than_are_counted_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = plain(tmp_path / "whole", TEXTS).search("alpha beta gamma", 10)
    monkeypatch.setattr("cranfield.engines.term_counts.BLOCK", 2)
    assert plain(tmp_path / "blocks", TEXTS).search("alpha beta gamma", 10) == whole
