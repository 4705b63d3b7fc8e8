"""Colours that everybody tells apart, on light and on dark ground."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from cranfield.errors import UsageError
from cranfield.report.drawing import alt, table
from cranfield.report.theme import COLOURS, DASHES, GROUNDS, HUES, SHAPES, STRONG_FROM, Ground, config, ground_named, on

Colour = npt.NDArray[np.float64]


def linear(colour: str) -> Colour:
    """Red, green and blue as light: the transfer function of sRGB (IEC 61966-2-1)."""
    encoded = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def contrast(first: str, second: str) -> float:
    """The contrast ratio of WCAG 2.1."""
    bright, dim = sorted((float(linear(one) @ [0.2126, 0.7152, 0.0722]) for one in (first, second)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("ground", GROUNDS)
def test_text_can_be_read(ground: Ground) -> None:
    colours = COLOURS[ground]
    assert contrast(colours["ink"], colours["paper"]) >= 7
    assert contrast(colours["soft"], colours["paper"]) >= 4.5
    for side in ("better", "worse"):
        assert contrast(colours["on_colour"], colours[side]) >= 4.5
        assert contrast(colours["ink"], colours[f"{side}_soft"]) >= 4.5
        assert contrast(colours["ink"], colours[f"{side}_faint"]) >= 4.5


@pytest.mark.parametrize("ground", GROUNDS)
def test_marks_can_be_seen(ground: Ground) -> None:
    """WCAG asks for 3 of what one must see; the last hues stay below, and have shapes and dashes of their own."""
    paper = COLOURS[ground]["paper"]
    seen = [name for name in HUES if contrast(COLOURS[ground][name], paper) >= 3]
    assert set(HUES[:5]) <= set(seen)
    assert contrast(COLOURS[ground]["rest"], paper) >= 1.8


SEEN_BY = {
    # Machado, Oliveira and Fernandes (2009), table 1, severity 1.0.
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("vision", SEEN_BY)
def test_the_first_colours_are_told_apart_by_everybody(ground: Ground, vision: str) -> None:
    matrix = np.array(SEEN_BY[vision])
    seen = {name: np.clip(matrix @ linear(COLOURS[ground][name]), 0, 1) for name in (*HUES[:3], "rest")}
    for one, other in combinations(seen, 2):
        difference = np.abs(seen[one] ** (1 / 2.2) - seen[other] ** (1 / 2.2)).max()
        assert difference > 0.1, (one, other)


def test_every_hue_has_a_shape_and_a_dash_of_its_own() -> None:
    assert len(HUES) == len(set(SHAPES)) == len({tuple(dash) for dash in DASHES})


def test_both_grounds_have_the_same_colours() -> None:
    assert COLOURS["light"].keys() == COLOURS["dark"].keys()
    named = [{one["name"] for one in config(ground)["params"]} for ground in GROUNDS]
    assert named == [{*COLOURS["light"], "strong_from", "narrow"}] * 2


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("side", ["better", "worse"])
@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
def test_figures_in_a_heat_map_can_be_read(ground: Ground, side: str, share: float) -> None:
    colours = COLOURS[ground]
    ends = [[int(colours[name][at : at + 2], 16) for at in (1, 3, 5)] for name in ("even", side)]
    mixed = "#" + "".join(f"{round((1 - share) * low + share * high):02x}" for low, high in zip(*ends, strict=True))
    text = colours["on_colour" if share > STRONG_FROM[ground] else "ink"]
    assert contrast(text, mixed) >= 3.4


def test_a_chart_changes_its_ground_and_nothing_else() -> None:
    chart = alt.Chart(table([{"x": 1}])).mark_point().encode(x="x:Q")
    light, dark = (on(chart, ground).to_dict() for ground in GROUNDS)
    assert light.pop("config") != dark.pop("config")
    assert light == dark


def test_no_such_theme() -> None:
    with pytest.raises(UsageError, match=r"no theme 'drak'; there are light, dark\. Did you mean dark\?"):
        ground_named("drak")
