"""What can be odd about judgments and preferences."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from graphlib import CycleError, TopologicalSorter

import numpy as np

from cranfield.data.judgments import pair_keys
from cranfield.data.sampling import impossible_chance, impossible_chances
from cranfield.data.strings import Codes, Floats, Words, decode, mix64, number
from cranfield.data.values import shown
from cranfield.formats.records import Records
from cranfield.formats.validation.findings import ERROR, MOST_PLACES, WARNING, Findings
from cranfield.formats.validation.run import QueryCodes, examine_order, examine_repetition

_MOST_GRADES = 20


class QrelsExamination:
    """Looks at judgments piece by piece, and at the end at the whole."""

    def __init__(self) -> None:
        self.codes = QueryCodes()
        self.iterations: Counter[bytes] = Counter()
        self._pieces: list[tuple[Codes, Codes, Words, Words, Words, Floats]] = []

    def add(self, records: Records, findings: Findings) -> None:
        ids, numbers = records.columns.ids, records.columns.numbers
        code = self.codes(ids["query_id"])
        key = pair_keys(code, ids["doc_id"].hash64())
        full_key = key
        if "iteration" in ids:
            names, which = number(ids["iteration"])
            self.iterations.update(dict(zip(names, np.bincount(which).tolist(), strict=True)))
            full_key = mix64(key + ids["iteration"].hash64() * np.uint64(0x9E3779B97F4A7C15))
        if "probability" in numbers:
            wrong = np.flatnonzero(impossible_chances(numbers["probability"]))
            reason = impossible_chance(numbers["probability"][wrong[0]]) if len(wrong) else ""
            findings.add(ERROR, "number", len(wrong), records.place[wrong[:MOST_PLACES]].tolist(), reason)
        stratum = pair_keys(code, ids["stratum"].hash64()) if "stratum" in ids else np.zeros_like(key)
        self._pieces.append((code, records.place, key, full_key, stratum, numbers["relevance"]))

    def finish(self, findings: Findings) -> dict[str, object]:
        """What only the whole file shows; returns facts about it."""
        if not self._pieces:
            return {}
        code, line, key, full_key, stratum, grade = (np.concatenate(parts) for parts in zip(*self._pieces, strict=True))
        ids = self.codes.ids
        examine_order(code, line, ids, findings)
        examine_repetition(full_key, code, line, ids, findings)
        if len(self.iterations) > 1:
            names = ", ".join(f"{shown(name)} ({count})" for name, count in self.iterations.most_common(4))
            names += ", ..." * (len(self.iterations) > 4)
            findings.add(WARNING, "iterations", len(self.iterations), (), names)
            first = np.sort(np.unique(full_key, return_index=True)[1])
            examine_repetition(key[first], code[first], line[first], ids, findings, "judged-more")
        for kind, wrong in (("negative-grades", grade < 0), ("fractions", grade != np.floor(grade))):
            rows = np.flatnonzero(wrong)
            if len(rows):
                example = f"grade {grade[rows[0]]:g}"
                findings.add(WARNING, kind, len(rows), line[rows[:MOST_PLACES]].tolist(), example)
        if stratum.any():
            _examine_strata(stratum, code, line, grade, ids, findings)
        best = np.full(len(ids), -np.inf)
        np.maximum.at(best, code, grade)
        barren = np.flatnonzero(best <= 0)
        if len(barren):
            names = ", ".join(shown(ids[at]) for at in barren[:5].tolist()) + ", ..." * (len(barren) > 5)
            findings.add(WARNING, "no-relevant", len(barren), (), names)
        values, counts = np.unique(grade, return_counts=True)
        facts: dict[str, object] = {}
        if len(values) <= _MOST_GRADES:
            facts["grades"] = {f"{value:g}": count for value, count in zip(values, counts.tolist(), strict=True)}
        return facts


def _examine_strata(
    stratum: Words, code: Codes, line: Codes, grade: Floats, ids: list[bytes], findings: Findings
) -> None:
    """Note the strata of which no document is judged, so that nothing can be said of them."""
    _, first, which = np.unique(stratum, return_index=True, return_inverse=True)
    unknown = np.sort(first[np.bincount(which[grade >= 0], minlength=len(first)) == 0])
    if len(unknown):
        example = f"query {shown(ids[code[unknown[0]]])}"
        findings.add(WARNING, "strata-unjudged", len(unknown), line[unknown[:MOST_PLACES]].tolist(), example)


class PreferencesExamination:
    """Looks at preferences. They are few enough to be kept."""

    def __init__(self) -> None:
        self.codes = QueryCodes()
        self._edges: defaultdict[tuple[int, bytes], dict[bytes, list[tuple[float, bytes]]]] = defaultdict(dict)
        self._pieces: list[tuple[Codes, Codes, Words]] = []

    def add(self, records: Records, findings: Findings) -> None:
        columns = records.columns
        ids = columns.ids
        code = self.codes(ids["query_id"])
        key = pair_keys(code, ids["doc_id"].hash64())
        for name in ("group", "subgroup"):
            key = mix64(key * np.uint64(3) + ids[name].hash64())
        self._pieces.append((code, records.place, key))
        for row in zip(
            code.tolist(),
            ids["group"].tolist(),
            ids["subgroup"].tolist(),
            columns.numbers["level"].tolist(),
            ids["doc_id"].tolist(),
            strict=True,
        ):
            query, group, subgroup, level, document = row
            self._edges[query, group].setdefault(subgroup, []).append((level, document))

    def finish(self, findings: Findings) -> dict[str, object]:
        """What only the whole file shows; returns facts about it."""
        if not self._pieces:
            return {}
        code, line, key = (np.concatenate(parts) for parts in zip(*self._pieces, strict=True))
        examine_repetition(key, code, line, self.codes.ids, findings)
        for (query, group), subgroups in self._edges.items():
            cycle = contradiction(list(subgroups.values())) if len(subgroups) > 1 else None
            if cycle:
                where = f"query {shown(self.codes.ids[query])}, group {shown(group)}: "
                above = " above ".join(decode(document) for document in cycle[:4])
                findings.add(ERROR, "contradiction", 1, (), where + above)
        return {"groups": len(self._edges)}


def contradiction(subgroups: list[list[tuple[float, bytes]]]) -> list[bytes] | None:
    """Documents each preferred to the next, the last being the first again; None if there is no such circle.

    >>> contradiction([[(2, b"a"), (1, b"b")], [(2, b"b"), (1, b"a")]])
    [b'a', b'b', b'a']
    """
    above: TopologicalSorter[bytes] = TopologicalSorter()
    for judged in subgroups:
        levels = sorted({level for level, _ in judged})
        by_level = [[document for at, document in judged if at == level] for level in levels]
        for lower, higher in itertools.pairwise(by_level):
            for document in higher:
                above.add(document, *lower)
    try:
        above.prepare()
    except CycleError as error:
        circle: list[bytes] = list(reversed(error.args[1]))
        return circle
    return None
