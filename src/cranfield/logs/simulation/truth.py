"""The truth behind a simulated log, which stands beside its tables: what analyses would find if they knew
everything."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.strings import Floats
from cranfield.errors import MissingExtraError, UsageError
from cranfield.formats.writing import writing

if TYPE_CHECKING:
    import pyarrow as pa

RULES, DOCUMENTS = "truth.json", "truth.parquet"


@dataclass(frozen=True, eq=False)
class Truth:
    """How users behaved, and what documents are like."""

    model: str
    parameters: dict[str, float]
    settings: dict[str, Any]
    looked: Floats
    """By rank from the first, on what share of pages that showed something there it was looked at."""
    documents: pa.Table
    """topic, text, document_id, grade (null where it is not judged), attractiveness and satisfaction, for each text and
    each document that was ever shown for it."""

    def attractiveness(self) -> dict[tuple[str, str], float]:
        """By text and document."""
        columns = (self.documents.column(name).to_pylist() for name in ("text", "document_id", "attractiveness"))
        return {(text, document): value for text, document, value in zip(*columns, strict=True)}

    def satisfaction(self) -> dict[tuple[str, str], float]:
        """By text and document."""
        columns = (self.documents.column(name).to_pylist() for name in ("text", "document_id", "satisfaction"))
        return {(text, document): value for text, document, value in zip(*columns, strict=True)}

    def write(self, folder: Path) -> None:
        import pyarrow.parquet

        said = {"model": self.model, "parameters": self.parameters, "settings": self.settings}
        with writing(folder / RULES) as out:
            content = said | {"looked": [round(share, 6) for share in self.looked.tolist()]}
            out.write(json.dumps(content, indent=1).encode() + b"\n")
        with writing(folder / DOCUMENTS) as out:
            pyarrow.parquet.write_table(self.documents, out, compression="zstd", store_schema=False)


def read_truth(log: str | Path) -> Truth:
    """The truth beside a log; an error if the log is not simulated."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("query logs", "logs") from None
    folder = Path(log)
    if not (folder / RULES).is_file():
        raise UsageError(f"{folder}: there is no {RULES} in it: only of a simulated log is the truth known")
    said = json.loads((folder / RULES).read_text())
    looked = np.array(said.pop("looked"))
    return Truth(**said, looked=looked, documents=pyarrow.parquet.read_table(folder / DOCUMENTS))
