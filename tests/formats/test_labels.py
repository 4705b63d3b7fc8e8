"""Label files: every layout, and every mistake with its line."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats.labels import ONE_LABEL, TWO_LABELS, read_labels


def named(content: str | bytes) -> io.BytesIO:
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = "f"
    return file


@pytest.mark.parametrize(
    "content",
    [
        "a\tcat\nb\tdog\n",
        "a cat\nb   dog",
        "a,cat\r\nb,dog\r\n",
        "item,label\na,cat\nb,dog\n",
        "Item-ID\tClass\na\tcat\nb\tdog\n",
        "id,confidence,prediction\na,0.5,cat\nb,0.7,dog\n",
        "\n\na cat\n\nb dog\n\n",
        "\ufeffa cat\nb dog\n",
        'a,"cat"\n"b",dog\n',
    ],
)
def test_one_label_for_each_item(content: str) -> None:
    read = read_labels(named(content), ONE_LABEL)
    assert (read.items, read.labels) == (["a", "b"], (["cat", "dog"],))


@pytest.mark.parametrize(
    "content",
    [
        "a cat dog\nb dog dog\n",
        "item,true,predicted\na,cat,dog\nb,dog,dog\n",
        "predicted,true,item\ndog,cat,a\ndog,dog,b\n",
        "doc_id\ty_pred\ty_true\na\tdog\tcat\nb\tdog\tdog\n",
        "id,gold,note,prediction\na,cat,x,dog\nb,dog,,dog\n",
    ],
)
def test_two_labels_for_each_item(content: str) -> None:
    read = read_labels(named(content), TWO_LABELS)
    assert (read.items, read.labels) == (["a", "b"], (["cat", "dog"], ["dog", "dog"]))


def test_a_class_that_is_called_like_a_column() -> None:
    assert read_labels(named("1 document\n2 example\n")).labels == (["document", "example"],)


def test_labels_with_spaces_and_commas() -> None:
    assert read_labels(named("photo 1\tred fox\nphoto 2\tdog\n")).labels == (["red fox", "dog"],)
    assert read_labels(named('1,"fox, red"\n2,dog\n')).labels == (["fox, red", "dog"],)
    assert read_labels(named(b"caf\xe9\tcat\n")).items == ["caf\udce9"]


def test_packed_files(tmp_path: Path) -> None:
    (tmp_path / "labels.gz").write_bytes(gzip.compress(b"a cat\n"))
    assert read_labels(tmp_path / "labels.gz").labels == (["cat"],)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "f: the file is empty"),
        ("\n \n", "f: the file is empty"),
        ("item,label\n", "f: the file names its columns and has no items"),
        ("a cat\nb\n", "f:2: expected 2 cells, found 1"),
        ("a,cat\nb,\n", "f:2: a cell is empty; expected an item and its label"),
        ("a cat\nb dog\na fox\n", "f:3: item 'a' has a label already (at line 1). Keep one of them."),
        ("a,b,c\n", "f:1: expected 2 cells (item label), found 3. Two files have item and label each"),
        ("item,name\na,cat\n", "f: no column for the label; it has item, name. Give it one named label (or class, "),
        ('a,"cat\nb,dog\n', "f:2: unexpected end of data"),
        (b"a\0b c\n", "f: this is not a text file"),
        ("a cat".encode("utf-16"), "f: this is UTF-16 text."),
    ],
)
def test_files_that_cannot_be_read(content: str | bytes, message: str) -> None:
    with pytest.raises((DataError, FormatError)) as caught:
        read_labels(named(content))
    assert str(caught.value).startswith(message)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="nowhere: there is no such file"):
        read_labels("nowhere")
