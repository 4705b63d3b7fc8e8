"""The page about judging shows the screen as it is, and names every key and field."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from cranfield.cli.judging.application import QUIET
from cranfield.cli.judging.screen import View, draw
from cranfield.cli.judging.texts import HELP, beyond_title, paragraphs
from cranfield.data.documents import Document
from cranfield.data.judging import ACTIONS, FIELDS
from cranfield.data.judging_record import RULES
from cranfield.data.scale import RESERVED_KEYS
from cranfield.experiments.demonstration.material import PACKAGE, SCALE, TOPICS
from cranfield.formats.scales import parse_scale, read_scale
from cranfield.formats.topics import read_topics
from cranfield.pooling.judging_session import Progress

PAGE = (Path(__file__).parents[3] / "docs" / "pooling" / "judging.md").read_text()


def test_the_screen() -> None:
    folder = Path(str(resources.files(PACKAGE)))
    topic = read_topics(folder / TOPICS)["3"]
    text = (
        "Creates a dictionary of types of data in each column. If any\n"
        "column is of a single type (say, integers), *except* for the first\n"
        "row, then the first row is presumed to be labels."
    )
    fields = {"title": text.split("\n")[0], "name": "csv Sniffer has header", "text": text}
    document = Document("csv.Sniffer.has_header", fields)
    view = View(
        read_scale(folder / SCALE), "3", topic.query(), beyond_title(topic), document.id, paragraphs(document),
        Progress(17, graded=4), Progress(736, graded=35, unsure=2, skipped=1), 3, 50,
        message="csv.reader: 2 helps, z takes it back",
    )  # fmt: skip
    drawn = "\n".join("".join(piece for piece, _ in row).rstrip() for row in draw(view, 80, 24).rows)
    assert f"```text\n{drawn}\n```" in PAGE


def test_every_key_is_on_the_page_and_in_the_help() -> None:
    for key in RESERVED_KEYS:
        shown = "space" if key == " " else key
        assert f"`{shown}`" in PAGE or shown == "space"
        assert re.search(rf"(?m)^  (\S+ +)?{re.escape(shown)} ", HELP) or key in "jk?", shown


def test_how_long_a_document_is_to_be_seen() -> None:
    assert f"on the screen for {QUIET} seconds" in PAGE.replace("\n", " ")


def test_every_field_action_and_rule_is_on_the_page() -> None:
    for name in (*FIELDS, *ACTIONS, *RULES):
        assert f"`{name}`" in PAGE


def test_the_scale_on_the_page_is_one() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    scale = parse_scale(text.replace('guideline_file = "guideline.md"', ""), "page")
    assert [(grade.key, grade.value) for grade in scale.grades] == [("2", 2), ("i", 1), ("0", 0)]
