"""`cranfield web project bundle` and `restore`, and `cranfield pool verify-bundle`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import run_cranfield
from tests.web.installation import Installation


def test_from_one_installation_to_another(tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_text('{"_id": "d1", "text": "Boil it."}\n{"_id": "-d2", "text": "Bread"}\n')
    (tmp_path / "topics.jsonl").write_text('{"_id": "301", "title": "hot soup"}\n')
    (tmp_path / "pool.txt").write_text("301 d1\n301 -d2\n")
    places = {name: str(tmp_path / name) for name in ("docs.jsonl", "topics.jsonl", "pool.txt")}
    one, two = str(tmp_path / "one.zip"), str(tmp_path / "two.zip")
    create = ("project", "create", "Soups", "--pool", places["pool.txt"], "--topics", places["topics.jsonl"])
    _, made, unknown, bundle, twice, there = Installation(tmp_path / "first").several(
        ("migrate",),
        (*create, "--collection", places["docs.jsonl"]),
        ("project", "bundle", "Soup", one),
        ("project", "bundle", "Soups", one),
        ("project", "bundle", "Soups", one),
        ("project", "restore", one),
    )
    assert (unknown.exit_code, "there is no project 'Soup'. Did you mean Soups?" in unknown.stderr) == (2, True)
    assert bundle.exit_code == 0
    assert (twice.exit_code, "--force" in twice.stderr) == (2, True)
    assert (there.exit_code, "is in this installation already" in there.stderr) == (2, True)
    _, restored, again = Installation(tmp_path / "second").several(
        ("migrate",), ("project", "restore", one), ("project", "bundle", made.text.strip(), two)
    )
    assert restored.text == made.text
    assert again.exit_code == 0
    assert Path(one).read_bytes() == Path(two).read_bytes()
    verified = run_cranfield("pool", "verify-bundle", two, "--format", "json")
    assert json.loads(verified.text) == {
        "schema": "cranfield.bundle-check/1",
        "files": 17,
        "events": 0,
        "judgments": 0,
        "decided": 0,
        "assessors": 0,
    }
    wrong = run_cranfield("pool", "verify-bundle", places["docs.jsonl"])
    assert (wrong.exit_code, "this is no bundle" in wrong.stderr) == (1, True)
