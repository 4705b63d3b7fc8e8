"""What kinds of drawings are called elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

_KINDS = {
    "per-topic with two runs, which draws dumbbells": ("dumbbell", "dumbbells", "lollipop", "slope"),
    "means (the mean of each run) or per-topic (the bars of one run)": ("bar", "bars", "barchart", "bar-chart"),
    "means": ("mean", "forest", "errorbar", "error-bars", "intervals"),
    "recall-precision": ("pr", "prc", "pr-curve", "precision-recall", "precision", "recall", "interpolated"),
    "roc": ("auc", "auroc", "roc-curve", "hull", "convex-hull", "det"),
    "cutoff or by-rank": ("line", "lines", "curve", "rank", "ranks"),
    "cutoff -m nDCG, or gain": ("ndcg", "dcg"),
    "per-topic": ("topic", "topics", "query", "queries", "per-query"),
    "difference": ("delta", "diff", "differences", "waterfall", "gains"),
    "box or violin": ("boxplot", "box-plot", "distribution", "histogram", "hist", "density", "strip", "swarm"),
    "violin": ("violinplot", "violins"),
    "correlation --form scatter, with the measures as -m": ("scatter-matrix", "scattermatrix", "pairs", "splom"),
    "scatter": ("scatterplot", "points", "dots", "xy"),
    "matrix (p-values) or correlation (measures)": ("heatmap", "heat", "heat-map"),
    "matrix": ("p-values", "pvalues", "significance", "tukey"),
    "correlation": ("tau", "kendall", "correlate", "measures"),
    "coverage": ("pool", "judged", "unjudged", "depth"),
    "discount": ("discounts", "weights", "weight"),
    "thresholds": ("threshold", "score", "scores", "sweep"),
}

OTHER_WORDS: Mapping[str, str] = {word: kind for kind, words in _KINDS.items() for word in words}
"""By a word that people type, which kind draws it, and how."""
