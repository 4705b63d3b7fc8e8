"""Documents that people found: named in a list, in a run that was searched by hand, in judgments or in another pool."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from cranfield.data.pool import Pool
from cranfield.data.strings import decode
from cranfield.evaluation.provenance.fingerprints import of_file
from cranfield.formats.document_lists import read_document_list


@dataclass(frozen=True)
class AddedDocuments:
    """All of them are judged for certain."""

    pool: Pool
    name: str = "list"
    sha256: str | None = None
    repeated: int = 0
    """How often a document was named once more."""

    @classmethod
    def read(cls, path: str) -> AddedDocuments:
        """From a file; see `formats.document_lists`."""
        found = read_document_list(path)
        sha256 = of_file(path)[0].sha256 if os.path.isfile(path) else None
        return cls(found.pool, os.path.basename(path), sha256, found.repeated)

    @property
    def documents(self) -> list[str]:
        """Each once, in the order in which they were named."""
        return list(dict.fromkeys(map(decode, self.pool.documents.tolist())))

    def among(self, topics: Collection[bytes]) -> Pool:
        """Those for some of the topics."""
        kept = np.array([topic in topics for topic in self.pool.topic_ids], dtype=np.bool_)
        rows = np.flatnonzero(kept[self.pool.topic])
        return replace(
            self.pool,
            topic=self.pool.topic[rows],
            documents=self.pool.documents.take(rows),
            chosen=self.pool.chosen[rows],
            method=self.pool.method[rows],
            round=self.pool.round[rows],
        )
