"""What is measured end to end, and how many times faster than each peer it has to be."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from bench import data


@dataclass(frozen=True)
class Case:
    """One piece of work, done by every tool from files to printed means, as processes of their own."""

    name: str
    work: str
    files: Callable[[], data.Files]
    floors: Mapping[str, float | None]
    """The peers, and the ratio peer / ours asked for; None: only reported."""
    large: bool = False
    """Takes seconds, so it is repeated less often."""
    every_measure: bool = False
    seconds_allowed: float | None = None


CASES = (
    Case(
        "L",
        "6980 queries x 1000, trec_eval's default measures",
        data.l_files,
        {"pytrec_eval": 6, "ir_measures": 12, "ranx": 20},
        large=True,
    ),
    Case(
        "L-irregular",
        "L with irregular white space",
        data.l_irregular_files,
        {"pytrec_eval": 2.5},
        large=True,
    ),
    Case("S", "250 x 1000", data.s_files, {"pytrec_eval": 2, "ir_measures": 4, "ranx": None}),
    Case("X", "50 runs of size S against one qrels", data.x_files, {"pytrec_eval": 6}, large=True),
    Case("S-shuffled", "S, lines shuffled", data.s_shuffled_files, {"pytrec_eval": 1}),
    Case("S-tied", "S, heavily tied scores", data.s_tied_files, {"pytrec_eval": 1}),
    Case("tiny", "50 x 100", data.tiny_files, {"pytrec_eval": None}, seconds_allowed=0.25),
    Case(
        "L-all",
        "L, all measures (all_trec)",
        data.l_files,
        {"pytrec_eval": None},
        large=True,
        every_measure=True,
    ),
)


@dataclass(frozen=True)
class Duel:
    """Work on a run that both tools have parsed before: one call of ours against one of a peer's."""

    name: str
    title: str
    script: str
    """The scripts are called `<script>_<tool>.py`."""
    files: Callable[[], data.Files]
    peer: str
    floor: float


DUELS = (
    Duel(
        "in-memory",
        "In memory: one call on a parsed run of size L, trec_eval's default measures",
        "official",
        data.l_files,
        "pytrec_eval",
        10,
    ),
    Duel(
        "diversity",
        "In memory: alpha_nDCG@20 and ERR_IA@20 of 200 topics x 1000 documents with subtopics",
        "diversity",
        data.diversity_files,
        "ir_measures",
        5,
    ),
    Duel(
        "user-models",
        "In memory: user models with all their values on a parsed run of size S",
        "user_models",
        data.s_files,
        "cwl_eval",
        50,
    ),
)


@dataclass(frozen=True)
class Migration:
    """A script that runs under another library, and with one line changed under its face here."""

    name: str
    work: str
    script: str
    """Takes the module to import, qrels and a run, and prints the seconds it took but for its imports, then means."""
    files: Callable[[], data.Files]
    library: str
    floor: float | None
    options: tuple[str, ...] = ()
    large: bool = False


MIGRATIONS = (
    Migration("pytrec_eval S", "S: read, evaluate, mean", "compat_pytrec_eval", data.s_files, "pytrec_eval", 3),
    Migration(
        "pytrec_eval L", "L: read, evaluate, mean", "compat_pytrec_eval", data.l_files, "pytrec_eval", 3, large=True
    ),
    Migration(
        "pytrec_eval S in dicts",
        "S in dicts of the script's own: evaluate, mean",
        "compat_pytrec_eval",
        data.s_files,
        "pytrec_eval",
        None,
        options=("--dicts",),
    ),
    Migration(
        "pytrec_eval L in dicts",
        "L in dicts of the script's own: evaluate, mean",
        "compat_pytrec_eval",
        data.l_files,
        "pytrec_eval",
        None,
        options=("--dicts",),
        large=True,
    ),
    Migration("ir_measures S", "S: read, evaluate, mean", "compat_ir_measures", data.s_files, "ir_measures", 5),
    Migration(
        "ir_measures L", "L: read, evaluate, mean", "compat_ir_measures", data.l_files, "ir_measures", 5, large=True
    ),
    *(
        Migration(
            f"ir_measures {size} in {shape}",
            f"{size} in {shape} of the script's own: evaluate, mean",
            "compat_ir_measures",
            files,
            "ir_measures",
            None,
            options=(f"--{shape}",),
            large=size == "L",
        )
        for size, files in (("S", data.s_files), ("L", data.l_files))
        for shape in ("dicts", "frames")
    ),
)

SIGNIFICANCE_WORK = {
    "randomisation": "two systems, 250 topics, 100,000 permutations",
    "all pairs": "100 systems x 50 topics, 5 tests on all pairs, 10,000 resamples",
    "randomised Tukey HSD": "50 systems x 50 topics, 10,000 permutations",
}
SIGNIFICANCE_FLOORS = {("randomisation", "ranx"): 30, ("randomisation", "scipy"): 30, ("all pairs", "scipy"): 20}

CURVES_WORK = {
    "each topic": "L: P, R and F of every topic at every rank, interpolated precision, ROC curves; their means",
    "all kinds": "L: the same; means of gains and of AP at every rank; the ROC hull",
    "thresholds": "L: P, R and ROC over thresholds, all topics in one list",
}
CURVES_FLOORS = {"each topic": 20, "all kinds": 20, "thresholds": None}

L_MEGABYTES_ALLOWED = 250
# A measure may take so many times as long as AP on the same data; a slower one needs its reason here.
TIMES_AP_ALLOWED = 3
_EVERY_RANK = "whether the reader goes on depends on the gain at every rank above, so every retrieved rank is visited"
_READER = "how far a reader gets is multiplied up from one relevant document to the next, with the sum of each stretch"
_JUDGMENTS = "goes over all judgments and their strata, where AP sees only what was retrieved"
_IDEAL = "adds up and sorts the gains of all judged documents over their subtopics for the ideal ranking"
_PAIRS = "documents are compared two by two, query by query, before the measure counts the pairs"
SLOWER_BECAUSE: Mapping[str, str] = {
    "BPM": _READER,
    "BPMD": _READER,
    "Compat": "the overlap with the ideal ranking at every depth of the ideal",
    "D_nDCG": _IDEAL,
    "Dsharp_nDCG": _IDEAL,
    "IFT_C1": _READER,
    "IFT_C1_C2": _EVERY_RANK,
    "IFT_C2": _EVERY_RANK,
    "INSQ": _READER,
    "INST": _READER,
    "IPrecAvg": "eleven recall levels",
    "NERR10": _READER,
    "NERR11": _READER,
    "NERR8": _READER,
    "NERR9": _READER,
    "RelString": "makes a text for each query",
    "Rndcg": "an nDCG for each grade of each query",
    "infNDCG": _JUDGMENTS,
    "prefs_": _PAIRS,
    "statAPError": _JUDGMENTS,
    "statAPVar": _JUDGMENTS,
    "xinfAP": _JUDGMENTS,
}
"""By measure, or by what the names of a family begin with."""


def why_slower(measure: str) -> str:
    """Why a measure takes longer than AP; nothing where there is no reason."""
    family = measure[: measure.find("_") + 1]
    return SLOWER_BECAUSE.get(measure, SLOWER_BECAUSE.get(family, ""))


EXPLAINED = ("AP", "nDCG@10", "RR")
EXPLAIN_SECONDS_ALLOWED = 0.5
"""For one query of L, from the start of the process to the explanation printed."""

RESIDUALS_ALLOWED = 3
"""How many times as long as without them an evaluation of L by the default measures may take with residuals."""

TIES: tuple[tuple[str, Callable[[], data.Files], tuple[str, ...], float | None], ...] = (
    ("L, default measures", data.l_files, (), 3),
    ("L tied in pairs, default measures", partial(data.l_tied_files, 2), (), 3),
    ("L tied in pairs, trec_eval's default measures", partial(data.l_tied_files, 2), ("official",), 3),
    ("L all tied, default measures", partial(data.l_tied_files, data.DEPTH), (), 3),
    ("L all tied, trec_eval's default measures", partial(data.l_tied_files, data.DEPTH), ("official",), 3),
    ("S-tied, default measures", data.s_tied_files, (), None),
    ("S-tied, trec_eval's default measures", data.s_tied_files, ("official",), None),
)
"""What is evaluated, by which measures, and how many times as long as plain evaluation it may take to know ties."""

REPORTS: tuple[tuple[int, int, float | None], ...] = ((10, 50, 2.0), (10, 250, None), (60, 50, None))
"""Of how many runs and topics a report is written, and how many megabytes it may have."""

PROVENANCE_ALLOWED = 1.3
"""How many times as long as without it an evaluation of L may take with the SHA-256 of all files."""

GROWTH_LINES = (1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000)
# Noise: the time per line counts as risen when it is this many times that of a smaller file.
GROWTH_ALLOWED = 1.1
