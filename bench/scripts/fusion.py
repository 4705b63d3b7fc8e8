"""Fuse runs in memory, ours and ranx's: REPEATS RUN... Prints what was fused how, by which tool, and the seconds.

Each call was made once before it is timed, so that ranx has compiled what it compiles. A last line for each method
says how far the scores are apart at most.
"""

import sys
import warnings
from time import perf_counter

import cranfield as cf

warnings.simplefilter("ignore")

import ranx  # noqa: E402

METHODS = {
    "RRF": ("rrf", None),
    "CombSUM": ("sum", "min-max"),
    "CombMNZ": ("mnz", "min-max"),
    "CombMED": ("med", "min-max"),
}


def main() -> None:
    """Parse, and fuse under the clock. Borda and Condorcet take ranx minutes, so they are left out."""
    repeats, *paths = sys.argv[1:]
    ours = [untied(cf.read_run(path)) for path in paths]
    theirs = [ranx.Run.from_dict(run.to_dict()) for run in ours]
    for method, (name, norm) in METHODS.items():
        fused = cf.fuse(ours, method)
        other = ranx.fuse(theirs, norm=norm, method=name)
        seconds: dict[str, list[float]] = {"cranfield": [], "ranx": []}
        for _ in range(int(repeats)):
            start = perf_counter()
            cf.fuse(ours, method)
            seconds["cranfield"].append(perf_counter() - start)
            start = perf_counter()
            ranx.fuse(theirs, norm=norm, method=name)
            seconds["ranx"].append(perf_counter() - start)
        for tool, values in seconds.items():
            print(method, tool, *(f"{value:.6f}" for value in values), sep="\t")
        print(method, "apart", _distance(fused, other), sep="\t")


def untied(run: cf.Run) -> cf.Run:
    """The run with all ties broken, which ranx ranks in no fixed order."""
    run.score = run.score - 1e-9 * run.rank
    return run


def _distance(ours: cf.Run, theirs: ranx.Run) -> float:
    found = theirs.to_dict()
    return max(
        abs(score - found[query].get(document, float("inf")))
        for query in ours
        for document, score in ours[query].items()
    )


main()
