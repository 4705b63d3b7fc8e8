"""Labels of items, true and predicted: `item label` in two files, or `item true predicted` in one.

Cells stand between commas, between tabs, or between white space; a first line may name the columns.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from cranfield.data.shapes import Column, Shape, folded
from cranfield.errors import DataError, FormatError
from cranfield.formats.cells import iter_rows
from cranfield.formats.files import Readable, Source, open_source

_ITEM = Column("item", "item", ("item_id", "id", "doc_id", "docno", "document", "task", "example"))
_TRUE = ("true", "actual", "gold", "truth", "expected", "y_true", "true_label")
_PREDICTED = ("predicted", "prediction", "pred", "assigned", "output", "y_pred", "predicted_label")
ONE_LABEL = Shape("labels", (_ITEM, Column("label", "label", ("class", "category", *_TRUE, *_PREDICTED))))
TWO_LABELS = Shape(
    "labels", (_ITEM, Column("true", "true label", _TRUE[1:]), Column("predicted", "predicted label", _PREDICTED[1:]))
)


class Labelled(NamedTuple):
    """Items, and one column of labels or two."""

    name: str
    items: list[str]
    labels: tuple[list[str], ...]


def read_labels(what: Readable, shape: Shape = ONE_LABEL) -> Labelled:
    """The labels in a file, one for each item; or two for each, with the shape TWO_LABELS.

    >>> import io
    >>> read_labels(io.StringIO("item,label\\nphoto 1,cat\\nphoto 2,dog\\n")).labels
    (['cat', 'dog'],)
    """
    with open_source(what) as source:
        otherwise = "Two files have item and label each, one file has item, true label and predicted label."
        return labels_of(source, shape, otherwise)


def labels_of(source: Source, shape: Shape, otherwise: str) -> Labelled:
    """The labels in a file that is open; `otherwise` says what else there is, if the first line does not fit."""
    rows = iter_rows(source)
    place = {column.name: at for at, column in enumerate(shape.columns)}
    first = next(rows, None)
    if first is None:
        raise DataError(f"{source.name}: the file is empty")
    width = len(first[1])
    if _is_header(first[1], shape):
        place = {ours: first[1].index(theirs) for ours, theirs in shape.match(first[1], source.name).items()}
    elif width != len(place):
        names = " ".join(place)
        reason = f"expected {len(place)} cells ({names}), found {width}. {otherwise}"
        raise FormatError(reason, source=source.name, line=first[0])
    else:
        rows = chain([first], rows)
    seen: dict[str, int] = {}
    labels: tuple[list[str], ...] = tuple([] for _ in range(len(place) - 1))
    for line, cells in rows:
        if len(cells) != width:
            raise FormatError(f"expected {width} cells, found {len(cells)}", source=source.name, line=line)
        item, *given = (cells[at] for at in place.values())
        if not item or not all(given):
            raise FormatError("a cell is empty; expected an item and its label", source=source.name, line=line)
        if item in seen:
            reason = f"item {item!r} has a label already (at line {seen[item]}). Keep one of them."
            raise FormatError(reason, source=source.name, line=line)
        seen[item] = line
        for column, label in zip(labels, given, strict=True):
            column.append(label)
    if not seen:
        raise DataError(f"{source.name}: the file names its columns and has no items")
    return Labelled(source.name, list(seen), labels)


def _is_header(cells: list[str], shape: Shape) -> bool:
    """Whether a line begins with a name of the items' column, or has names of all columns."""
    names = [folded(cell) for cell in cells]
    return names[0] in _ITEM.names or all(set(names).intersection(column.names) for column in shape.columns)
