"""Files among others: folders, tar, zip; and what is refused."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
import zstandard

from cranfield.data.documents import Document
from cranfield.errors import CranfieldError, DataError, FormatError
from cranfield.formats.documents import iter_documents
from tests.formats.documents.reading import message, read

PAGE = "<!doctype html><head><title>A &amp; B</title><style>p {}</style></head><body><p>one<p>two &lt;3 &nbsp; x</body>"
FILES = {"b.txt": "second\r\n", "a/1.html": PAGE, "c/empty.txt": "", "d.text": "last"}
DOCUMENTS = [
    Document("1", {"title": "A & B", "text": "one\ntwo <3 x"}),
    Document("b", {"text": "second"}),
    Document("empty", {}),
    Document("d", {"text": "last"}),
]


def fill(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def tar(files: Mapping[str, str | bytes], format: int = tarfile.PAX_FORMAT) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=format) as archive:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            header = tarfile.TarInfo(name)
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    return stream.getvalue()


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def failure(path: Path | str, **options: str) -> str:
    with pytest.raises(CranfieldError) as caught:
        list(iter_documents(path, **options))
    return str(caught.value)


def test_a_folder_in_the_order_of_names(tmp_path: Path) -> None:
    fill(tmp_path, {**FILES, ".hidden/x.txt": "no", ".DS_Store": b"\0", "_SUCCESS": ""})
    assert list(iter_documents(tmp_path)) == sorted(DOCUMENTS, key=lambda document: "1bed".index(document.id[0]))


def test_files_called_by_their_path(tmp_path: Path) -> None:
    fill(tmp_path, {"b/1.txt": "x", "a/1.txt.gz": gzip.compress(b"y")})
    assert [(document.id, document.text()) for document in iter_documents(tmp_path, ids="path")] == [
        ("a/1.txt.gz", "y"),
        ("b/1.txt", "x"),
    ]


@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
def test_an_archive_in_the_order_of_its_members(pack: object, format: int) -> None:
    assert callable(pack)
    ordered = dict(sorted(FILES.items(), key=lambda item: "abcd".index(item[0][0])))
    assert read(pack(tar({"./" + name: content for name, content in ordered.items()}, format))) == DOCUMENTS


def test_a_zip_archive(tmp_path: Path) -> None:
    ordered = dict(sorted(FILES.items(), key=lambda item: "abcd".index(item[0][0])))
    content = zipped({"a/": "", "__MACOSX/x": "no", **ordered})
    (tmp_path / "f.zip").write_bytes(content)
    assert list(iter_documents(tmp_path / "f.zip")) == read(content) == DOCUMENTS


@pytest.mark.parametrize(
    "files",
    [
        {"1.trec": "<DOC><DOCNO>1</DOCNO></DOC>", "2": "<DOC><DOCNO>2</DOCNO></DOC>"},
        {"1.jsonl.gz": gzip.compress(b'{"id": "1"}'), "2": '{"id": "2"}\n'},
        {"1.tsv": "1\t\n", "2.tsv": "2\t\n"},
        {"1.csv": "id,text\n1,\n", "2.csv": "id\n2\n"},
        {"1.all": ".I 1\n.W\n", "2.all": ".I 2\n.W\n"},
    ],
)
def test_files_of_many_documents(tmp_path: Path, files: Mapping[str, str | bytes]) -> None:
    expected = [Document("1", {}), Document("2", {})]
    assert list(iter_documents(fill(tmp_path, files))) == read(tar(files)) == read(zipped(files)) == expected


def test_a_text_with_tabs_or_commas_is_a_text(tmp_path: Path) -> None:
    fill(tmp_path, {"a.txt": "id\ttext\n1\tx\n", "b.txt": "id,text\n1,x\n"})
    assert [document.id for document in iter_documents(tmp_path)] == ["a", "b"]


def test_files_of_different_formats(tmp_path: Path) -> None:
    fill(tmp_path, {"a.jsonl": '{"id": "1"}', "b.txt": "x"})
    assert failure(tmp_path) == (
        f"{tmp_path}/b.txt: this is text, and {tmp_path}/a.jsonl before it is jsonl. Files of one format, or of text and "
        "HTML, are read together: name the file that holds the documents."
    )


def test_an_empty_file_among_tables(tmp_path: Path) -> None:
    assert failure(fill(tmp_path, {"a.jsonl": ""})) == f"{tmp_path}/a.jsonl: the file is empty"


def test_folders_and_archives_without_files(tmp_path: Path) -> None:
    assert failure(tmp_path) == f"{tmp_path}: there is no file in it"
    assert message(tar({})) == "f: there is no file in it"
    assert message(zipped({})) == "f: there is no file in it"


def test_links_in_a_folder(tmp_path: Path) -> None:
    fill(tmp_path, {"else/where/1.txt": "x"})
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/2.txt").symlink_to(tmp_path / "else/where/1.txt")
    assert list(iter_documents(tmp_path / "docs")) == [Document("2", {"text": "x"})]
    (tmp_path / "docs/3").symlink_to(tmp_path / "else/where")
    assert failure(tmp_path / "docs") == (
        f"{tmp_path}/docs/3: links to folders are not followed. Name the folder itself."
    )


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may be allowed to read everything."""

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert failure(tmp_path) == f"{tmp_path}: cannot be read: Permission denied"


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../../etc/passwd", "a/../../b", "..", "C:\\x", "c:/x", "\\\\host\\x", "a\\..\\..\\x"]
)
@pytest.mark.parametrize("pack", [tar, zipped])
def test_names_that_lead_out_of_the_archive_are_refused(pack: object, name: str) -> None:
    assert callable(pack)
    shown = name.replace("\\", "\\\\")
    assert message(pack({"1.txt": "x", name: "x"})) == (
        f"f: refused: the member '{shown}' has a name that leads out of the archive. Pack it again with relative names."
    )


@pytest.mark.parametrize(("name", "shown"), [("a\nb", "a\\nb"), ("\x1b[2J", "\\x1b[2J"), ("caf\udce9", "caf\\udce9")])
def test_names_that_cannot_be_shown(tmp_path: Path, name: str, shown: str) -> None:
    expected = f"the name '{shown}' holds control characters, or bytes that are not UTF-8. Rename the file."
    assert message(tar({name: "x"}, tarfile.GNU_FORMAT)) == f"f: {expected}"
    assert failure(fill(tmp_path, {name: "x"})) == f"{tmp_path}: {expected}"


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        (tarfile.SYMTYPE, "a link to '/etc/passwd'"),
        (tarfile.LNKTYPE, "a link to '/etc/passwd'"),
        (tarfile.FIFOTYPE, "not a file"),
        (tarfile.CHRTYPE, "not a file"),
    ],
)
def test_members_that_are_no_files_are_refused(kind: bytes, what: str) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        header = tarfile.TarInfo("x.txt")
        header.type, header.linkname = kind, "/etc/passwd"
        archive.addfile(header)
    assert message(stream.getvalue()) == f"f: refused: the member 'x.txt' is {what}"


def test_links_and_passwords_in_zip_archives_are_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        header = zipfile.ZipInfo("x.txt")
        header.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(header, "/etc/passwd")
    assert message(stream.getvalue()) == "f: refused: the member 'x.txt' is a link"
    locked = bytearray(zipped({"x.txt": "x"}))
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    assert message(bytes(locked)) == "f: the member 'x.txt' is locked with a password"


def test_an_archive_within_an_archive(tmp_path: Path) -> None:
    inner = tar({"1.txt": "x"})
    expected = "x.tar: an archive among files is not read. Unpack it first."
    assert message(tar({"x.tar": inner})) == f"f/{expected}"
    assert failure(fill(tmp_path, {"x.tar": inner})) == f"{tmp_path}/{expected}"


def test_every_cut_of_an_archive_is_noticed() -> None:
    """None of them may pass for an archive with fewer documents."""
    whole = tar({f"{at}.txt": "word " * 150 * at for at in range(1, 4)}, tarfile.GNU_FORMAT)
    end = whole.rindex(b"word") + 4
    blocks = -(-end // 512) * 512
    for size in [*range(512, blocks, 97), *range(512, blocks + 1, 512)]:
        expected = (
            "f: the archive is damaged or cut short. Fetch it again.",
            "the compressed data is damaged or ends early",
        )
        assert any(part in message(whole[:size]) for part in expected), size


def test_every_cut_of_a_packed_archive_is_noticed() -> None:
    whole = gzip.compress(tar({f"{at}.txt": os.urandom(200).hex() for at in range(4)}))
    for size in range(20, len(whole), 7):
        assert "damaged" in message(whole[:size]) or "ends early" in message(whole[:size]), size


@pytest.mark.parametrize("size", [30, 60, 100, 150])
def test_a_zip_archive_that_is_cut_short(size: int) -> None:
    whole = zipped({"1.txt": "one", "2.txt": "two"})
    assert message(whole[:size]).startswith("f: the archive is damaged, or packed in a way that is not read here (")


def test_a_zip_member_that_is_damaged() -> None:
    whole = bytearray(zipped({"1.txt": os.urandom(100).hex()}))
    whole[60] ^= 0xFF
    with pytest.raises(FormatError, match=r"damaged"):
        read(bytes(whole))


def test_a_file_that_is_no_text_among_texts(tmp_path: Path) -> None:
    fill(tmp_path, {"a.txt": "x", "b.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"})
    assert failure(tmp_path) == (
        f"{tmp_path}/b.png: this is not a text file, and in no binary format that is known here"
    )
    fill(tmp_path, {"b.png": b"%PDF-1.4\n%...."})
    assert failure(tmp_path) == f"{tmp_path}/b.png: this is a PDF, which is not read here. Make text of it first."


def test_json_over_several_lines_among_files(tmp_path: Path) -> None:
    fill(tmp_path, {"a.json": '{\n  "id": 1\n}\n'})
    assert failure(tmp_path) == (
        f"{tmp_path}/a.json: this is JSON, and not one object on a line. A JSON object must be on one line; "
        "jq -c makes it so."
    )


def test_ids_and_formats_that_are_not_known(tmp_path: Path) -> None:
    assert failure(tmp_path, ids="name") == "ids='name': expected 'stem' or 'path'"
    assert failure(tmp_path, format="jsonll") == (
        "unknown documents format 'jsonll'. Did you mean jsonl? There are: parquet, trec, smart, jsonl, beir, html, tsv, "
        "csv, text"
    )


def test_what_is_not_there(tmp_path: Path) -> None:
    assert failure(tmp_path / "x") == f"{tmp_path}/x: there is no such file"


EXPECTED = (
    "Expected one of: parquet: a column named like an identifier, and others; trec: <DOC> with <DOCNO> and fields between "
    "tags; smart: .I and a number on a line, then .T, .A, .B, .W (Cranfield, CISI, CACM); jsonl: one JSON object per line, "
    "with an id; beir: one JSON object per line, with _id, title and text; html: a page, named like its file; tsv: "
    "identifier, tab, text; or a header that names the columns; csv: comma-separated, with a header that names an id; "
    "text: a file of text, named like the file. A file that is one document is read with --documents-format text "
    "(in Python format='text')."
)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "f: the file is empty"),
        (" \n\n", "f: the file is empty"),
        ("\ufeff", "f: the file is empty"),
        ("q1 0 d1 1\nq1 0 d2 0\n", "f: this looks like judgments, not like documents"),
        ("q1 Q0 d1 1 0.5 tag\n", "f: this looks like a run, not like documents"),
        (
            "Once upon a time\nthere was\n",
            f"f: these are documents in no format known here; the file begins with 'Once upon a time'. {EXPECTED}",
        ),
        (
            '[{"id": 1}]',
            "f: these are documents in no format known here; the file begins with '[{\"id\": 1}]'. A JSON array is made "
            f"into lines by: jq -c '.[]' {EXPECTED}",
        ),
        (b"BZh91AY", "f: this is packed with bzip2, which is not read here. Make text of it first."),
        (b"\x00\x01\x02", "f: this is not a text file, and in no binary format that is known here"),
    ],
)
def test_files_in_no_format(content: str | bytes, expected: str) -> None:
    assert message(content) == expected


def test_a_file_of_text_alone_is_read_if_asked_for(tmp_path: Path) -> None:
    fill(tmp_path, {"once.txt": "Once upon a time", "page.html": PAGE})
    assert list(iter_documents(tmp_path / "once.txt", format="text")) == [
        Document("once", {"text": "Once upon a time"})
    ]
    (page,) = iter_documents(tmp_path / "page.html")
    assert page.id == "page"


def test_a_file_that_cannot_be_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl.gz"
    path.write_bytes(gzip.compress("".join(f'{{"id": {at}}}\n' for at in range(10**5)).encode())[:-100])
    with pytest.raises(DataError, match=r"f\.jsonl\.gz: the compressed data is damaged or ends early"):
        list(iter_documents(path))
