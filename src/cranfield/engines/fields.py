"""Which fields of a document are searched, and how much each of them counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cranfield.data.documents import Document
from cranfield.engines.parameters import number, texts
from cranfield.errors import DataError, ParameterError, did_you_mean

FieldChoice = Sequence[str] | Mapping[str, float] | None
"""None: every text of a document, as one; names: the texts of these fields, as one; names with weights: each field is
searched by itself, and its score counts so many times."""


class Fields:
    """The texts of a document under a choice of fields.

    >>> soup = Document("d1", {"title": "Soup", "text": "Boil water.", "year": 1962})
    >>> Fields(None).texts(soup), Fields(["text"]).texts(soup)
    (['Soup\\nBoil water.'], ['Boil water.'])
    >>> Fields({"title": 2, "text": 1}).texts(soup)
    ['Soup', 'Boil water.']
    """

    def __init__(self, choice: FieldChoice, *, weighted: bool = True) -> None:
        self.weights: tuple[float, ...] = (1.0,)
        self._names: tuple[str, ...] | None = None
        self._apart = False
        if isinstance(choice, Mapping):
            if not weighted:
                raise ParameterError(f"fields is {dict(choice)!r}; this engine takes names without weights")
            self._names = texts("fields", list(choice))
            self.weights = tuple(number(f"fields.{name}", weight, least=0) for name, weight in choice.items())
            self._apart = True
        elif choice is not None:
            self._names = texts("fields", choice)

    def recorded(self) -> list[str] | dict[str, float] | None:
        """The choice as it is written down."""
        if self._names is None:
            return None
        return dict(zip(self._names, self.weights, strict=True)) if self._apart else list(self._names)

    def texts(self, document: Document) -> list[str]:
        """The texts that are indexed, one for each weight."""
        if not self._apart or self._names is None:
            return [encodable(document.text(self._names))]
        return [encodable(document.text((name,))) for name in self._names]

    def checked(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The documents as they pass; at their end, a chosen field that none of them had is an error."""
        missing, seen = set(self._names or ()), set[str]()
        for document in documents:
            if missing:
                seen.update(document.fields)
                missing.difference_update(document.fields)
            yield document
        for name in sorted(missing):
            there = f"{did_you_mean(name, seen)} There are: {', '.join(sorted(seen)) or 'none'}"
            raise DataError(f"no document has a field {name!r}{there}")


def encodable(text: str) -> str:
    """Bytes that were no text in their file come as lone surrogates, which no engine takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
