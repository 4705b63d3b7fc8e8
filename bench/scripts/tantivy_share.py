"""Index and search documents with the engine tantivy, and with nothing but Tantivy's own calls.

Takes how many documents to make up, or the folder of the CACM collection, and how often to repeat; prints what was
timed, with what, and the seconds of each time, and last the numbers of documents, queries, bytes and segments.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import tantivy

from cranfield.data.documents import Document
from cranfield.engines.tantivy_index import NUMBER, Searchable, TantivyEngine
from cranfield.formats.collections import import_collection

MADE_UP_QUERIES, DEPTH = 500, 1000
CHUNKS, CHUNK_WORDS = 40_000, 40
VOCABULARY = 300_000


class MadeUp:
    """Documents of about 90 words, whose frequencies follow Zipf's law; made cheaply, as they are asked for."""

    def __init__(self, size: int) -> None:
        random = np.random.default_rng(0)
        words = np.array(
            ["".join(chr(97 + number // 26**place % 26) for place in range(5)) for number in range(VOCABULARY)]
        )
        chances = 1 / np.arange(1, VOCABULARY + 1)
        chances /= chances.sum()
        drawn = random.choice(words, (CHUNKS, CHUNK_WORDS), p=chances)
        self._chunks = [
            " ".join(row[:length]) for row, length in zip(drawn, random.integers(5, 41, CHUNKS), strict=True)
        ]
        self._parts = random.integers(0, CHUNKS, (size, 6))
        self._lengths = random.integers(2, 7, size)
        self.queries = [
            " ".join(random.choice(words, random.integers(2, 6), p=chances)) for _ in range(MADE_UP_QUERIES)
        ]

    def documents(self) -> Iterator[Document]:
        for number, (parts, length) in enumerate(zip(self._parts, self._lengths, strict=True)):
            text = " ".join([self._chunks[part] for part in parts[:length].tolist()])
            yield Document(f"doc{number:08}", {"text": text})


class Cacm:
    """The documents of CACM with all their texts in one field, and its topics."""

    def __init__(self, place: Path, folder: Path) -> None:
        collection = import_collection("cacm", place, folder)
        assert collection.topics is not None
        self._documents = [Document(document.id, {"text": document.text()}) for document in collection.documents()]
        self.queries = list(collection.topics.queries().values())

    def documents(self) -> Iterator[Document]:
        return iter(self._documents)


def main() -> None:
    source, repeats = sys.argv[1], int(sys.argv[2])
    folder = Path(tempfile.mkdtemp(prefix="cranfield-bench-"))
    try:
        collection = MadeUp(int(source)) if source.isdecimal() else Cacm(Path(source), folder / "cacm")
        _measure(collection, folder, repeats)
    finally:
        shutil.rmtree(folder)


def _measure(collection: MadeUp | Cacm, folder: Path, repeats: int) -> None:
    engine = TantivyEngine(folder / "ours")
    seconds: dict[tuple[str, str], list[float]] = {
        (work, tool): [] for work in ("index", "search") for tool in ("cranfield", "tantivy", "documents")
    }

    def timed(work: str, tool: str, call: object, *arguments: object) -> None:
        start = perf_counter()
        call(*arguments)  # type: ignore[operator]
        seconds[work, tool].append(perf_counter() - start)

    for _ in range(repeats):
        timed("index", "documents", lambda: sum(1 for _ in collection.documents()))
        timed("index", "cranfield", lambda: engine.index(collection.documents()))
        timed("index", "tantivy", _bare_index, collection, engine, folder / "bare")
    engine.search("a", 1)  # opens the index
    opened = engine._index()[0]
    for _ in range(max(3, repeats)):
        timed("search", "cranfield", lambda: [len(engine.search(query, DEPTH)) for query in collection.queries])
        timed("search", "tantivy", _bare_search, opened, collection.queries)
    for (work, tool), values in seconds.items():
        if values:
            print(work, tool, *(f"{value:.6f}" for value in values), sep="\t")
    print(
        "about", engine.count(), len(collection.queries), engine.size_on_disk(), opened.searcher.num_segments, sep="\t"
    )


def _bare_index(collection: MadeUp | Cacm, engine: TantivyEngine, place: Path) -> None:
    """What Tantivy has to be told, and no more."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("text", tokenizer_name="analysis", index_option="freq")
    schema.add_unsigned_field(NUMBER, fast=True)
    index = tantivy.Index(schema.build(), path=str(place))
    index.register_tokenizer("analysis", engine._analysis.analyser())
    writer = index.writer(heap_size=300_000_000, num_threads=1)
    for number, document in enumerate(collection.documents()):
        row = tantivy.Document()
        row.add_text("text", document.fields["text"])
        row.add_unsigned(NUMBER, number)
        writer.add_document(row)
    writer.commit()
    writer.wait_merging_threads()


def _bare_search(opened: Searchable, queries: list[str]) -> None:
    """The hits stay numbers: neither identifiers nor ties are looked at."""
    schema, searcher, analyser = opened
    for text in queries:
        terms = [tantivy.Query.term_query(schema, "text0", term, "freq") for term in analyser.analyze(text)]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])
        hits = searcher.search(query, limit=DEPTH, count=False).hits
        searcher.fast_field_values(NUMBER, [address for _, address in hits])


main()
