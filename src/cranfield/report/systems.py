"""Systems in a drawing: which of them stand out, and what they look like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cranfield.errors import UsageError, did_you_mean
from cranfield.report.captions import count
from cranfield.report.drawing import alt, plain
from cranfield.report.theme import DASHES, HUES, SHAPES, colour

FEW = len(HUES)
"""So many systems can each have a colour of their own."""
BEST = 5
"""Where there are more, so many of the best have one, and the others are grey."""


@dataclass(frozen=True)
class Systems:
    """Systems, best first, and which of them stand out."""

    names: tuple[str, ...]
    named: tuple[str, ...]
    """Those with a colour, shape and dash of their own, best first."""
    chosen: bool = False
    """Whether somebody chose these; otherwise they are the best."""
    what: str = "run"
    """What these are; the title of the legend."""
    told: Mapping[str, str] = field(default_factory=dict)
    """What the legend says about systems beside their names."""
    given: tuple[str, ...] = ()
    """The order in which they were given, which decides what they look like: the same in all drawings of the same."""

    @classmethod
    def of(
        cls,
        scores: Mapping[str, float],
        *,
        more_is_better: bool | None = True,
        highlight: str | Iterable[str] = (),
        what: str = "run",
        told: Mapping[str, str] | None = None,
    ) -> Systems:
        """In the order of their scores; `highlight` says which stand out in place of the best.

        >>> Systems.of({"bm25": 0.25, "dense": 0.5}).names
        ('dense', 'bm25')
        >>> many = Systems.of({f"run{i}": i / 10 for i in range(9)})
        >>> many.named, many.others
        (('run8', 'run7', 'run6', 'run5', 'run4'), '4 others')
        """
        sign = 1.0 if more_is_better is False else -1.0
        names = tuple(sorted(scores, key=lambda name: (sign * scores[name], name)))
        wanted = tuple(dict.fromkeys([highlight] if isinstance(highlight, str) else highlight))
        for name in wanted:
            if name not in scores:
                raise UsageError(f"there is no {what} {name!r} to highlight{did_you_mean(name, names)}")
        if len(wanted) > FEW:
            raise UsageError(f"at most {FEW} runs can be highlighted, found {len(wanted)}")
        best = names if len(names) <= FEW else names[:BEST]
        named = tuple(name for name in names if name in wanted) or best
        return cls(names, named, bool(wanted), what, told or {}, tuple(scores))

    @property
    def rest(self) -> tuple[str, ...]:
        """Those without a colour of their own."""
        return tuple(name for name in self.names if name not in self.named)

    @property
    def others(self) -> str:
        """What these are called together."""
        label = f"{len(self.rest)} other{'s' * (len(self.rest) != 1)}"
        while label in self.names:
            label += "\u00a0"
        return label

    def label(self, name: str) -> str:
        """What a system is called in the legend."""
        if name not in self.named:
            return self.others
        return f"{name}: {self.told[name]}" if name in self.told else name

    def notes(self, by: str = "") -> list[str]:
        """What is to be said about systems that are grey: by what the others are the best."""
        if not self.rest or self.chosen:
            return []
        best = f"best {len(self.named)} of {count(len(self.names), self.what)}"
        return [f"in colour: the {best}{f' by {by}' if by else ''}"]

    def _domain(self) -> list[str]:
        """What the legend has, in one order in all drawings of the same systems."""
        return [plain(name) for name in (*map(self.label, self._in_colour), *([self.others] if self.rest else []))]

    @property
    def _in_colour(self) -> list[str]:
        return [name for name in self.given or self.names if name in self.named]

    def _legend(self) -> alt.Legend | None:
        return alt.Legend(title=self.what) if len(self._domain()) > 1 else None

    def _scale(self, values: Sequence[Any], rest: Any, *, with_legend: bool) -> alt.Scale:
        """What each system looks like.

        Vega-Lite makes one legend of all scales that have the same domain, and none of these if one of them has none:
        scales without a legend have a domain of their own.
        """
        domain, given = self._domain(), [*values[: len(self.named)], *([rest] if self.rest else [])]
        return alt.Scale(
            domain=domain if with_legend else [*domain, ""], range=given if with_legend else [*given, rest]
        )

    def _hues(self, *, with_legend: bool) -> alt.Scale:
        return self._scale([colour(hue) for hue in HUES], colour("rest"), with_legend=with_legend)

    def colour(self) -> alt.Color:
        """Colour by system, with the legend: the field `system` of the data has what `label` says."""
        return alt.Color("system:N", scale=self._hues(with_legend=True), legend=self._legend())

    def shape(self) -> alt.Shape:
        """Shapes by system, for points, with the legend."""
        return alt.Shape("system:N", scale=self._scale(SHAPES, "circle", with_legend=True), legend=self._legend())

    def stroke(self) -> alt.Stroke:
        """Colour for lines, whose legend is that of the points on them."""
        return alt.Stroke("system:N", scale=self._hues(with_legend=False), legend=None)

    def fill(self) -> alt.Fill:
        """Colour for areas, without a legend."""
        return alt.Fill("system:N", scale=self._hues(with_legend=False), legend=None)

    def dash(self) -> alt.StrokeDash:
        """Dashes by system, for lines, without a legend."""
        return alt.StrokeDash("system:N", scale=self._scale(DASHES, DASHES[0], with_legend=False), legend=None)
