"""Whether two tools printed the same means: numbers that differ are not worth timing."""

from cranfield.errors import CranfieldError
from cranfield.measures.grammar import parse_one

Means = list[dict[str, str]]

# The name of the run and strings, which have no mean; and a time.
NO_MEANS = {"runid", "relstring", "seconds"}


def read_means(output: str) -> Means:
    """The means of each run to four decimals, from trec_eval's three columns or from Cranfield's four.

    In three columns (measure, all, value) the line `runid` begins a run; in four the first names it.
    """
    means: Means = []
    header, *lines = output.splitlines()
    if header.startswith("run\t"):
        by_run: dict[str, dict[str, str]] = {}
        for line in lines:
            run, measure, _, value = line.split("\t")
            by_run.setdefault(run, {})[measure] = f"{float(value):.4f}"
        return list(by_run.values())
    for line in (header, *lines):
        measure, _, value = (field.strip() for field in line.split("\t"))
        if measure == "runid" or not means:
            means.append({})
        if measure not in NO_MEANS:
            means[-1][_canonical(measure)] = f"{float(value):.4f}"
    return means


def _canonical(measure: str) -> str:
    """Our name of a measure, or its own where it has parameters that are none here, as ir_measures' NumRet(rel=1)."""
    try:
        return str(parse_one(measure))
    except CranfieldError:
        return measure


def differences(ours: Means, theirs: Means) -> list[str]:
    """What differs in the means of the measures that a peer printed."""
    if len(ours) != len(theirs):
        return [f"means of {len(ours)} runs against {len(theirs)}"]
    return [
        f"run {number}, {measure}: {our.get(measure, 'missing')} against {value}"
        for number, (our, their) in enumerate(zip(ours, theirs, strict=True), 1)
        for measure, value in their.items()
        if our.get(measure) != value
    ]
