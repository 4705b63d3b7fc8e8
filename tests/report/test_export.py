"""Charts as files."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cranfield.errors import MissingExtraError, UsageError
from cranfield.report import export
from cranfield.report.captions import caption
from cranfield.report.drawing import alt, table
from cranfield.report.theme import COLOURS, on
from tests.report.material import ODD_NAMES

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def chart() -> Any:
    rows = [{"run": name, "value": at / 10} for at, name in enumerate(ODD_NAMES)]
    drawn = alt.Chart(table(rows)).mark_bar().encode(x="value:Q", y=alt.Y("run:N", sort=None), tooltip=["run:N"])
    return on(drawn.properties(title=caption(f"Scores of {ODD_NAMES[0]}", ["a note"])), "light")


def test_svg_is_a_drawing_with_the_names_as_text(chart: Any) -> None:
    root = ElementTree.fromstring(export.chart_bytes(chart, "svg"))
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert root.tag == f"{SVG}svg"
    assert f"Scores of {ODD_NAMES[0]}" in texts
    assert not list(root.iter(f"{SVG}script"))
    assert root.attrib["aria-label"] == f"Scores of {ODD_NAMES[0]}. a note"
    assert {'quo"te', "back\\slash", "x.y[0]['a']"} <= texts


@pytest.mark.parametrize(("format", "begins"), [("png", b"\x89PNG\r\n\x1a\n"), ("pdf", b"%PDF-")])
def test_formats_are_what_they_say(chart: Any, format: str, begins: bytes) -> None:
    assert export.chart_bytes(chart, format).startswith(begins)


def test_the_scale_is_that_of_a_png(chart: Any) -> None:
    def width(scale: float) -> int:
        return int.from_bytes(export.chart_bytes(chart, "png", scale=scale)[16:20], "big")  # IHDR

    assert width(3) == pytest.approx(3 * width(1), abs=3)


def test_json_is_the_specification_with_its_schema(chart: Any) -> None:
    spec = json.loads(export.chart_bytes(chart, "json"))
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/v6")
    assert spec["config"]["background"] == COLOURS["light"]["paper"]
    (rows,) = spec["datasets"].values()
    assert [row["value"] for row in rows] == [at / 10 for at in range(len(ODD_NAMES))]


def test_dark_is_dark_in_every_format(chart: Any) -> None:
    assert COLOURS["dark"]["paper"] in export.chart_bytes(chart, "svg", theme="dark").decode()
    assert (
        json.loads(export.chart_bytes(chart, "json", theme="dark"))["config"]["background"] == COLOURS["dark"]["paper"]
    )
    assert 'data-ground="dark"' in export.page(chart, theme="dark")


def test_a_page_names_no_other_place(chart: Any) -> None:
    page = export.chart_bytes(chart, "html").decode()
    outside = re.sub(r"<script>.*?</script>|<script type=\"application/json\">.*?</script>", "", page, flags=re.DOTALL)
    assert "://" not in outside
    assert not re.search(r"<(link|iframe|img|object|embed)\b|\b(src|href)=", outside)
    assert "default-src &#x27;none&#x27;" in page
    assert len(page) < 1_000_000


def test_names_stay_text_in_a_page(chart: Any) -> None:
    page = export.chart_bytes(chart, "html").decode()
    assert "alert(1)</script>" not in page
    assert "<img src=x" not in page
    assert "<title>Scores of &lt;script&gt;alert(1)&lt;/script&gt;</title>" in page
    (inside,) = re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    (rows,) = json.loads(inside)["datasets"].values()
    drawn = [row["run"].rstrip("\u200b") for row in rows]
    assert drawn == [name.replace("\udce9", "\ufffd") for name in ODD_NAMES]


def test_the_scripts_are_made_once_and_fit_in_a_page() -> None:
    assert export.scripts() is export.scripts()
    assert "</script" not in export.scripts().lower()


def test_the_same_chart_is_the_same_file(chart: Any) -> None:
    assert export.chart_bytes(chart, "svg") == export.chart_bytes(chart, "svg")
    assert export.chart_bytes(chart, "json") == export.chart_bytes(chart, "json")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("plot.jpg", r"plot\.jpg: .* \.svg, \.png, \.pdf, \.html, \.json; this one ends in \.jpg\."),
        ("plot.htm", r"Did you mean html\?"),
        ("plot", r"this one has no ending\."),
        ("-", r"this one has no ending"),
    ],
)
def test_no_such_ending(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        export.format_of(name)


def test_other_mistakes(chart: Any) -> None:
    with pytest.raises(UsageError, match="no format 'gif'; there are svg, png"):
        export.chart_bytes(chart, "gif")
    with pytest.raises(UsageError, match="the theme auto is for pages"):
        export.chart_bytes(chart, "svg", theme="auto")
    with pytest.raises(UsageError, match=r"no theme 'darc'; .* Did you mean dark\?"):
        export.chart_bytes(chart, "svg", theme="darc")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"from 0\.1 to 20, not 0"):
        export.chart_bytes(chart, "png", scale=0)


def test_an_old_file_survives_a_failure(chart: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "old.svg"
    target.write_text("old")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match=r"old\.svg: cannot be written: No space left on device"):
        export.write_chart(chart, target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_packed_file(chart: Any, tmp_path: Path) -> None:
    export.write_chart(chart, tmp_path / "chart.svg.gz")
    assert gzip.decompress((tmp_path / "chart.svg.gz").read_bytes()).startswith(b"<svg")


def test_without_the_library_that_writes(chart: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(MissingExtraError, match=r"writing png needs .*: pip install 'cranfield\[report\]'"):
        export.chart_bytes(chart, "png")


def test_what_a_chart_says_in_words(chart: Any) -> None:
    assert export.description(chart) == f"Scores of {ODD_NAMES[0]}\na note"
    assert 'aria-label="Scores of &lt;script&gt;alert(1)&lt;/script&gt;\na note"' in export.figure(chart)
