"""Files that describe engines: what is refused, and where that is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cranfield.engines.configuration import Configuration, engine_settings, parse_settings, read_configuration
from cranfield.errors import CranfieldError


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "engine.toml"
    path.write_text(text)
    return path


def test_parameters_and_secrets_by_the_name_of_their_variable(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        'engine = "opensearch"\nurl = "https://search.example/"\nindex = "papers"\n'
        '[headers]\nAuthorization = {env = "SEARCH_TOKEN"}\nX-Team = "evaluation"\n',
    )
    found = read_configuration(path)
    assert found.kind == "opensearch"
    assert found.settings == {
        "url": "https://search.example/",
        "index": "papers",
        "headers": {"Authorization": {"env": "SEARCH_TOKEN"}, "X-Team": "evaluation"},
    }


def test_a_folder_is_beside_the_file(tmp_path: Path) -> None:
    found = read_configuration(written(tmp_path, 'engine = "bm25"\nfolder = "index"\nk1 = 0.9\n'))
    assert (found.folder, found.settings) == (tmp_path / "index", {"k1": 0.9})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("engine = opensearch\n", "engine.toml: this is no TOML"),
        ('url = "http://localhost"\n', 'there is no engine = "..."; it is one of tantivy, bm25'),
        ('\nengine = "opensarch"\n', "engine.toml:2: unknown engine 'opensarch'. Did you mean opensearch?"),
        (
            'engine = "opensearch"\nurl = "http://localhost"\nindx = "papers"\n',
            "engine.toml:3: indx: the engine opensearch has no such parameter. Did you mean index",
        ),
        (
            'engine = "http"\nurl = "http://localhost"\n[headers]\nAuthorization = "Bearer 123"\n',
            "engine.toml:4: headers.Authorization: a secret does not belong in a file or on a command line. Put it in an "
            'environment variable and write Authorization = {env = "NAME"}',
        ),
        ('engine = "postgres"\npassword = "123"\n', "engine.toml:2: password: a secret does not belong in a file"),
        ('engine = "http"\nurl = "http://me:123@host/"\n', "engine.toml:2: url: there is a password in it"),
        ('engine = "postgres"\ndsn = "host=db password=123"\n', "engine.toml:2: dsn: there is a password in it"),
        ('engine = "bm25"\nfolder = 5\n', "engine.toml:2: folder is 5; expected a text"),
    ],
)
def test_what_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(CranfieldError, match=re.escape(message)) as refused:
        read_configuration(written(tmp_path, text))
    assert "123" not in str(refused.value).replace("engine.toml", "")


def test_what_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "engine.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CranfieldError, match="this is no text in UTF-8"):
        read_configuration(tmp_path / "engine.toml")


def test_an_engine_with_files_needs_a_folder() -> None:
    with pytest.raises(
        CranfieldError, match="the engine bm25 keeps its index in a folder: make one with `cranfield index"
    ):
        Configuration("bm25", source="engine.toml").make()


def test_settings_of_the_command_line() -> None:
    assert parse_settings(["a=1", "b=x=y", "c.d=true", "c.e=", "f='1'"]) == {
        "a": 1,
        "b": "x=y",
        "c": {"d": True, "e": ""},
        "f": "1",
    }
    for wrong in ("a", "=1", "a.=1"):
        with pytest.raises(CranfieldError, match="expected name=value"):
            parse_settings([wrong])
    with pytest.raises(CranfieldError, match="a has a value already"):
        parse_settings(["a=1", "a.b=1"])


def test_lists_on_the_command_line() -> None:
    for text in ("fields=title, body", 'fields=["title", "body"]'):
        assert engine_settings("tantivy", [text]) == ("tantivy", {"fields": ["title", "body"]})
    assert engine_settings("bm25", ["fields=title", "stop_words=false"])[1] == {
        "fields": ["title"],
        "stop_words": False,
    }
    assert engine_settings("sqlite", ["fields.title=2"])[1] == {"fields": {"title": 2}}
    assert engine_settings("opensearch", ["url=http://h/a,b"])[1] == {"url": "http://h/a,b"}


def test_secrets_on_the_command_line_are_refused_too() -> None:
    with pytest.raises(CranfieldError, match="--set password: a secret does not belong") as refused:
        engine_settings("postgres", ["password=hunter2"])
    assert "hunter2" not in str(refused.value)
    assert engine_settings("postgres", ["password.env=SECRET"]) == ("postgres", {"password": {"env": "SECRET"}})


def test_a_name_that_is_neither_an_engine_nor_a_file() -> None:
    with pytest.raises(CranfieldError, match=re.escape("unknown engine 'sqllite'. Did you mean sqlite?")):
        engine_settings("sqllite")


def test_a_file_with_other_settings(tmp_path: Path) -> None:
    path = written(tmp_path, 'engine = "bm25"\nk1 = 0.9\nb = 0.4\n')
    assert engine_settings(str(path), ["b=0.5"]) == ("bm25", {"k1": 0.9, "b": 0.5})
