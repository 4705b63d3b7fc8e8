"""Converting a file from one format to another, and what does not survive it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.formats import format_of_name, module, recognise, run_name, write_thing
from cranfield.formats.files import Readable, open_source
from cranfield.formats.guessing import guess_kind


@dataclass(frozen=True, slots=True)
class Conversion:
    """What was converted, and what a user should know about it."""

    kind: str
    input_format: str
    output_format: str
    records: int
    lost: tuple[str, ...]
    """What the new format has no place for."""
    assumed: tuple[str, ...]
    """What the file did not say."""


def convert(
    source: Readable,
    target: str | os.PathLike[str],
    *,
    kind: str = "auto",
    input_format: str | None = None,
    output_format: str | None = None,
) -> Conversion:
    """Read a file in one format and write it in another; a file that was there survives any failure."""
    assumed: list[str] = []
    with open_source(source) as opened:
        opened.head()
        if kind == "auto":
            guess = guess_kind(opened)
            kind = guess.kind
            if not guess.sure:
                assumed.append(f"{opened.name} was read as {_a(kind)} (--kind overrules)")
        chosen = module(input_format, kind) if input_format else recognise(kind, opened)
        new = module(output_format or format_of_name(kind, target), kind)
        thing = getattr(chosen, f"read_{kind}")(opened, name=run_name(source))
    if new.NAME == "prels" and thing.probability is None:
        known = thing.stratum is not None
        share = "the share of its stratum that was judged" if known else "1"
        assumed.append(f"every document was given the inclusion probability {share}")
    if new.NAME == "strata" and thing.stratum is None:
        assumed.append("all documents of a query are one stratum")
    if new.NAME == "pairs" and chosen.NAME != "pairs":
        assumed.append("groups and subgroups become one group for each pair")
    write_thing(kind, thing, target, new)
    return Conversion(kind, chosen.NAME, new.NAME, len(thing), losses(thing, new.HOLDS), tuple(assumed))


def losses(thing: Any, holds: frozenset[str]) -> tuple[str, ...]:
    """What of the judgments or the run is not among the columns a format holds."""
    lost = []
    if isinstance(thing, Qrels):
        if "iteration" not in holds and thing.iteration is not None and len(thing.iteration_ids) > 1:
            lost.append(f"iteration column ({len(thing.iteration_ids)} different values)")
        if "stratum" not in holds and thing.stratum is not None:
            lost.append("strata")
        if "method" not in holds and thing.method is not None:
            lost.append("sampling method")
        if "probability" not in holds and thing.probability is not None:
            lost.append("inclusion probability")
    if isinstance(thing, Run):
        if "score" not in holds:
            lost.append("scores (the ranking stays)")
        if "tag" not in holds and thing.tag != thing.name:
            lost.append(f"tag {thing.tag!r}")
    return tuple(lost)


def _a(kind: str) -> str:
    return "a run" if kind == "run" else kind
