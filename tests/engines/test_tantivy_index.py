"""What is Tantivy's own."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from cranfield.data.documents import Document
from cranfield.engines.tantivy_index import TantivyEngine
from cranfield.errors import DataError, EngineError, ParameterError

SOUP = Document("soup", {"title": "hot soup", "text": "boil water"})
BREAD = Document("bread", {"title": "bread", "text": "bake a soup bowl"})


def filled(folder: Path, *documents: Document, **parameters: object) -> TantivyEngine:
    engine = TantivyEngine(folder, **parameters)  # type: ignore[arg-type]
    engine.index(documents)
    return engine


def test_scores_are_bm25(tmp_path: Path) -> None:
    texts = {"d1": "alpha beta", "d2": "alpha alpha gamma gamma", "d3": "delta", "d4": "beta gamma beta beta beta"}
    engine = filled(tmp_path, *(Document(name, {"text": text}) for name, text in texts.items()))
    # N = 4, n = 2; alpha is twice in d2, which is of length 4 where the mean is 3: K = 1.2 (.25 + .75 4/3) = 1.5.
    # Tantivy multiplies by k1 + 1 = 2.2, and knows scores to single precision.
    assert dict(engine.search("alpha", 10))["d2"] == pytest.approx(2.2 * math.log(2) * 2 / 3.5, rel=1e-6)


def test_a_fields_score_counts_as_often_as_its_weight(tmp_path: Path) -> None:
    alone = {
        field: dict(filled(tmp_path / field, SOUP, BREAD, fields=[field]).search("soup", 10))
        for field in ("title", "text")
    }
    both = dict(filled(tmp_path / "both", SOUP, BREAD, fields={"title": 3, "text": 0.5}).search("soup", 10))
    assert alone["title"].keys() == {"soup"}
    assert alone["text"].keys() == {"bread"}
    assert both == pytest.approx({"soup": 3 * alone["title"]["soup"], "bread": 0.5 * alone["text"]["bread"]}, rel=1e-6)


def test_a_word_that_is_there_twice_counts_twice(tmp_path: Path) -> None:
    engine = filled(tmp_path, SOUP, BREAD)
    once, twice = (dict(engine.search(query, 10)) for query in ("soup", "soup soup"))
    assert twice == pytest.approx({name: 2 * score for name, score in once.items()}, rel=1e-6)


@pytest.mark.parametrize(
    ("language", "text", "query", "found"),
    [
        ("english", "boiling soups", "boiled soup", True),
        ("german", "die heißen Suppen", "heiße", True),
        ("german", "die heißen Suppen", "die", False),
        ("french", "les grandes soupes", "grande soupe", True),
    ],
)
def test_stems_and_stop_words_of_a_language(tmp_path: Path, language: str, text: str, query: str, found: bool) -> None:
    engine = filled(tmp_path, Document("d1", {"text": text}), language=language)
    assert bool(engine.search(query, 10)) is found


def test_words_as_they_are(tmp_path: Path) -> None:
    engine = filled(tmp_path, Document("d1", {"text": "the boiling soups"}), stem=False, stop_words=["soups"])
    assert not engine.search("soup boil", 10)
    assert not engine.search("soups", 10)
    assert engine.search("the", 10)


def test_results_do_not_depend_on_how_the_index_is_cut(tmp_path: Path) -> None:
    """16 MB make several segments of these documents, 300 MB one."""
    random = np.random.default_rng(0)
    vocabulary = np.array([f"w{number}" for number in range(20_000)])
    chances = 1 / np.arange(1, 20_001)
    chances /= chances.sum()
    texts = random.choice(vocabulary, (12_000, 60), p=chances)
    documents = [Document(f"d{number}", {"text": " ".join(words)}) for number, words in enumerate(texts)]
    few, many = filled(tmp_path / "few", *documents), filled(tmp_path / "many", *documents, memory=16)
    assert few._index()[0].searcher.num_segments == 1
    assert many._index()[0].searcher.num_segments > 1
    for number in range(40):
        query = " ".join(random.choice(vocabulary, 4, p=chances))
        assert few.search(query, 50 + number) == many.search(query, 50 + number)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"language": "germn"}, r"language is 'germn'. Did you mean german\? Expected one of: arabic, danish"),
        ({"language": "tamil"}, "there is no list of stop words for tamil: give a list of words, or false"),
        ({"stem": "no"}, "stem is 'no'; expected true or false"),
        ({"stop_words": "the"}, "stop_words is 'the'; expected true, false, or a list of words"),
        ({"fields": "title"}, "fields is 'title'; expected a list of texts"),
        ({"fields": ["title", "title"]}, "fields has 'title' twice"),
        ({"fields": {"title": -1}}, "fields.title is -1; expected a number of at least 0"),
        ({"memory": 1}, "memory is 1; expected a whole number from 16 to 4000"),
    ],
)
def test_impossible_parameters(tmp_path: Path, parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        TantivyEngine(tmp_path, **parameters)  # type: ignore[arg-type]


def test_a_field_that_no_document_has(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"no document has a field 'titel'. Did you mean title\? There are: text, title"
    ):
        filled(tmp_path, SOUP, BREAD, fields=["titel"])


def test_no_documents_and_one_twice(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no document to index"):
        filled(tmp_path)
    with pytest.raises(DataError, match="document soup is there twice, as number 1 and number 3"):
        filled(tmp_path, SOUP, BREAD, SOUP)


def test_the_old_index_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    engine = filled(tmp_path, SOUP, BREAD)
    with pytest.raises(DataError, match="is there twice"):
        engine.index([BREAD, BREAD])
    assert TantivyEngine(tmp_path).count() == 2
    assert [file.name for file in tmp_path.iterdir()] == ["tantivy"]


def test_no_index_and_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="there is no index of the engine tantivy here: index documents first"):
        TantivyEngine(tmp_path).search("soup", 10)
    filled(tmp_path, SOUP).close()
    (tmp_path / "tantivy" / "meta.json").write_text("{")
    with pytest.raises(EngineError, match=r"the index cannot be opened .*: index again"):
        TantivyEngine(tmp_path).search("soup", 10)
