"""`cranfield web project`."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

from tests.cli.running import run_cranfield
from tests.web.installation import Installation


def test_a_project_is_made_of_a_pool_and_listed(tmp_path: Path) -> None:
    installation = Installation(tmp_path / "judging")
    (tmp_path / "docs.jsonl").write_text('{"id": "d1", "text": "Boil it."}\n{"id": "d2", "text": "Bake it."}\n')
    (tmp_path / "topics.tsv").write_text("q1\thot soup\n")
    (tmp_path / "pool.txt").write_text("q1 d2\nq1 d1\nq1 d3\n")
    material = ("--pool", f"{tmp_path}/pool.txt", "--collection", f"{tmp_path}/docs.jsonl")
    topics = ("--topics", f"{tmp_path}/topics.tsv")
    _, _, made, missing, nobody, no_topics, wrong, listed, table = installation.several(
        ("migrate",),
        ("user", "add", "anna"),
        ("project", "create", "Soups", *material, *topics, "--leave-out", "--overlap", "2", "--manager", "anna"),
        ("project", "create", "Stews", *material, *topics),
        ("project", "create", "Stews", *material, *topics, "--leave-out", "--manager", "ana"),
        ("project", "create", "Stews", *material, "--leave-out"),
        ("project", "create", "Stews", *material, *topics, "--leave-out", "--scale", "bynary"),
        ("project", "list", "--format", "json"),
        ("project", "list"),
    )
    assert str(uuid.UUID(made.text.strip())) == made.text.strip()
    assert "Soups: 2 to judge: 2 new documents, 1 new topics; 1 left out" in made.stderr
    assert (missing.exit_code, "documents of the pool are not in docs: d3" in missing.stderr) == (1, True)
    assert (nobody.exit_code, "there is no account 'ana'. Did you mean anna?" in nobody.stderr) == (2, True)
    assert (no_topics.exit_code, "has no topics of its own" in no_topics.stderr) == (2, True)
    assert (wrong.exit_code, "no scale of that name. Did you mean binary?" in wrong.stderr) == (2, True)
    project = {"id": made.text.strip(), "name": "Soups", "open": True, "topics": 1, "wanted": 4, "judged": 0}
    assert json.loads(listed.text) == {
        "schema": "cranfield.judging-projects/1",
        "projects": [{**project, "assessors": 0}],
    }
    assert table.text == (
        f"id\tname\tstate\ttopics\twanted\tjudged\tassessors\n{made.text.strip()}\tSoups\topen\t1\t4\t0\t0\n"
    )


def test_in_a_workspace_nothing_but_the_pool_has_to_be_said(tmp_path: Path) -> None:
    (tmp_path / "cranfield.toml").write_text(
        'version = 1\nname = "kitchen"\ncollection = "docs.jsonl"\ntopics = "topics.tsv"\nscale = "binary"\n'
    )
    (tmp_path / "docs.jsonl").write_text('{"id": "d1", "text": "Boil it."}\n')
    (tmp_path / "topics.tsv").write_text("q1\thot soup\n")
    (tmp_path / "pool.txt").write_text("q1 d1\n")
    here = {"CRANFIELD_JUDGING": ""}
    assert run_cranfield("web", "migrate", cwd=tmp_path, environment=here).exit_code == 0
    create = ("web", "project", "create", "Soups", "--pool", "pool.txt")
    made = run_cranfield(*create, cwd=tmp_path, environment=here)
    assert made.exit_code == 0, made.stderr
    installation = Installation(tmp_path / ".cranfield" / "judging")
    assert "binary" in str(installation.rows("projects_scaleversion"))
    assert str(tmp_path / "docs.jsonl") in str(installation.rows("projects_project"))
