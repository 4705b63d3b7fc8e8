"""How the ROC curves of topics become one, and which of the ways a curve takes for what reason."""

from __future__ import annotations

AVERAGES = {
    "vertical": "at each false positive rate the mean of the true positive rates of the topics",
    "cutoff": "after each number of documents the means of both rates over the topics",
    "score": "all topics in one list by score, which must mean the same for every topic",
}
"""How the curves of topics may become one."""
DEFAULT_AVERAGE = "vertical"
HULL_AVERAGE = "cutoff"
"""That of the hull and of mixtures: every point of a curve must be a way to run the system, such as a coin can choose.
A point of a vertical average is none, for a system does not know where among its documents the false positives are."""

_REASONS = {
    "vertical": "so that its area is the mean of the areas of the topics. The hull and mixtures need the cutoff "
    "average, whose area is another",
    "cutoff": "so that every point is a way to run the system, as the hull and mixtures need it. Its area is another "
    "than that of the vertical average, which is the mean of the areas of the topics",
    "score": "so that every point is a threshold. Its area is another than that of the vertical average, which is the "
    "mean of the areas of the topics",
}


def average_sentence(average: str) -> str:
    """Which average it is, and why.

    >>> average_sentence("vertical")
    'Average over topics: vertical (at each false positive rate the mean of the true positive rates of the topics), so
    that its area is the mean of the areas of the topics. The hull and mixtures need the cutoff average, whose area is
    another.'
    """
    return f"Average over topics: {average} ({AVERAGES[average]}), {_REASONS[average]}."
