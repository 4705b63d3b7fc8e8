"""Opening and writing: whatever goes wrong is said in a line, and an old file survives."""

from __future__ import annotations

import gzip
import io
import os
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
import zstandard

from cranfield.errors import CranfieldError, DataError, FormatError, UsageError
from cranfield.formats.files import hearing_streams, open_source
from cranfield.formats.writing import check_writable, writing

TEXT = b"".join(b"q%d Q0 d%d 1 0.5 tag\n" % (row // 100, row) for row in range(20000))


def read(what: object) -> bytes:
    with open_source(what) as source:  # type: ignore[arg-type]
        source.head()
        return source.read()


@pytest.fixture(params=["plain", "gzip", "zstd", "several frames"])
def packed(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    half = len(TEXT) // 2
    content = {
        "plain": TEXT,
        "gzip": gzip.compress(TEXT),
        "zstd": zstandard.compress(TEXT),
        "several frames": zstandard.compress(TEXT[:half]) + zstandard.compress(TEXT[half:]),
    }[request.param]
    path = tmp_path / "a.run"
    path.write_bytes(content)
    return path


def test_reading_unpacks_whatever_the_name_says(packed: Path) -> None:
    assert read(packed) == TEXT
    assert read(str(packed)) == TEXT
    with packed.open("rb") as file:
        assert read(file) == TEXT
    assert read(io.BytesIO(packed.read_bytes())) == TEXT
    with open_source(packed) as source:
        assert source.head() == TEXT[:65536]


def test_all_bytes_of_a_stream_are_heard(packed: Path) -> None:
    content = packed.read_bytes()
    heard = bytearray()
    with hearing_streams(heard.extend), open_source(io.BytesIO(content)):
        pass  # those that nobody reads are heard too
    assert heard == content
    heard = bytearray()
    with hearing_streams(heard.extend):
        assert read(io.BytesIO(content)) == TEXT
        assert heard == content
        assert read(packed) == TEXT  # a file can be read again, and is not heard
    assert heard == content


def test_a_file_object_is_read_from_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(TEXT)
    with (tmp_path / "a").open("rb") as file:
        first = file.readline()
        assert read(file) == TEXT.removeprefix(first)
        assert not file.closed
    assert read(io.StringIO("q1 é\n")) == "q1 é\n".encode()


def test_a_byte_order_mark_is_passed_over() -> None:
    assert read(io.BytesIO(b"\xef\xbb\xbfq1 0 d 1\n")) == b"q1 0 d 1\n"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd on this system")
def test_a_pipe_that_gives_a_byte_at_a_time() -> None:
    out, into = os.pipe()

    def write() -> None:
        with os.fdopen(into, "wb", buffering=0) as pipe:
            for at in range(30):
                pipe.write(TEXT[at : at + 1])

    thread = threading.Thread(target=write)
    thread.start()
    with open_source(f"/dev/fd/{out}") as source:
        assert source.head() == TEXT[:30]
        assert source.read() == TEXT[:30]
    thread.join()
    os.close(out)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
    assert read("-") == TEXT
    code = "from cranfield.formats.files import open_source\nwith open_source('-') as s: print(len(s.read()))"
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], input=TEXT, capture_output=True, check=True)
        assert int(done.stdout) == len(TEXT)


@pytest.mark.parametrize("size", [10, 15, 100, -20, -9, -1])
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_packed_data_that_is_cut_short(tmp_path: Path, pack: object, size: int) -> None:
    path = tmp_path / "cut"
    path.write_bytes(pack(TEXT)[:size])  # type: ignore[operator]
    with pytest.raises(FormatError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: the compressed data is damaged or ends early (")
    assert str(error.value).endswith("). Fetch the file again.")


def test_packed_data_with_something_else_behind_it(tmp_path: Path) -> None:
    for pack in (gzip.compress, zstandard.compress):
        (tmp_path / "odd").write_bytes(pack(TEXT) + b"something else")
        with pytest.raises(FormatError, match="the compressed data is damaged"):
            read(tmp_path / "odd")


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "cran" / "qrels").mkdir(parents=True)
    (tmp_path / "cran" / "queries.jsonl").touch()
    for what, message in (
        (tmp_path / "none", f"{tmp_path}/none: there is no such file"),
        (tmp_path / "cran" / "qrels", f"{tmp_path}/cran/qrels: this is a directory, not a file"),
        (tmp_path / "cran", f"{tmp_path}/cran: this is a directory, not a file; in it there are qrels/, queries.jsonl"),
        ("a\0b", "'a\\x00b': this is not the name of a file: embedded null byte"),
    ):
        with pytest.raises(UsageError) as error:
            read(what)
        assert str(error.value) == message
        assert error.value.exit_code == 2


def test_no_permission_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    path.write_bytes(TEXT)
    path.chmod(0)
    if os.access(path, os.R_OK):  # root may read everything: act as if it could not

        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("io.FileIO", refuse)
    with pytest.raises(UsageError) as error:
        read(path)
    assert str(error.value) == f"{path}: no permission to read it"


def test_utf_16() -> None:
    with pytest.raises(DataError) as error:
        read(io.BytesIO("q1 0 d 1\n".encode("utf-16")))
    assert str(error.value).startswith("file object: this is UTF-16 text. Convert it to UTF-8 first (iconv -f UTF-16)")


def test_text_files_that_are_not_utf_8_must_be_opened_as_bytes() -> None:
    class Odd(io.StringIO):
        def read(self, size: int | None = -1) -> str:
            return b"\xff".decode()

    with pytest.raises(UsageError, match="open it in binary mode"):
        read(Odd())


# Writing


@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.run.zst"])
def test_what_is_written_can_be_read(tmp_path: Path, name: str) -> None:
    with writing(tmp_path / name) as out:
        out.write(TEXT)
    assert read(tmp_path / name) == TEXT
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert ((tmp_path / name).stat().st_size < len(TEXT)) == (name != "a.run")


def test_gzip_holds_neither_name_nor_time(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with writing(tmp_path / name) as out:
            out.write(TEXT)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@pytest.mark.parametrize("trouble", [RuntimeError, KeyboardInterrupt, DataError])
@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.run.zst"])
def test_an_old_file_survives_an_interrupted_write(tmp_path: Path, trouble: type[BaseException], name: str) -> None:
    (tmp_path / name).write_bytes(b"old")

    def write() -> None:
        with writing(tmp_path / name) as out:
            out.write(TEXT)
            raise trouble

    with pytest.raises(trouble):
        write()
    assert (tmp_path / name).read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_old_file_survives_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    def write() -> None:
        with writing(path) as out:
            out.write(TEXT)

    with pytest.raises(UsageError) as error:
        write()
    assert str(error.value) == f"{path}: cannot be written: No space left on device"
    assert path.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.run"]


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(path: Path) -> str:
        with pytest.raises(UsageError) as error, writing(path):
            pass
        with pytest.raises(UsageError) as first:
            check_writable(path)
        assert str(first.value) == str(error.value)
        return str(error.value)

    assert write(tmp_path) == f"{tmp_path}: this is a directory; give the name of a file"
    missing = tmp_path / "none" / "a.run"
    assert write(missing) == f"{missing}: cannot be written: there is no folder {str(missing.parent)!r}"
    (tmp_path / "a.run").write_bytes(b"old")
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):  # root may write everywhere: act as if it could not

        def refuse(**_: object) -> None:
            raise PermissionError(13, "Permission denied")

        for name in ("mkstemp", "TemporaryFile"):
            monkeypatch.setattr(tempfile, name, refuse)
    assert write(tmp_path / "a.run") == f"{tmp_path}/a.run: cannot be written: Permission denied"
    tmp_path.chmod(0o700)
    assert (tmp_path / "a.run").read_bytes() == b"old"


def test_rights_are_those_of_the_old_file_or_the_usual_ones(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_bytes(b"")
    old.chmod(0o640)
    (tmp_path / "usual").write_bytes(b"")
    for name in ("old", "new"):
        with writing(tmp_path / name) as out:
            out.write(b"x")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_links_stay_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.run").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "a.run")
    with writing(tmp_path / "link") as out:
        out.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a.run").read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_are_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arrived: list[bytes] = []
    thread = threading.Thread(target=lambda: arrived.append(pipe.read_bytes()))
    thread.start()
    with writing(pipe) as out:
        out.write(b"new")
    thread.join()
    assert arrived == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_can_be_written_is_not_made_by_looking(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    for path in ("-", os.devnull, tmp_path / "new", tmp_path / "old"):
        check_writable(path)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("old", b"old")]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full on this system")
def test_a_device_that_is_full() -> None:
    def write() -> None:
        with writing("/dev/full") as out:
            out.write(b"x")

    with pytest.raises(CranfieldError) as error:
        write()
    assert str(error.value) == "/dev/full: cannot be written: No space left on device"


def test_very_long_names(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 250)
    with writing(path) as out:
        out.write(b"x")
    assert path.read_bytes() == b"x"
