"""Write the figures of docs/statistics/ that come from real collections; `--check` says whether they are up to date.

The collections are found through $CRANFIELD_REAL_DATA. On a page a figure stands between `<!-- figure: name -->` and
`<!-- end of figure -->`.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

import cranfield as cf
from cranfield.formats.score_table import read_score_tables
from cranfield.stats.random_stream import RandomStream
from tools.figures import made_anew, renew

PAGES = sorted((Path(__file__).parent.parent / "docs" / "statistics").glob("*.md"))
COMMAND = "CRANFIELD_REAL_DATA=... python -m tools.statistics_figures"
TRACKS = {"TREC-5": "adhoc5", "TREC-6": "adhoc6", "TREC-7": "adhoc7"}
TESTS = ("t", "randomisation", "bootstrap", "wilcoxon", "sign")
ALPHA = 0.05
PASSAGES = 8_841_823
"""In the collection of the TREC Deep Learning track 2019."""

Scores = npt.NDArray[np.float64]
Figure = Callable[[Path], str]


def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Every page with its figures made anew from the collections in a folder."""
    for page in PAGES:
        yield page.name, made_anew(page, FIGURES, folder)


def trec(folder: Path, track: str, measure: str = "ap") -> Scores:
    """Topics x systems of a TREC ad hoc track."""
    (table,) = read_score_tables(folder / "topic_score_matrices" / f"{TRACKS[track]}_{measure}.csv")
    return table.scores


def markdown(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def tests_on_trec(folder: Path) -> str:
    """How many pairs each test calls different, how often it decides as the t-test does, and as its interval does."""
    rows = []
    for track in TRACKS:
        found = cf.stats.all_pairs(trec(folder, track), TESTS).by_test
        different = {name: outcomes.significant for name, outcomes in found.items()}
        pairs = len(different["t"])
        rows.append([track, pairs, *(percent(one.mean()) for one in different.values())])
        alike = [percent((one == different["t"]).mean()) for one in different.values()]
        rows.append(["decides as the t-test does", "", "", *alike[1:]])
        apart = [(one.interval.lower > 0) | (one.interval.upper < 0) for one in found.values()]
        against = [percent((one != shown).mean()) for one, shown in zip(different.values(), apart, strict=True)]
        rows.append(["p and interval contradict each other", "", *against])
    return markdown(["AP of", "pairs", *TESTS], rows)


def replication(folder: Path) -> str:
    """Of pairs significant on half of the topics, how many are so on the other half."""
    bounds = [(0.01, 0.05), (0.001, 0.01), (0.0, 0.001)]
    counts = np.zeros((len(bounds), 3))
    stream = RandomStream(0)
    for track in TRACKS:
        scores = trec(folder, track)
        for _ in range(100):
            order = np.argsort(stream.words(len(scores)))
            half = len(scores) // 2
            first, second = (
                cf.stats.all_pairs(scores[rows], ["t"]).by_test["t"] for rows in (order[:half], order[half:])
            )
            same_way = np.sign(first.mean_difference) == np.sign(second.mean_difference)
            for row, (low, high) in enumerate(bounds):
                chosen = (first.p >= low) & (first.p < high)
                again = chosen & same_way & (second.p < ALPHA)
                counts[row] += [chosen.sum(), again.sum(), (chosen & ~same_way).sum()]
    rows = [
        [f"{low:g} to {high:g}" if low else f"below {high:g}", percent(again / all_), percent(turned / all_)]
        for (low, high), (all_, again, turned) in zip(bounds, counts, strict=True)
    ]
    return markdown(["p on 25 topics", "p < .05, same direction, on the other 25", "opposite direction"], rows)


def shuffled(scores: Scores, stream: RandomStream) -> Scores:
    """The scores of each topic dealt out anew among the systems: none is better than another."""
    return np.take_along_axis(scores, np.argsort(stream.words(scores.size).reshape(scores.shape), axis=1), axis=1)


def family_wise_error(folder: Path) -> str:
    """How often something is found among systems of which none is better."""
    scores, stream, trials = trec(folder, "TREC-7"), RandomStream(0), 1000
    rows = []
    for systems in (2, 5, 10, 20):
        found = np.zeros(4)
        for trial in range(trials):
            chosen = shuffled(scores[:, np.argsort(stream.words(scores.shape[1]))[:systems]], stream)
            p = cf.stats.all_pairs(chosen, ["t"]).by_test["t"].p
            tukey = cf.stats.randomised_tukey_hsd(chosen, permutations=199, seed=trial).p
            adjusted = [cf.stats.holm(p).adjusted, cf.stats.benjamini_hochberg(p).adjusted]
            found += [np.nanmin(ps) <= ALPHA for ps in (p, *adjusted, tukey)]
        comparisons = systems * (systems - 1) // 2
        rows.append([systems, comparisons, f"{ALPHA * comparisons:g}", *map(percent, found / trials)])
    header = ["systems", "comparisons", "false discoveries expected", "any, not corrected"]
    return markdown([*header, "any, Holm", "any, Benjamini-Hochberg", "any, randomised Tukey HSD"], rows)


def false_discoveries(folder: Path) -> str:
    """All pairs of TREC-7 as they are and with systems shuffled."""
    scores, stream = trec(folder, "TREC-7"), RandomStream(0)
    rows = []
    real = cf.stats.all_pairs(scores, ["t"]).by_test["t"].p
    trials = [cf.stats.all_pairs(shuffled(scores, stream), ["t"]).by_test["t"].p for _ in range(100)]
    corrections: dict[str, Callable[[Scores], Scores]] = {
        "not corrected": lambda p: p,
        "Benjamini-Hochberg": lambda p: cf.stats.benjamini_hochberg(p).adjusted,
        "Holm": lambda p: cf.stats.holm(p).adjusted,
    }
    for name, adjust in corrections.items():
        mean = np.mean([np.count_nonzero(adjust(p) < ALPHA) for p in trials])
        rows.append([name, np.count_nonzero(adjust(real) < ALPHA), f"{mean:.1f}"])
    systems = scores.shape[1]
    title = f"all {len(real)} pairs of {systems} systems"
    return markdown([title, "significant at .05", "after shuffling, on the mean of 100"], rows)


def holm_or_tukey(folder: Path) -> str:
    """How many pairs are found, of all and of those whose differences vary least and most from topic to topic."""
    rows = []
    for track in TRACKS:
        scores = trec(folder, track)
        tukey = cf.stats.randomised_tukey_hsd(scores)
        differences = scores[:, tukey.first] - scores[:, tukey.second]
        p = [cf.stats.paired_t_test(pair, np.zeros(len(pair))).p for pair in differences.T]
        holm = cf.stats.holm(p).adjusted < ALPHA
        by_spread = np.argsort(differences.std(axis=0), kind="stable")
        quarter = len(by_spread) // 4
        chosen = {"all": by_spread, "vary least": by_spread[:quarter], "vary most": by_spread[-quarter:]}
        for name, pairs in chosen.items():
            found = [np.count_nonzero(one[pairs]) for one in (holm, tukey.significant)]
            rows.append([f"{track}, {name}", len(pairs), *found])
    return markdown(["AP of", "pairs", "t-test, Holm", "randomised Tukey HSD"], rows)


def topics_needed(folder: Path) -> str:
    """From each track as a pilot, for a paired t-test with a power of .8."""
    differences = (0.02, 0.05, 0.1)
    rows = []
    for track, (name, file) in itertools.product(TRACKS, {"AP": "ap", "P@10": "p10"}.items()):
        scores = trec(folder, track, file)
        sd = cf.stats.pilot_variance(scores).difference_sd
        needed = [cf.stats.topics_for_power(difference, sd).topics for difference in differences]
        smallest = cf.stats.difference_for_power(sd, 50).difference
        share = cf.stats.topics_for_power(scores.mean() / 10, sd).topics
        rows.append([f"{track}, {name}", f"{sd:.3f}", *needed, f"{smallest:.3f}", share])
    wanted = [f"topics for {difference:.2f}" for difference in differences]
    header = ["pilot", "standard deviation of differences", *wanted, "50 topics find", "topics for a tenth of the mean"]
    return markdown(header, rows)


def stability(folder: Path) -> str:
    """tau between the orders of the systems on two sets of topics without a topic in common."""
    rows = []
    for track in TRACKS:
        scores, stream, taus = trec(folder, track), RandomStream(0), []
        for size in (5, 10, 15, 20, 25):
            of_size = []
            for _ in range(200):
                order = np.argsort(stream.words(len(scores)))
                first, second = (scores[rows_].mean(axis=0) for rows_ in (order[:size], order[size : 2 * size]))
                of_size.append(cf.stats.tau_b(first.round(10), second.round(10)).value)
            taus.append(f"{np.mean(of_size):.2f}")
        rows.append([track, *taus])
    return markdown(["AP of", *(f"{size} topics" for size in (5, 10, 15, 20, 25))], rows)


def accuracy_of_nothing(folder: Path) -> str:
    """What returning no document at all reaches."""
    collections = folder / "collections"
    cranfield = [line.split() for line in (collections / "cranfield" / "cranqrel").read_text().splitlines()]
    cisi = [line.split() for line in (collections / "cisi" / "CISI.REL").read_text().splitlines()]
    cacm = cf.read_qrels(collections / "cacm" / "qrels.cacm.txt")
    time = cf.read_qrels(collections / "time" / "frelevancia_trec_eval_TIME.txt")
    found = {
        "Cranfield": (1400, len({row[0] for row in cranfield}), sum(int(row[2]) > 0 for row in cranfield)),
        "CISI": (1460, len({row[0] for row in cisi}), len(cisi)),
        "CACM": (3204, len(cacm.queries), int((cacm.grade > 0).sum())),
        "TIME": (423, len(time.queries), int((time.grade > 0).sum())),
    }
    rows = [
        [name, documents, queries, f"{relevant / queries:.1f}", percent(1 - relevant / queries / documents)]
        for name, (documents, queries, relevant) in found.items()
    ]
    header = ["collection", "documents", "queries", "relevant to a query", "accuracy of returning nothing"]
    return markdown(header, rows)


def accuracy_of_runs(folder: Path) -> str:
    """Accuracy, precision and recall of the first 10 passages of runs at TREC DL 2019, beside returning none."""
    qrels, rows = folder / "dl19" / "qrels.dl19-passage.txt", []
    for run in sorted((folder / "dl19" / "runs").iterdir()):
        rates = cf.confusion(qrels, run, cutoff=10, level=2, documents=PASSAGES).pooled.rates
        numbers = [f"{rates['precision']:.3f}", f"{rates['recall']:.3f}", f"{rates['accuracy']:.7f}"]
        rows.append([run.name.partition(".")[0], *numbers])
    judged = cf.read_qrels(qrels)
    relevant = np.count_nonzero(judged.grade >= 2) / len(judged.queries)
    rows.append(["returning nothing", "-", f"{0:.3f}", f"{1 - relevant / PASSAGES:.7f}"])
    return markdown(["first 10 passages of", "precision", "recall", "accuracy"], rows)


def agreement_of_crowds(folder: Path) -> str:
    """Every coefficient on the labels of two crowds."""
    rows = []
    for title, name, level in (
        ("TREC crowd, relevant or not", "trec_crowd", "nominal"),
        ("web crowd, grades 1 to 5", "web_crowd", "nominal"),
        ("web crowd, grades as an order", "web_crowd", "ordinal"),
    ):
        labels = cf.read_judge_labels(folder / "crowd" / "spectral_em" / f"{name}.txt")
        share = cf.stats.percent_agreement(labels, resamples=0).value
        fleiss, ac1 = (of(labels, resamples=0).value for of in (cf.stats.fleiss_kappa, cf.stats.gwet_ac1))
        alpha = cf.stats.krippendorff_alpha(labels, level=level, resamples=0).value
        others = [percent(share), f"{fleiss:.2f}", f"{ac1:.2f}"] if level == "nominal" else ["", "", ""]
        rows.append([title, *others, f"{alpha:.2f}"])
    return markdown(["labels", "agree", "Fleiss' kappa", "AC1", "Krippendorff's alpha"], rows)


def measures_correlate(folder: Path) -> str:
    """How alike measures order the systems of TREC."""
    rows = []
    for track in TRACKS:
        tables = {name: trec(folder, track, file) for name, file in (("AP", "ap"), ("P@10", "p10"), ("RR", "rr"))}
        for pair in cf.correlate_scores(tables, coefficients=["tau_b", "tau_ap_b", "pearson"]):
            row: list[object] = [track, f"{pair.first.label}, {pair.second.label}"]
            for one in pair.coefficients.values():
                assert one.interval is not None
                row.append(f"{one.value:.2f} ({one.interval.lower:.2f} to {one.interval.upper:.2f})")
            both = sum(swap.significant == 2 for swap in pair.swaps)
            rows.append([*row, len(pair.swaps), both])
    return markdown(["systems of", "measures", "tau_b", "tau_ap_b", "pearson", "swaps", "both significant"], rows)


FIGURES: dict[str, Figure] = {
    one.__name__: one
    for one in (
        accuracy_of_nothing,
        accuracy_of_runs,
        agreement_of_crowds,
        false_discoveries,
        family_wise_error,
        holm_or_tukey,
        measures_correlate,
        replication,
        stability,
        tests_on_trec,
        topics_needed,
    )
}


if __name__ == "__main__":
    sys.exit(renew(PAGES, FIGURES, COMMAND))
