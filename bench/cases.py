"""What is measured end to end, and how many times faster than each peer it has to be."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

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

L_MEGABYTES_ALLOWED = 250
# A measure may take so many times as long as AP on the same data; a slower one needs its reason here.
TIMES_AP_ALLOWED = 3
SLOWER_BECAUSE: Mapping[str, str] = {}
GROWTH_LINES = (1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000)
# Noise: the time per line counts as risen when it is this many times that of a smaller file.
GROWTH_ALLOWED = 1.1
