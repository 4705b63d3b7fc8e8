"""Write docs/worked-examples.md: the examples that lecture notes work by hand, explained by the code.

`--check` only says whether the page is up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cranfield as cf

PAGE = Path(__file__).parent.parent / "docs" / "worked-examples.md"
COMMAND = "python tools/worked_examples.py"


class Example(NamedTuple):
    """A ranking, a measure of it, and the value that the notes have for it."""

    measure: str
    grades: Sequence[float | None]
    expected: float | None
    """None: the notes have columns of the table, not the value."""
    unretrieved: Sequence[float] = ()
    places: int = 4
    """To how many places the notes print it."""
    remark: str = ""

    @property
    def call(self) -> str:
        """The Python that explains it."""
        missed = f", unretrieved={list(self.unretrieved)}" if self.unretrieved else ""
        return f'cf.explain_one("{self.measure}", {list(self.grades)}{missed})'

    def explained(self) -> cf.Explanation:
        return cf.explain_one(self.measure, self.grades, unretrieved=self.unretrieved)


class Section(NamedTuple):
    """Examples that belong together."""

    title: str
    text: str
    examples: tuple[Example, ...]


def ranks(*relevant: int, depth: int = 10) -> list[int]:
    """A ranking with relevant documents at these ranks."""
    return [int(rank in relevant) for rank in range(1, depth + 1)]


def letters(ranking: str) -> list[int | None]:
    """A ranking of letters: R relevant, I judged irrelevant, N not judged."""
    return [{"R": 1, "I": 0, "N": None}[letter] for letter in ranking]


def bits(ranking: str) -> list[int]:
    return [int(bit) for bit in ranking]


_RETURNED: dict[str, Any] = {"grades": [1, 0, 1, 0], "unretrieved": [1]}
_DCG, _NDCG = "DCG(discount=log)", "nDCG(discount=log,ideal=retrieved)"
_CAPITALS: tuple[tuple[tuple[float | None, ...], tuple[float, ...], float, float], ...] = (
    ((5, 2, 3, 4, 1), (), 11.32, 0.9189),
    ((5, 4, 1, 2, 3), (), 11.92, 0.9675),
    ((5, 4, None, 3, 2), (1,), 11.36, 0.9219),
)

SECTIONS = (
    Section(
        "Sets",
        "Of eight documents d1 to d8, 1, 5 and 7 are relevant, and 1, 3, 5 and 6 are returned. The notes look at what "
        "is returned as a set; here it is a list whose order does not matter.",
        (
            Example("SetR", expected=2 / 3, **_RETURNED),
            Example("SetP", expected=2 / 4, **_RETURNED),
            Example("SetF", expected=4 / 7, **_RETURNED),
            Example("SetAccuracy(documents=8)", expected=5 / 8, **_RETURNED),
            Example("SetError(documents=8)", expected=3 / 8, **_RETURNED),
            Example("SetTNR(documents=8)", expected=0.6, remark="Specificity.", **_RETURNED),
            Example("SetFPR(documents=8)", expected=0.4, **_RETURNED),
            Example("SetFNR", expected=1 / 3, **_RETURNED),
            Example("SetG", expected=0.5774, **_RETURNED),
            Example("SetJaccard", expected=0.4, **_RETURNED),
        ),
    ),
    Section(
        "The rank of the answer",
        "The plurals of cat, torus and virus are found at ranks 3, 2 and 1. The mean of the three, MRR, is 11/18.",
        (
            Example("RR", [0, 0, 1], 1 / 3),
            Example("RR", [0, 1, 0], 1 / 2),
            Example("RR", [1, 0, 0], 1),
        ),
    ),
    Section(
        "Average precision",
        "Three methods find documents of five that are relevant; the last list is the ideal one. The second method "
        "misses one document, which still counts in R: dividing by the four it found would give .4929.",
        (
            Example("AP@10", ranks(1, 3, 6, 9, 10), 0.6222),
            Example("AP@10", ranks(2, 5, 6, 7), 0.3943, unretrieved=[1]),
            Example("AP@10", ranks(2, 3, 4, 5, 6), 0.7100),
            Example("AP@10", ranks(1, 2, 3, 4, 5), 1),
        ),
    ),
    Section(
        "Two queries",
        "The first list above, and one with relevant documents at 2, 5 and 7 of three. MAP, the mean of the two, is "
        "0.53, and GMAP, the root of their product, .5249. The mean of precision over ten ranks is another measure.",
        (
            Example("AP", ranks(1, 3, 6, 9, 10), 0.62, places=2),
            Example("AP", ranks(2, 5, 7), 0.44, places=2),
            Example("MeanP@10", ranks(1, 3, 6, 9, 10), 0.5315),
            Example("MeanP@10", ranks(2, 5, 7), 0.3254),
        ),
    ),
    Section(
        "Precision at a rank",
        "Relevant documents at 1, 2, 4, 6 and 13; and the most there can be at rank 20 where 8 are relevant.",
        (
            Example("P@6", ranks(1, 2, 4, 6, 13, depth=13), 4 / 6),
            Example("P@20", [1] * 8, 0.4),
        ),
    ),
    Section(
        "Two rankings with six relevant documents",
        "Precision and recall at each rank are the columns P@i and R@i of `BreakEven(curve=interpolated)`. Precision "
        "where it is printed as .63 is .625.",
        (
            Example("AP", bits("1011110001"), 0.7750),
            Example("Rprec", bits("1011110001"), 5 / 6),
            Example("IPrecAvg", bits("1011110001"), 0.8212),
            Example("BreakEven(curve=interpolated)", bits("1011110001"), None),
            Example("AP", bits("0100111011"), 0.5212),
            Example("Rprec", bits("0100111011"), 1 / 2),
            Example("IPrecAvg", bits("0100111011"), 0.6000),
            Example("BreakEven(curve=interpolated)", bits("0100111011"), None),
        ),
    ),
    Section(
        "Precision and recall in one number",
        "Precision .40 and recall 1: two relevant documents, both among the first five. (For P = .57 and R = .50 the "
        "notes have F1 = .5327, from rounded numbers that no ranking has.)",
        (Example("F1@5", ranks(1, 2, depth=5), 0.5714),),
    ),
    Section(
        "Discounts",
        "The notes divide by log₂ of the rank, from rank 2 on: 1/2 at rank 4 and 1/3 at rank 8.",
        (
            Example(f"{_DCG}@8", ranks(4, depth=8), 1 / 2),
            Example(f"{_DCG}@8", ranks(8, depth=8), 1 / 3),
        ),
    ),
    Section(
        "Discounted cumulative gain",
        "The sums down to each rank are the notes' 3, 5, 6.893, 6.893, 7.323 and 8.097; those of the second list are "
        "4, 7, 9.52, 10.52, 10.52, 10.52, 10.52, 10.86, 11.17 and 11.17; those of the third end at 9.61, and its ideal "
        "list at 10.88.",
        (
            Example(f"{_DCG}@6", [3, 2, 3, 0, 1, 2], 8.097, places=3),
            Example(f"{_NDCG}@10", [4, 3, 4, 2, 0, 0, 0, 1, 1, 0], 0.95, places=2),
            Example(f"{_NDCG}@10", [3, 2, 3, 0, 0, 1, 2, 2, 3, 0], 0.88, places=2),
            Example(f"{_NDCG}@4", [3, 2, 3, 0, 0, 1, 2, 2, 3, 0], 0.775, places=3, remark="Printed as 0.76."),
        ),
    ),
    Section(
        "Capitals near Kanpur",
        "The five state capitals closest to Kanpur, the closest with grade 5, by three methods. The third one misses "
        "Dehradun and has another city at rank 3.",
        tuple(
            example
            for answers, missed, dcg, ndcg in _CAPITALS
            for example in (
                Example(f"{_DCG}@5", answers, dcg, missed, places=2),
                Example("nDCG(discount=log)@5", answers, ndcg, missed),
            )
        ),
    ),
    Section(
        "Binary preference",
        "I R I I with R = 2, I R N N R I with R = 2 and I R N N R I R I with R = 3: R is relevant, I is judged "
        "irrelevant, N is not judged.",
        (
            Example("Bpref(form=notes)", letters("IRII"), 1 / 4, unretrieved=[1]),
            Example("Bpref(form=notes)", letters("IRNNRI"), 1 / 2),
            Example("Bpref(form=notes)", letters("IRNNRIRI"), 5 / 9),
        ),
    ),
)


def page() -> str:
    """The text of the page."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    yield "# Worked examples\n"
    yield (
        "The examples that a set of lecture notes on evaluating search works by hand, as `cf.explain_one` explains "
        "them: the table, the steps and the value come from the computation itself. For a query of your own run it is "
        "`cranfield explain MEASURE QRELS RUN --query ID` ([explain.md](explain.md)).\n"
    )
    yield (
        "Examples that are no measures of a ranking are elsewhere: agreement of judges in "
        "[agreement and kappa](statistics/agreement-and-kappa.md), the sign test, t-test and Wilcoxon test in "
        "[choosing a test](statistics/choosing-a-test.md).\n"
    )
    for section in SECTIONS:
        yield f"## {section.title}\n\n{section.text}\n"
        for example in section.examples:
            expected = f"The notes have {example.expected:.{example.places}f}." if example.expected else ""
            if said := " ".join(filter(None, [expected, example.remark])):
                yield f"{said}\n"
            yield f"```python\n{example.call}\n```\n\n```text\n{example.explained()!r}\n```\n"
    yield f"<!-- Made by `{COMMAND}`: change that, not this page. -->\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if PAGE.read_text() == page() else f"{PAGE.name} is out of date: {COMMAND}")
    PAGE.write_text(page())
