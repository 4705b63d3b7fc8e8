"""Tables, as plain text and as Markdown."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace


@dataclass
class Table:
    """A header, rows of text, and notes under them; the title, and the parts that have rows in it."""

    header: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    title: str = ""
    parts: Sequence[str] = ()
    """Where these are several, a row begins with its part, or is one more of the part above it."""
    timed: bool = True
    """Whether it has figures."""

    @classmethod
    def from_markdown(cls, section: str) -> "Table":
        """What `markdown` wrote."""
        lines = [line for line in section.splitlines()[1:] if line]
        table = [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in lines if line.startswith("|")]
        header, rows = (table[0], table[2:]) if table else ((), [])
        return cls(header, [*rows], [line for line in lines if not line.startswith("|")])

    def beside(self, old: "Table", measured: Collection[str]) -> "Table":
        """Itself with the rows of an old table that are of other parts than those that were measured."""
        by_part: dict[str, list[Sequence[str]]] = {part: [] for part in self.parts}
        for table in (old, self):
            part = ""
            for row in table.rows if list(table.header) == list(self.header) else ():
                part = row[0] or part
                if part in by_part and (table is self or part not in measured):
                    by_part[part].append(row)
        return replace(self, rows=[row for rows in by_part.values() for row in rows])

    def plain(self) -> str:
        """Columns padded with spaces, for a terminal."""
        lines = [self.header, *self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.header))]
        padded = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
        text = "\n".join([self.title, *(line.rstrip() for line in padded), *self.notes, ""])
        return text.replace("**", "")

    def markdown(self) -> str:
        """A Markdown section."""
        lines = [self.header, ["---"] * len(self.header), *self.rows]
        table = [f"| {' | '.join(line)} |" for line in lines]
        return "\n".join([f"## {self.title}", "", *table, "", *(f"{note}\n" for note in self.notes)])


def seconds(value: float) -> str:
    """Three figures are enough for a time."""
    return f"{value:.{3 if value < 1 else 2 if value < 10 else 1}f} s"


def milliseconds(value: float) -> str:
    """For what is too short to be told in seconds."""
    return f"{1000 * value:.2f} ms"


def ratio(value: float) -> str:
    """`6.3x`."""
    return f"{value:.1f}x" if value >= 2 else f"{value:.2f}x"


def megabytes(value: float) -> str:
    """Bytes as MB of a million bytes."""
    return f"{value / 1e6:.0f} MB"


def verdict(met: bool | None) -> str:
    """Met, missed, or nothing asked for."""
    return "" if met is None else "met" if met else "**MISSED**"
