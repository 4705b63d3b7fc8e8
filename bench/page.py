"""The page that tables are kept on, of which parts can be measured anew without the others."""

from collections.abc import Collection, Sequence

from bench.report import Table

INTRODUCTION = """# Benchmarks

Made by `make bench ARGS="--save docs/benchmarks.md"` in one go on one machine, but for what says that it was measured
apart: `make bench ARGS="--only S,ties --save docs/benchmarks.md"` measures these parts and leaves the others alone.

- Every tool runs as a process of its own, timed from its start to the printed means, in turn with the others.
  The input was read once before, so it is in the system's file cache.
- A ratio is the peer's time divided by ours. A floor counts as met only if both the ratio of the best times
  and the ratio of the median times reach it.
- Before a case is timed, Cranfield (profile `trec_eval-9`) and pytrec_eval must print the same means; the same holds
  for the peers of the comparisons in memory.
- The data is made by `bench/data.py` from fixed seeds.
"""
_APART = " measured apart: "


def new_page(about: Sequence[str], tables: Sequence[Table]) -> str:
    """A page of these tables; `about` says what they were measured with."""
    lines = "\n".join(f"- {line}" for line in about)
    return _joined([INTRODUCTION, lines, *(table.markdown() for table in tables)])


def refreshed_page(
    page: str, about: Sequence[str], tables: Sequence[Table], measured: Collection[str], titles: Sequence[str]
) -> str:
    """A page with these tables in the place of those it had; `titles` are those of all tables, in order.

    A table that several parts share loses only the rows of the parts that were measured.
    """
    head, *texts = page.split("\n## ")
    sections = {text.partition("\n")[0]: f"## {text}" for text in texts}
    others = "; ".join(line for line in about if line not in head) or about[-1]
    for table in tables:
        old = Table.from_markdown(sections.get(table.title, ""))
        apart = f"{', '.join(part for part in table.parts if part in measured)}{_APART}{others}."
        if len(table.parts) > 1:
            table = table.beside(old, measured)
            table.notes += _still_true(old.notes, measured)
        if table.timed:
            table.notes.append(apart)
        sections[table.title] = table.markdown()
    return _joined([head, *(sections[title] for title in titles if title in sections)])


def _still_true(notes: Sequence[str], measured: Collection[str]) -> list[str]:
    """What notes say of parts that were measured apart before, and not again."""
    found = []
    for parts, apart, about in (note.partition(_APART) for note in notes):
        names = [part for part in parts.split(", ") if part not in measured]
        if apart and names:
            found.append(f"{', '.join(names)}{apart}{about}")
    return found


def _joined(pieces: Sequence[str]) -> str:
    return "\n\n".join(piece.strip("\n") for piece in pieces) + "\n"
