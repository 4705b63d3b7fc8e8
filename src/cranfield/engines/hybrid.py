"""Several engines asked the same, and their answers fused."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar, NamedTuple

from cranfield.data.documents import Document
from cranfield.engines import engine_class, make_engine
from cranfield.engines.embedded import EmbeddedEngine
from cranfield.engines.engine import Engine, Hits
from cranfield.engines.fusion import fuse
from cranfield.engines.parameters import number, whole_number
from cranfield.errors import EngineError, ParameterError

TOPIC, ELSEWHERE = "q", "elsewhere"
"""Runs have topics, and here is only one that counts."""


class Part(NamedTuple):
    """One of the engines, and how much it counts."""

    name: str
    kind: str
    settings: Mapping[str, Any]
    weight: float

    def made(self, folder: Path) -> Engine:
        """The engine, with its files in a folder of its own."""
        return make_engine(self.kind, self.settings, folder=folder / self.name)


class HybridEngine(EmbeddedEngine[Sequence[Engine]]):
    """What several engines find, fused by one of the methods of `cranfield fuse`.

    A part has `engine`, its parameters, and perhaps a `weight`. Each is asked for `depth` documents (or k, if that is
    more), and `method` with `normalisation` makes one list of all. Parts that keep their index in files are indexed
    here; others are asked as they are.

    >>> engine = HybridEngine(tempfile.mkdtemp(), parts=[{"engine": "bm25"}, {"engine": "dense", "dimensions": 2}])
    >>> engine.index([Document("d1", {"text": "hot soup"}), Document("d2", {"text": "cold bread and soup"})])
    >>> engine.search("bread", 1)  # the first of both: 1/61 + 1/61
    [('d2', 0.03278...)]
    """

    kind: ClassVar[str] = "hybrid"
    free: ClassVar[frozenset[str]] = frozenset({"method", "normalisation", "depth"})

    def __init__(
        self,
        folder: str | Path,
        *,
        parts: Sequence[Mapping[str, Any]],
        method: str = "RRF",
        normalisation: str | None = None,
        depth: int = 1000,
    ) -> None:
        super().__init__(folder)
        self._parts = _parts(parts)
        self._method = method
        self._normalisation = normalisation
        self._weights = (
            None if {part.weight for part in self._parts} == {1.0} else [part.weight for part in self._parts]
        )
        self._depth = whole_number("depth", depth, least=1)
        self._engines = [part.made(self._place) for part in self._parts]
        self.concurrency = min(engine.concurrency for engine in self._engines)
        self._fused([[("d", 1.0)] for _ in self._parts])  # what the method does not take is said now

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters, with all those of the parts."""
        parts = [
            {"engine": part.kind, "weight": part.weight, **engine_class(part.kind).complete(part.settings)}
            for part in _parts(settings.get("parts"))
        ]
        return {**super().complete(settings), "parts": parts}

    @classmethod
    def settled(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """What the indexes of the parts depend on."""
        parts = _parts(settings.get("parts"))
        return {"parts": [{"engine": part.kind, **engine_class(part.kind).settled(part.settings)} for part in parts]}

    def _indexed_with(self) -> Mapping[str, Any]:
        engines = zip(self._parts, self._engines, strict=True)
        return {
            "parts": [
                {"engine": part.kind, **(engine._indexed_with() if isinstance(engine, EmbeddedEngine) else {})}
                for part, engine in engines
            ]
        }

    def description(self) -> Mapping[str, Any]:
        """The parameters and versions of all parts, and how they are fused."""
        parts, versions = [], {}
        for part, engine in zip(self._parts, self._engines, strict=True):
            described = engine.description()
            parts.append({"engine": part.kind, "weight": part.weight, **described.get("parameters", {})})
            versions.update(described.get("versions", {}))
        fusion = {"method": self._method, "normalisation": self._normalisation, "depth": self._depth}
        return {"parameters": {**fusion, "parts": parts}, "versions": versions}

    def _build(self, place: Path, documents: Iterable[Document]) -> None:
        with tempfile.TemporaryFile(dir=place) as kept:
            for document in documents:
                pickle.dump(tuple(document), kept)
            for part in self._parts:
                engine = part.made(place)
                if engine.embedded:
                    engine.index(_again(kept))
                engine.close()

    def _open(self, place: Path) -> Sequence[Engine]:
        return self._engines

    def close(self) -> None:
        """Close all parts."""
        for engine in self._engines:
            engine.close()
        super().close()

    def search(self, query: str, k: int) -> Hits:
        """The best k of what the parts find."""
        engines, _ = self._index()
        return self._fused([engine.search(query, max(k, self._depth)) for engine in engines])[:k]

    def _fused(self, answers: Sequence[Hits]) -> Hits:
        """One list of several. A part that found nothing adds nothing."""
        runs = {}
        for part, hits in zip(self._parts, answers, strict=True):
            documents = dict(hits)
            if len(documents) < len(hits):
                raise EngineError(f"the part {part.name} gave a document twice")
            # Only runs that share a topic are fused, and there may be one that found nothing here.
            runs[part.name] = {TOPIC: documents, ELSEWHERE: {"d": 1.0}}
        if not any(answers):
            return []
        fused = fuse(runs, self._method, normalisation=self._normalisation, weights=self._weights)
        return sorted(fused[TOPIC].items(), key=lambda hit: (hit[1], hit[0]), reverse=True)


def _parts(given: object) -> list[Part]:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) < 2:
        raise ParameterError(f"parts is {given!r}; expected two or more engines, each with its parameters")
    parts = []
    for place, each in enumerate(given, start=1):
        if not isinstance(each, Mapping) or not isinstance(each.get("engine"), str):
            raise ParameterError(
                f'parts[{place}] is {each!r}; expected engine = "..." and the parameters of the engine'
            )
        settings = {name: value for name, value in each.items() if name not in ("engine", "weight")}
        weight = number(f"parts[{place}].weight", each.get("weight", 1.0), least=0)
        parts.append(Part(f"{place}-{each['engine']}", each["engine"], settings, weight))
    return parts


def _again(kept: IO[bytes]) -> Iterator[Document]:
    """The documents that were kept, from the first."""
    kept.seek(0)
    while True:
        try:
            yield Document(*pickle.load(kept))
        except EOFError:
            return
