"""Measures of preferences: trec_eval's prefs_* family (`-R prefs` or `-R qrels_prefs`).

A preference says that one document is better than another, in one judgment group (an assessor with one need). The plain
measures count preferences of which one or no document is retrieved as well, `_imp` leaves out those of which none is,
`_ret` counts only those of which both are.
"""

from __future__ import annotations

import numpy as np

from cranfield.data.preference_counts import PreferenceCounts
from cranfield.data.strings import Floats
from cranfield.measures.registry import measure, ratio

_TRAITS = {"needs": "preferences", "cites": ("carterette-2008", "trec_eval")}
_COUNT = {**_TRAITS, "aggregate": "sum", "counts": True, "bounds": (0.0, np.inf)}


@measure("prefs_num_prefs_poss", **_COUNT)
def preferences_possible(c: PreferenceCounts) -> Floats:
    """The number of preferences there are, added up over the queries."""
    return c.total("possible", "possible_implied", "neither")


@measure("prefs_num_prefs_ful", **_COUNT)
def preferences_fulfilled(c: PreferenceCounts) -> Floats:
    """The number of preferences fulfilled, implied ones included, added up over the queries."""
    return c.total("fulfilled", "fulfilled_implied")


@measure("prefs_num_prefs_ful_ret", **_COUNT)
def preferences_fulfilled_retrieved(c: PreferenceCounts) -> Floats:
    """The number of preferences fulfilled of which both documents are retrieved, added up over the queries."""
    return c.total("fulfilled")


@measure("prefs_simp", **_TRAITS)
def preferences_simple(c: PreferenceCounts) -> Floats:
    """The share of all preferences that are fulfilled; 0 where there are none."""
    return ratio(preferences_fulfilled(c), preferences_possible(c))


@measure("prefs_simp_imp", **_TRAITS)
def preferences_simple_implied(c: PreferenceCounts) -> Floats:
    """The share fulfilled of the preferences with at least one document retrieved; 0 where there are none."""
    return ratio(preferences_fulfilled(c), c.total("possible", "possible_implied"))


@measure("prefs_simp_ret", **_TRAITS)
def preferences_simple_retrieved(c: PreferenceCounts) -> Floats:
    """The share fulfilled of the preferences with both documents retrieved; 0 where there are none."""
    return ratio(c.total("fulfilled"), c.total("possible"))


@measure("prefs_pair", **_TRAITS)
def preferences_by_pair(c: PreferenceCounts) -> Floats:
    """Like prefs_simp, but each pair of documents counts once, with the share of its preferences that are fulfilled."""
    score = c.pairs["pair_score"] + c.pairs["pair_score_implied"]
    return ratio(score, c.pairs["pairs"] + c.pairs["pairs_implied"] + c.pairs["pairs_neither"])


@measure("prefs_pair_imp", **_TRAITS)
def preferences_by_pair_implied(c: PreferenceCounts) -> Floats:
    """Like prefs_pair, over the pairs with at least one document retrieved."""
    score = c.pairs["pair_score"] + c.pairs["pair_score_implied"]
    return ratio(score, c.pairs["pairs"] + c.pairs["pairs_implied"])


@measure("prefs_pair_ret", **_TRAITS)
def preferences_by_pair_retrieved(c: PreferenceCounts) -> Floats:
    """Like prefs_pair, over the pairs with both documents retrieved."""
    return ratio(c.pairs["pair_score"], c.pairs["pairs"])


@measure("prefs_avgjg", **_TRAITS)
def preferences_by_group(c: PreferenceCounts) -> Floats:
    """Like prefs_simp, but taken for each judgment group alone and averaged: each group counts the same."""
    g = c.groups
    return c.mean(ratio(g["fulfilled"] + g["fulfilled_implied"], g["possible"] + g["possible_implied"] + g["neither"]))


@measure("prefs_avgjg_imp", **_TRAITS)
def preferences_by_group_implied(c: PreferenceCounts) -> Floats:
    """Like prefs_avgjg, over the preferences with at least one document retrieved."""
    g = c.groups
    return c.mean(ratio(g["fulfilled"] + g["fulfilled_implied"], g["possible"] + g["possible_implied"]))


@measure("prefs_avgjg_ret", **_TRAITS)
def preferences_by_group_retrieved(c: PreferenceCounts) -> Floats:
    """Like prefs_avgjg, over the preferences with both documents retrieved."""
    return c.mean(ratio(c.groups["fulfilled"], c.groups["possible"]))


@measure("prefs_avgjg_Rnonrel", **_TRAITS)
def preferences_by_group_r(c: PreferenceCounts) -> Floats:
    """Like prefs_avgjg, with as many non-relevant documents (level 0) in each group as there are relevant ones.

    If there are fewer, the missing ones count as ranked last; if there are more, only the first ones are kept. A query
    scores 0 if one of its groups leaves no preference. Computed as trec_eval does, see `PreferenceCounts`.
    """
    return _mean_or_nothing(c, c.groups["fulfilled_among_r"], c.groups["possible_among_r"])


@measure("prefs_avgjg_Rnonrel_ret", **_TRAITS)
def preferences_by_group_r_retrieved(c: PreferenceCounts) -> Floats:
    """Like prefs_avgjg_Rnonrel, over the retrieved documents alone."""
    return _mean_or_nothing(c, c.groups["fulfilled_among_r_retrieved"], c.groups["possible_among_r_retrieved"])


def _mean_or_nothing(c: PreferenceCounts, fulfilled: Floats, possible: Floats) -> Floats:
    empty = np.bincount(c.query[possible == 0], minlength=len(c)) > 0
    return np.where(empty, 0.0, c.mean(ratio(fulfilled, possible)))
