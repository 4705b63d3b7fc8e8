"""How the files of a collection are read, where their content does not say it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, TypedDict

from cranfield.errors import UsageError


class Ways(TypedDict, total=False):
    """What may be said of the files of a collection; see `Reading`."""

    documents_format: str | None
    topics_format: str | None
    encoding: str | None
    ids: str


@dataclass(frozen=True)
class Reading:
    """The formats of documents and topics and the encoding of both, and what documents are called that are files."""

    documents_format: str | None = None
    topics_format: str | None = None
    encoding: str | None = None
    ids: str = "stem"

    @property
    def of_documents(self) -> dict[str, Any]:
        """What `iter_documents` is told, where it is told anything."""
        return self._said(format=self.documents_format, encoding=self.encoding, ids=self.ids)

    @property
    def of_topics(self) -> dict[str, Any]:
        """What `read_topics` is told."""
        return self._said(format=self.topics_format, encoding=self.encoding)

    def _said(self, **ways: Any) -> dict[str, Any]:
        return {name: way for name, way in ways.items() if way not in (None, AS_THEY_COME.ids)}

    @property
    def said(self) -> dict[str, str]:
        """What is not as it would be without being said."""
        return {name: way for name, way in asdict(self).items() if way != getattr(AS_THEY_COME, name)}

    def refuse(self, reason: str) -> None:
        """An error if anything is said of files that are read in one way only."""
        for name, way in self.said.items():
            raise UsageError(f"--{name.replace('_', '-')} {way} is of no use here: {reason}")


AS_THEY_COME = Reading()
