"""What verifying a result gives: whether it still holds, and where it does not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from cranfield.evaluation.coverage import some
from cranfield.evaluation.provenance.origin import Input

SCHEMA = "cranfield.verification/1"
TOLERANCE = 1e-12
"""How far a value may be off: above what another order of summation does, below anything that is printed."""
Status = Literal["same", "changed", "unknown"]


class Difference(NamedTuple):
    """A value that does not come out as it is written down."""

    run: str
    part: str
    """Where it stands: `mean`, `per_query`, `coverage` or another part of a run."""
    keys: tuple[str, ...]
    """What leads to it there: of a mean the measure, of the value of a topic the topic and the measure."""
    recorded: Any
    """None: it is not there."""
    recomputed: Any

    @property
    def off(self) -> float | None:
        """How far it is off, recomputed minus recorded; None if these are no two numbers."""
        if _is_number(self.recorded) and _is_number(self.recomputed):
            return float(self.recomputed) - float(self.recorded)
        return None

    @property
    def what(self) -> str:
        """The measure, or whatever else it is a value of."""
        return self.keys[-1]

    @property
    def where(self) -> str:
        """The topic, `all` for a mean, or the part it stands in."""
        if self.part == "mean":
            return "all"
        return " ".join(self.keys[:-1]) if self.part == "per_query" else " ".join([self.part, *self.keys[:-1]])

    def to_dict(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "part": self.part,
            "keys": list(self.keys),
            "recorded": self.recorded,
            "recomputed": self.recomputed,
            "off": self.off,
        }


class InputCheck(NamedTuple):
    """An input as it was, and as it is now."""

    recorded: Input
    now: Input

    @property
    def status(self) -> Status:
        """Whether it is the same; `unknown` where there are no two hashes, or these are of different things."""
        known = self.recorded.sha256 is not None and self.now.sha256 is not None
        if not known or self.recorded.hash_of != self.now.hash_of:
            return "unknown"
        return "same" if self.recorded.sha256 == self.now.sha256 else "changed"

    @property
    def label(self) -> str:
        """What it is: `qrels`, or `run` with its name."""
        return " ".join(filter(None, [self.recorded.role, self.recorded.run]))

    @property
    def name(self) -> str:
        """What it is called now: a file by its name, data in memory by what it is."""
        return self.now.name if self.now.hash_of == "bytes" else self.label

    def to_dict(self) -> dict[str, Any]:
        return {
            "role": self.recorded.role,
            **({"run": self.recorded.run} if self.recorded.run is not None else {}),
            "recorded": self.recorded.name,
            "now": self.now.name,
            "hash_of": self.recorded.hash_of,
            "recorded_sha256": self.recorded.sha256,
            "sha256": self.now.sha256,
            "status": self.status,
        }


@dataclass(frozen=True, eq=False)
class Verification:
    """Whether a result still holds. It does if all values come out again, from inputs that have not changed."""

    name: str
    """The file that the result was read from."""
    runs: tuple[str, ...]
    """The runs that were evaluated again."""
    not_checked: tuple[str, ...]
    """Runs of the result for which no file was given."""
    inputs: tuple[InputCheck, ...]
    values: int
    """How many values were made again."""
    differences: tuple[Difference, ...]
    """Those that are off by more than the tolerance: means first, the largest first, coverage last."""
    largest: float
    """How far a value is off at most, coverage apart."""
    tolerance: float
    values_only: bool
    """Whether it may hold though inputs have changed."""
    contradictions: tuple[str, ...]
    """Where the file says two things at once."""
    made_with: Mapping[str, str]
    """The versions the result was made with, as far as they are known."""
    versions: Mapping[str, str]
    """The versions it was verified with."""
    rules_changed: Mapping[str, tuple[str, str]]
    """Rules of the profile that were others: what they were and what they are."""
    not_known: tuple[str, ...]
    """Parts of runs in the file that this version does not make."""
    time: str | None
    """When the result was made."""

    @property
    def changed(self) -> tuple[InputCheck, ...]:
        """The inputs that are not what they were."""
        return tuple(check for check in self.inputs if check.status == "changed")

    @property
    def holds(self) -> bool:
        """Whether all values come out again, from the same inputs (any, with `values_only`)."""
        return not (self.differences or self.contradictions or (self.changed and not self.values_only))

    @cached_property
    def sentence(self) -> str:
        """The finding in words."""
        off = [one for one in self.differences if one.part != "coverage"]
        against, beside = list(self._against_it()), list(self._about_inputs())
        values = f"all {self.values} values come out the same" if self.values > 1 else "its value comes out the same"
        if off:
            by = f", by up to {self.largest:.3g}" if any(one.off is not None for one in off) else ""
            said = [f"{len(off)} of {self.values} values differ{by}", *against, *beside]
        elif self.holds:
            said = [values, *against, *beside]
        else:
            said = [*against[:-1], f"{against[-1]}, though {values}", *beside]
        return f"{self.name} {'holds' if self.holds else 'does not hold'}: {'; '.join(said)}"

    def _against_it(self) -> Iterator[str]:
        """What speaks against it, values apart."""
        if any(one.part == "coverage" for one in self.differences):
            yield "the coverage differs"
        if self.changed:
            names = some(tuple(check.name for check in self.changed))
            yield f"{names} {'is' if len(self.changed) == 1 else 'are'} not what was evaluated then"
        yield from self.contradictions

    def _about_inputs(self) -> Iterator[str]:
        unknown = sum(check.status == "unknown" for check in self.inputs)
        if not self.inputs:
            yield "it has no hashes of its inputs"
        elif unknown:
            yield f"{unknown} of {len(self.inputs)} inputs cannot be compared"
        elif not self.changed:
            yield f"the {len(self.inputs)} inputs are the same" if len(self.inputs) > 1 else "its input is the same"

    @property
    def notes(self) -> list[str]:
        """What is to be said beside: other versions, other rules, what was not checked."""
        notes = [
            f"made with {what} {was}, verified with {self.versions[what]}"
            for what, was in self.made_with.items()
            if was != self.versions[what]
        ]
        for rule, (was, now) in self.rules_changed.items():
            notes.append(f"the profile had another rule for {rule}: {was}; now: {now}")
        if self.not_checked:
            count = len(self.not_checked)
            notes.append(
                f"not checked, for no file was given: {count} run{'s' * (count > 1)} ({some(self.not_checked)})"
            )
        if self.not_known:
            notes.append(f"not checked, for this version does not make them: {', '.join(self.not_known)}")
        return notes

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        return {
            "schema": SCHEMA,
            "result": self.name,
            "holds": self.holds,
            "sentence": self.sentence,
            "tolerance": self.tolerance,
            "values_only": self.values_only,
            "runs": list(self.runs),
            "not_checked": list(self.not_checked),
            "inputs": [check.to_dict() for check in self.inputs],
            "values": self.values,
            "largest_difference": self.largest,
            "differences": [one.to_dict() for one in self.differences],
            "contradictions": list(self.contradictions),
            "made": self.time,
            "made_with": dict(self.made_with),
            "verified_with": dict(self.versions),
            "rules_changed": {rule: {"was": was, "is": now} for rule, (was, now) in self.rules_changed.items()},
            "notes": self.notes,
        }

    def __repr__(self) -> str:
        worst = [f"{one.run}, {one.where}: {one.what} {one.recorded} -> {one.recomputed}" for one in self.differences]
        return "\n".join([self.sentence, *worst[:10], *self.notes])


class Values:
    """Values as they are written down, held against values made again."""

    def __init__(self, tolerance: float) -> None:
        self._tolerance = tolerance
        self.count = 0
        self.largest = 0.0
        self.differences: list[Difference] = []

    def compare(self, run: str, part: str, recorded: Any, recomputed: Any, keys: tuple[str, ...] = ()) -> None:
        """Every value of a part of a run. A measure that is not written down is missed, a topic is not."""
        if isinstance(recorded, Mapping) and isinstance(recomputed, Mapping):
            measures = part == "mean" or (part == "per_query" and keys)
            for key in dict.fromkeys((*recorded, *recomputed)) if measures else recorded:
                self.compare(run, part, recorded.get(key), recomputed.get(key), (*keys, key))
            return
        if isinstance(recorded, list) and isinstance(recomputed, list) and len(recorded) == len(recomputed):
            for place, pair in enumerate(zip(recorded, recomputed, strict=True), 1):
                self.compare(run, part, *pair, (*keys, str(place)))
            return
        found = Difference(run, part, keys, recorded, recomputed)
        if part != "coverage":
            self.count += 1
            self.largest = max(self.largest, abs(found.off or 0.0))
        if not self._alike(recorded, recomputed):
            self.differences.append(found)

    def _alike(self, recorded: Any, recomputed: Any) -> bool:
        if not (_is_number(recorded) and _is_number(recomputed)):
            return bool(recorded == recomputed)
        if recorded == recomputed or (math.isnan(recorded) and math.isnan(recomputed)):
            return True
        off = abs(recomputed - recorded)
        return bool(off <= self._tolerance * max(1.0, abs(recorded)))

    def by_size(self) -> tuple[Difference, ...]:
        """The differences, means first and coverage last; among them those that are no numbers, then the largest."""

        def key(one: Difference) -> tuple[int, float]:
            part = {"mean": 0, "coverage": 2}.get(one.part, 1)
            return part, -math.inf if one.off is None else -abs(one.off)

        return tuple(sorted(self.differences, key=key))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
