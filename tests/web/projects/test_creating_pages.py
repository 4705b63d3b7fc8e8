"""The form of a new project, and more to judge."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from cranfield.data.scale import BINARY, GRADED
from cranfield.formats.pools import write_pool
from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Slot
from cranfield.web.projects.models import Membership, Project
from cranfield.web.projects.scales import scale_of
from tests.web.projects.material import order, soups

pytestmark = pytest.mark.django_db

DOCUMENTS = b'{"id": "d1", "title": "Soup", "text": "Boil it."}\n{"id": "d2", "text": "Bake it."}\n'
TOPICS = b"q1\thot soup\nq2\tcold soup\n"
POOL = b"q1 d2\nq1 d1\nq2 d1\n"


@pytest.fixture
def boss(client: Client) -> User:
    user = User.objects.create(username="boss", is_administrator=True)
    client.force_login(user)
    return user


def form(**changed: Any) -> dict[str, Any]:
    """What a browser sends of the form, filled in; None leaves a field out."""
    content = {
        "name": "Soups",
        "mode": "grades",
        "scale": "graded",
        "order": "pool",
        "overlap": "2",
        "overlap_share": "1",
        "gold_every": "10",
        "repeat_share": "0",
        "lease_minutes": "30",
        "break_minutes": "45",
        "grade-TOTAL_FORMS": "0",
        "grade-INITIAL_FORMS": "0",
        "pool_file": SimpleUploadedFile("pool.txt", POOL),
        "documents_file": SimpleUploadedFile("docs.jsonl", DOCUMENTS),
        "topics_file": SimpleUploadedFile("topics.tsv", TOPICS),
        **changed,
    }
    return {name: value for name, value in content.items() if value is not None}


def own_grades(*rows: tuple[str, str, str, str]) -> dict[str, str]:
    fields = {"scale": "own", "grade-TOTAL_FORMS": str(len(rows)), "grade-INITIAL_FORMS": "0"}
    for number, row in enumerate(rows):
        fields |= {
            f"grade-{number}-{name}": cell
            for name, cell in zip(("value", "name", "definition", "key"), row, strict=True)
        }
    return fields


@pytest.mark.usefixtures("boss")
class TestNewProject:
    def test_from_uploads(self, client: Client) -> None:
        packed = SimpleUploadedFile("docs.jsonl.gz", gzip.compress(DOCUMENTS))
        response = client.post("/projects/new/", form(documents_file=packed), follow=True)
        project = Project.objects.get()
        assert response.redirect_chain == [(f"/projects/{project.pk}/invitations/", 302)]
        assert "Soups: 3 to judge: 2 new documents, 2 new topics. Invite those who judge." in response.text
        assert order(project, "q1") == ["d2", "d1"]
        assert Slot.objects.count() == 6
        assert scale_of(project.scales.get()) == GRADED
        assert project.memberships.get().role == Membership.Role.MANAGER

    def test_grades_of_ones_own(self, client: Client) -> None:
        rows = own_grades(("1", "good", "It helps.", "a"), ("0", "bad", "", ""), ("", "", "", ""))
        client.post("/projects/new/", form(**rows, guideline="# How\r\nWell."))
        version = Project.objects.get().scales.get()
        assert version.content == [
            {"value": 1, "name": "good", "definition": "It helps.", "key": "a"},
            {"value": 0, "name": "bad", "definition": "", "key": "0"},
        ]
        assert version.guideline == "# How\nWell."
        assert scale_of(version).version == version.version

    def test_a_guideline_for_a_known_scale(self, client: Client) -> None:
        client.post("/projects/new/", form(scale="binary", guideline="Be kind."))
        scale = scale_of(Project.objects.get().scales.get())
        assert (scale.grades, scale.guideline) == (BINARY.grades, "Be kind.")

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"name": ""}, "This field is required"),
            ({"overlap": "0"}, "Expected 1 to 100."),
            ({"repeat_share": "2"}, "Expected a share from 0 to 1."),
            ({"lease_minutes": "0"}, "Expected at least 1."),
            ({"pool_file": None}, "Name a pool on the server, or upload a file."),
            ({"pool_file": None, "pool_place": "/etc/passwd"}, "there is no folder on the server to search in"),
            ({"documents_file": None}, "there are no documents: name where they are on the server, or upload a file"),
            ({"topics_file": None}, "docs has no topics of its own: name their file, or upload it"),
            ({"topics_file": SimpleUploadedFile("t.tsv", b"q1\tx\nq1\ty\n")}, "t.tsv:2: topic &#x27;q1&#x27; is there twice"),
            ({"documents_file": SimpleUploadedFile("d.jsonl", b'{"id": "d1"}\n{\n')}, "d.jsonl:2: "),
            ({"pool_file": SimpleUploadedFile("p.txt", b"q1 d9\nq1 d1\n")}, "documents of the pool are not in docs: d9."),
            ({"documents_file": SimpleUploadedFile("d.csv", b"id,text\n"), "topics_file": None}, "d.csv: there is no document in it"),
            ({"documents_file": SimpleUploadedFile("d.tsv", TOPICS)}, "none of the documents of the pool (d1, d2) is in d"),
            ({"engine": "index"}, "there is no folder on the server to search in"),
            (own_grades(("1", "good", "", "s"), ("0", "bad", "", "")), "grade 1: key is &#x27;s&#x27;, which skips; choose another"),
            (own_grades(("1", "good", "", "")), "has 1 grades; expected at least 2"),
            (own_grades(("1", "", "", ""), ("0", "bad", "", "")), "empty the whole row if there is none"),
            (own_grades(("much", "good", "", ""), ("0", "bad", "", "")), "Enter a number."),
            ({"mode": "pairs", "pool_file": SimpleUploadedFile("p.txt", b"q1 d1\n")}, "topic q1 has one document alone"),
        ],
    )  # fmt: skip
    def test_what_cannot_be_is_said_and_nothing_is_made(
        self, client: Client, changed: dict[str, Any], said: str
    ) -> None:
        for upload in changed.values():
            if isinstance(upload, SimpleUploadedFile):
                upload.seek(0)
        response = client.post("/projects/new/", form(**changed))
        assert response.status_code == 400
        assert said in response.text
        assert not Project.objects.exists()

    def test_from_the_workspace(self, client: Client, tmp_path: Path) -> None:
        from cranfield.data.pool import Pool

        (tmp_path / "cranfield.toml").write_text(
            'version = 1\nname = "kitchen"\ncollection = "docs.jsonl"\ntopics = "topics.tsv"\nscale = "binary"\n'
        )
        (tmp_path / "docs.jsonl").write_bytes(DOCUMENTS)
        (tmp_path / "topics.tsv").write_bytes(TOPICS)
        (tmp_path / "pools").mkdir()
        write_pool(Pool.from_dict({"q1": ["d1"]}), tmp_path / "pools" / "pool.tsv")
        with override_settings(WORKSPACE=str(tmp_path), COLLECTION_FOLDERS=[str(tmp_path)]):
            page = client.get("/projects/new/").text
            assert 'value="pools/pool.tsv"' in page
            assert '<datalist id="collections"><option value="docs.jsonl"></datalist>' in page
            assert "those of the workspace kitchen" in page
            of_workspace = {"pool_file": None, "documents_file": None, "topics_file": None, "scale": "workspace"}
            client.post("/projects/new/", form(pool_place="pools/pool.tsv", **of_workspace))
            project = Project.objects.get()
            assert order(project, "q1") == ["d1"]
            assert project.collection == str(tmp_path / "docs.jsonl")
            assert scale_of(project.scales.get()) == BINARY
            named = client.post(
                "/projects/new/",
                form(name="Other", pool_place="nowhere.tsv", documents_file=None, topics_file=None)
                | {"documents_place": "docs.jsonl", "engine": "indexes/none"},
            )
            assert "indexes/none: there is no such file" in named.context["form"].errors["engine"][0]
            client.post(
                "/projects/new/",
                form(name="Other", pool_place="nowhere.tsv", documents_file=None, topics_file=None)
                | {"documents_place": "docs.jsonl"},
            )
            other = Project.objects.get(name="Other")
            assert order(other, "q1") == ["d2", "d1"], "the upload, and not what the field said before"
            assert other.topics.get(name="q1").title == "hot soup", "the workspace has the topics"
            outside = client.post("/projects/new/", form(pool_file=None, pool_place="../../etc/passwd"))
            assert (outside.status_code, "lies outside of" in outside.text) == (400, True)


def test_the_preview_of_a_guideline_can_do_nothing(client: Client, boss: User) -> None:
    shown = client.post("/projects/guideline/", {"guideline": "*So* <script>x</script>"})
    assert shown.text == "<p><em>So</em> &lt;script&gt;x&lt;/script&gt;</p>\n"


class TestMoreToJudge:
    def test_another_round(self, client: Client, boss: User) -> None:
        project = soups({"q1": ["d1"]}, by=boss)
        files = {
            "pool_file": SimpleUploadedFile("pool.txt", b"q1 d1\nq1 d2\n"),
            "documents_file": SimpleUploadedFile("docs.jsonl", DOCUMENTS),
            "topics_file": SimpleUploadedFile("topics.tsv", TOPICS),
        }
        response = client.post(f"/projects/{project.pk}/pool/", files, follow=True)
        assert "Brought in: 1 to judge: 1 new documents, 0 new topics." in response.text
        assert order(project, "q1") == ["d1", "d2"]

    def test_gold(self, client: Client, boss: User) -> None:
        project = soups({"q1": ["d1", "d2"]}, by=boss)
        address = f"/projects/{project.pk}/pool/gold/"
        bad = client.post(address, {"gold_file": SimpleUploadedFile("gold.qrels", b"q1 0 d2 9\n")})
        assert (bad.status_code, "the grade is 9; the scale has 3, 2, 1, 0" in bad.text) == (400, True)
        good = client.post(address, {"gold_file": SimpleUploadedFile("gold.qrels", b"q1 0 d2 3\n")}, follow=True)
        assert "1 gold documents, 1 of them out of the pool." in good.text
