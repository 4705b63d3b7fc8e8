"""Measures of preferences: trec_eval's prefs_* family (`-R prefs` or `-R qrels_prefs`).

A preference says that one document is better than another, in one judgment group (an assessor with one need). The plain
measures count preferences of which one or no document is retrieved as well, `_imp` leaves out those of which none is,
`_ret` counts only those of which both are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.data.preference_counts import PreferenceCounts
from cranfield.data.strings import Floats
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES_WHOLE_LISTS, TieForm


def _worth(c: PreferenceCounts, **_: Any) -> Floats | None:
    return c.level


_TRAITS: dict[str, Any] = {
    "needs": "preferences",
    "perfect": False,
    "ties": SHARES_WHOLE_LISTS._replace(worth=_worth),
    "cites": ("carterette-2008", "trec_eval"),
}
_COUNT = {**_TRAITS, "aggregate": "sum", "counts": True, "bounds": (0.0, np.inf)}


@measure("prefs_num_prefs_poss", more_is_better=None, **_COUNT)
def number_of_preferences(c: PreferenceCounts) -> Floats:
    r"""The number of preferences there are, added up over the queries.

    .. math:: p_2 + p_1 + p_0

    where p_2 counts the preferences of which both documents are retrieved, p_1 those of which one is, and p_0 those of
    which none is.

    Elsewhere:
        trec_eval: `prefs_num_prefs_poss`.

    >>> judged = [("q", "ann", document, level) for document, level in zip("abcde", (2, 1, 1, 0, 0))]
    >>> run = {"q": {"b": 3, "a": 2, "d": 1}}
    >>> # a is preferred to b, c, d, e; b to d, e; c to d, e
    >>> evaluate(judged, run, "prefs_num_prefs_poss", relevance="qrels_prefs").mean
    {'prefs_num_prefs_poss': 8.0}
    """
    return c.step("prefs_num_prefs_poss", "p2 + p1 + p0", c.total("possible", "possible_implied", "neither"))


@measure("prefs_num_prefs_ful", **_COUNT)
def number_of_preferences_fulfilled(c: PreferenceCounts) -> Floats:
    r"""The number of preferences fulfilled, implied ones included, added up over the queries.

    .. math:: f_2 + f_1

    where f_2 counts the preferences whose better document stands above the other one, and f_1 those whose better
    document is the only one retrieved, so that it is implied to stand above the other. 0 where nothing is retrieved.

    Elsewhere:
        trec_eval: `prefs_num_prefs_ful`.

    >>> judged = [("q", "ann", document, level) for document, level in zip("abcde", (2, 1, 1, 0, 0))]
    >>> run = {"q": {"b": 3, "a": 2, "d": 1}}
    >>> # a to d, b to d (but not a to b); implied: a to c, a to e, b to e (but not c to d)
    >>> evaluate(judged, run, "prefs_num_prefs_ful", relevance="qrels_prefs").mean
    {'prefs_num_prefs_ful': 5.0}
    """
    return c.step("prefs_num_prefs_ful", "f2 + f1", c.total("fulfilled", "fulfilled_implied"))


@measure("prefs_num_prefs_ful_ret", **_COUNT)
def number_of_preferences_fulfilled_among_retrieved_documents(c: PreferenceCounts) -> Floats:
    r"""The number of preferences fulfilled of which both documents are retrieved, added up over the queries.

    .. math:: f_2

    where f_2 counts the preferences whose better document stands above the other one. 0 where fewer than two documents
    with preferences are retrieved.

    Elsewhere:
        trec_eval: `prefs_num_prefs_ful_ret`.

    >>> judged = [("q", "ann", document, level) for document, level in zip("abcde", (2, 1, 1, 0, 0))]
    >>> run = {"q": {"b": 3, "a": 2, "d": 1}}
    >>> # a to d, b to d (but not a to b)
    >>> evaluate(judged, run, "prefs_num_prefs_ful_ret", relevance="qrels_prefs").mean
    {'prefs_num_prefs_ful_ret': 2.0}
    """
    return c.step("prefs_num_prefs_ful_ret", "f2", c.total("fulfilled"))


@measure("prefs_simp", **_TRAITS)
def preferences_fulfilled(c: PreferenceCounts) -> Floats:
    r"""The share of all preferences that are fulfilled.

    .. math:: \frac{f_2 + f_1}{p_2 + p_1 + p_0}

    where p counts the preferences and f those that are fulfilled: of which both documents are retrieved (2), one (1) or
    none (0). A document that is retrieved is implied to stand above one that is not. 0 where there are no preferences.

    Elsewhere:
        trec_eval: `prefs_simp`.

    >>> judged = [("q", "ann", document, level) for document, level in zip("abcde", (2, 1, 1, 0, 0))]
    >>> run = {"q": {"b": 3, "a": 2, "d": 1}}
    >>> evaluate(judged, run, "prefs_simp", relevance="qrels_prefs").mean  # (2 + 3) / (3 + 4 + 1)
    {'prefs_simp': 0.625}
    """
    share = ratio(number_of_preferences_fulfilled(c), number_of_preferences(c))
    return c.step("prefs_simp", "prefs_num_prefs_ful / prefs_num_prefs_poss", share)


@measure("prefs_simp_imp", **_TRAITS)
def preferences_fulfilled_or_implied(c: PreferenceCounts) -> Floats:
    r"""The share fulfilled of the preferences of which at least one document is retrieved.

    .. math:: \frac{f_2 + f_1}{p_2 + p_1}

    where p counts the preferences and f those that are fulfilled: of which both documents are retrieved (2) or one (1).
    A document that is retrieved is implied to stand above one that is not. 0 where there are no such preferences.

    Elsewhere:
        trec_eval: `prefs_simp_imp`.

    >>> judged = [("q", "ann", document, level) for document, level in zip("abcde", (2, 1, 1, 0, 0))]
    >>> run = {"q": {"b": 3, "a": 2, "d": 1}}
    >>> evaluate(judged, run, "prefs_simp_imp", relevance="qrels_prefs").mean  # (2 + 3) / (3 + 4)
    {'prefs_simp_imp': 0.7142...}
    """
    share = ratio(number_of_preferences_fulfilled(c), c.total("possible", "possible_implied"))
    return c.step("prefs_simp_imp", "prefs_num_prefs_ful / (p2 + p1)", share)


@measure("prefs_simp_ret", **_TRAITS)
def preferences_fulfilled_among_retrieved_documents(c: PreferenceCounts) -> Floats:
    r"""The share fulfilled of the preferences of which both documents are retrieved.

    .. math:: \frac{f_2}{p_2}

    where p_2 counts the preferences of which both documents are retrieved and f_2 those whose better document stands
    above the other one. 0 where there are no such preferences.

    Elsewhere:
        trec_eval: `prefs_simp_ret`.

    >>> judged = [("q", "ann", document, level) for document, level in zip("abcde", (2, 1, 1, 0, 0))]
    >>> run = {"q": {"b": 3, "a": 2, "d": 1}}
    >>> evaluate(judged, run, "prefs_simp_ret", relevance="qrels_prefs").mean  # a to d, b to d, not a to b: 2/3
    {'prefs_simp_ret': 0.6666...}
    """
    return c.step("prefs_simp_ret", "f2 / p2", ratio(c.total("fulfilled"), c.total("possible")))


@measure("prefs_pair", **_TRAITS)
def preferences_fulfilled_by_pair(c: PreferenceCounts) -> Floats:
    r"""The share of the preferences between two documents that are fulfilled, averaged over all pairs of documents.

    .. math:: \frac{1}{|D|} \sum_{\{a, b\} \in D} \frac{f_{ab}}{p_{ab}}

    where D holds the pairs of documents with preferences, p_ab counts the preferences between a and b in all judgment
    groups and f_ab those that are fulfilled. Each pair counts once, however many assessors compared it. A document that
    is retrieved is implied to stand above one that is not. 0 where there are no preferences.

    Elsewhere:
        trec_eval: `prefs_pair`.

    >>> judged = [("q", "ann", "a", 2), ("q", "ann", "b", 1), ("q", "ann", "c", 0)]  # a to b, a to c, b to c
    >>> judged += [("q", "bob", "a", 0), ("q", "bob", "b", 1)]  # b to a
    >>> run = {"q": {"a": 2, "b": 1}}
    >>> # a and b: 1 of 2 is fulfilled; a and c: 1; b and c: 1; (1/2 + 1 + 1) / 3
    >>> evaluate(judged, run, "prefs_pair", relevance="qrels_prefs").mean
    {'prefs_pair': 0.8333...}
    """
    score = c.pairs["pair_score"] + c.pairs["pair_score_implied"]
    share = ratio(score, c.pairs["pairs"] + c.pairs["pairs_implied"] + c.pairs["pairs_neither"])
    return c.step("prefs_pair", "(s2 + s1) / (d2 + d1 + d0)", share)


@measure("prefs_pair_imp", **_TRAITS)
def preferences_fulfilled_or_implied_by_pair(c: PreferenceCounts) -> Floats:
    r"""The share of the preferences between two documents that are fulfilled, averaged over the pairs half retrieved.

    .. math:: \frac{1}{|D_1|} \sum_{\{a, b\} \in D_1} \frac{f_{ab}}{p_{ab}}

    where D_1 holds the pairs of documents with preferences of which at least one document is retrieved, p_ab counts the
    preferences between a and b in all judgment groups and f_ab those that are fulfilled. A document that is retrieved
    is implied to stand above one that is not. 0 where there are no such pairs.

    Elsewhere:
        trec_eval: `prefs_pair_imp`.

    >>> judged = [("q", "ann", "a", 2), ("q", "ann", "b", 1), ("q", "ann", "c", 0)]  # a to b, a to c, b to c
    >>> judged += [("q", "bob", "a", 0), ("q", "bob", "b", 1)]  # b to a
    >>> run = {"q": {"a": 1}}
    >>> # a and b: 1 of 2 is implied; a and c: 1; of b and c none is retrieved; (1/2 + 1) / 2
    >>> evaluate(judged, run, "prefs_pair_imp", relevance="qrels_prefs").mean
    {'prefs_pair_imp': 0.75}
    """
    score = c.pairs["pair_score"] + c.pairs["pair_score_implied"]
    return c.step("prefs_pair_imp", "(s2 + s1) / (d2 + d1)", ratio(score, c.pairs["pairs"] + c.pairs["pairs_implied"]))


@measure("prefs_pair_ret", **_TRAITS)
def preferences_fulfilled_by_retrieved_pair(c: PreferenceCounts) -> Floats:
    r"""The share of the preferences between two documents that are fulfilled, averaged over the pairs retrieved.

    .. math:: \frac{1}{|D_2|} \sum_{\{a, b\} \in D_2} \frac{f_{ab}}{p_{ab}}

    where D_2 holds the pairs of documents with preferences of which both are retrieved, p_ab counts the preferences
    between a and b in all judgment groups and f_ab those that are fulfilled. 0 where there are no such pairs.

    Elsewhere:
        trec_eval: `prefs_pair_ret`.

    >>> judged = [("q", "ann", "a", 2), ("q", "ann", "b", 1), ("q", "ann", "c", 0)]  # a to b, a to c, b to c
    >>> judged += [("q", "bob", "a", 0), ("q", "bob", "b", 1)]  # b to a
    >>> run = {"q": {"a": 2, "b": 1}}
    >>> evaluate(judged, run, "prefs_pair_ret", relevance="qrels_prefs").mean  # a and b alone: 1 of 2 is fulfilled
    {'prefs_pair_ret': 0.5}
    """
    return c.step("prefs_pair_ret", "s2 / d2", ratio(c.pairs["pair_score"], c.pairs["pairs"]))


@measure("prefs_avgjg", **_TRAITS)
def preferences_fulfilled_by_group(c: PreferenceCounts) -> Floats:
    r"""The share of the preferences of a judgment group that are fulfilled, averaged over the groups.

    .. math:: \frac{1}{|J|} \sum_{j \in J} \frac{f_{2j} + f_{1j}}{p_{2j} + p_{1j} + p_{0j}}

    where J holds the judgment groups of the query, each of which counts the same; p_j counts the preferences of a group
    and f_j those that are fulfilled: of which both documents are retrieved (2), one (1) or none (0). A document that is
    retrieved is implied to stand above one that is not. A group without preferences counts 0.

    Elsewhere:
        trec_eval: `prefs_avgjg`.

    >>> judged = [("q", "ann", "a", 2), ("q", "ann", "b", 1), ("q", "ann", "c", 0)]  # a to b, a to c, b to c
    >>> judged += [("q", "bob", "a", 0), ("q", "bob", "b", 1)]  # b to a
    >>> run = {"q": {"a": 2, "b": 1}}
    >>> evaluate(judged, run, "prefs_avgjg", relevance="qrels_prefs").mean  # ann 3 of 3, bob 0 of 1
    {'prefs_avgjg': 0.5}
    """
    g = c.groups
    possible = g["possible"] + g["possible_implied"] + g["neither"]
    return c.mean_step("prefs_avgjg", ratio(g["fulfilled"] + g["fulfilled_implied"], possible))


@measure("prefs_avgjg_imp", **_TRAITS)
def preferences_fulfilled_or_implied_by_group(c: PreferenceCounts) -> Floats:
    r"""The share fulfilled of a group's preferences of which a document is retrieved, averaged over the groups.

    .. math:: \frac{1}{|J|} \sum_{j \in J} \frac{f_{2j} + f_{1j}}{p_{2j} + p_{1j}}

    where J holds the judgment groups of the query; p_j counts the preferences of a group and f_j those that are
    fulfilled: of which both documents are retrieved (2) or one (1). A document that is retrieved is implied to stand
    above one that is not. A group without such preferences counts 0.

    Elsewhere:
        trec_eval: `prefs_avgjg_imp`.

    >>> judged = [("q", "ann", "a", 2), ("q", "ann", "b", 1), ("q", "ann", "c", 0)]  # a to b, a to c, b to c
    >>> judged += [("q", "bob", "a", 0), ("q", "bob", "b", 1)]  # b to a
    >>> run = {"q": {"b": 1}}
    >>> evaluate(judged, run, "prefs_avgjg_imp", relevance="qrels_prefs").mean  # ann 1 of 2, bob 1 of 1
    {'prefs_avgjg_imp': 0.75}
    """
    g = c.groups
    share = ratio(g["fulfilled"] + g["fulfilled_implied"], g["possible"] + g["possible_implied"])
    return c.mean_step("prefs_avgjg_imp", share)


@measure("prefs_avgjg_ret", **_TRAITS)
def preferences_fulfilled_by_group_among_retrieved_documents(c: PreferenceCounts) -> Floats:
    r"""The share fulfilled of a group's preferences of which both documents are retrieved, averaged over the groups.

    .. math:: \frac{1}{|J|} \sum_{j \in J} \frac{f_{2j}}{p_{2j}}

    where J holds the judgment groups of the query; p_2j counts the preferences of a group of which both documents are
    retrieved and f_2j those whose better document stands above the other one. A group without such preferences counts
    0.

    Elsewhere:
        trec_eval: `prefs_avgjg_ret`.

    >>> judged = [("q", "ann", "a", 2), ("q", "ann", "b", 1), ("q", "ann", "c", 0)]  # a to b, a to c, b to c
    >>> judged += [("q", "bob", "a", 0), ("q", "bob", "b", 1)]  # b to a
    >>> run = {"q": {"b": 3, "a": 2, "c": 1}}
    >>> evaluate(judged, run, "prefs_avgjg_ret", relevance="qrels_prefs").mean  # (2/3 + 1/1) / 2
    {'prefs_avgjg_ret': 0.8333...}
    """
    return c.mean_step("prefs_avgjg_ret", ratio(c.groups["fulfilled"], c.groups["possible"]))


@measure("prefs_avgjg_Rnonrel", **_TRAITS | {"ties": TieForm()})
def preferences_fulfilled_by_group_with_r_non_relevant_documents(c: PreferenceCounts) -> Floats:
    r"""Like prefs_avgjg, with as many non-relevant documents (level 0) in each group as there are relevant ones.

    .. math:: \frac{1}{|J|} \sum_{j \in J}
        \frac{f_{2j} + f_{1j} + r_j (R_j - N_j)}{p_{2j} + p_{1j} + p_{0j} + R_j (R_j - N_j)}

    where J holds the judgment groups of the query; p_j counts the preferences of a group and f_j those that are
    fulfilled, of which both documents are retrieved (2), one (1) or none (0); R_j is the number of relevant documents,
    r_j how many of them are retrieved, and N_j the number of the others.

    The formula is for N_j up to R_j: the missing non-relevant documents count as ranked last. Where there are more,
    only the first R_j of them are kept, and every document of the group is compared with these, as trec_eval does. A
    query scores 0 if one of its groups leaves no preference.

    Elsewhere:
        trec_eval: `prefs_avgjg_Rnonrel`.

    >>> judged = [("q", "ann", "a", 2), ("q", "ann", "b", 1), ("q", "ann", "c", 0)]
    >>> run = {"q": {"b": 2, "c": 1}}
    >>> # b to c is fulfilled, a to b and a to c fail; R = 2, N = 1, r = 1: (1 + 0 + 1) / (1 + 2 + 2)
    >>> evaluate(judged, run, "prefs_avgjg_Rnonrel", relevance="qrels_prefs").mean
    {'prefs_avgjg_Rnonrel': 0.4}
    """
    return _mean_or_nothing(c, "prefs_avgjg_Rnonrel", c.groups["fulfilled_among_r"], c.groups["possible_among_r"])


@measure("prefs_avgjg_Rnonrel_ret", **_TRAITS | {"ties": TieForm()})
def preferences_fulfilled_by_group_with_r_retrieved_non_relevant_documents(c: PreferenceCounts) -> Floats:
    r"""Like prefs_avgjg_Rnonrel, over the retrieved documents alone.

    .. math:: \frac{1}{|J|} \sum_{j \in J} \frac{f_{2j} + r_j (r_j - n_j)}{p_{2j} + R_j (r_j - n_j)}

    where J holds the judgment groups of the query; p_2j counts the preferences of a group of which both documents are
    retrieved and f_2j those whose better document stands above the other one; R_j is the number of relevant documents,
    r_j how many of them are retrieved, and n_j how many of the others are.

    The formula is for n_j up to r_j; the factor R_j below the line is trec_eval's. Where there are more non-relevant
    documents, only the first r_j of them are kept, and every document of the group that is retrieved is compared with
    these. A query scores 0 if one of its groups leaves no preference.

    Elsewhere:
        trec_eval: `prefs_avgjg_Rnonrel_ret`.

    >>> judged = [("q", "ann", "a", 2), ("q", "ann", "b", 1), ("q", "ann", "c", 0)]
    >>> run = {"q": {"a": 2, "b": 1}}
    >>> # a to b is fulfilled; R = r = 2, n = 0: (1 + 2 · 2) / (1 + 2 · 2)
    >>> evaluate(judged, run, "prefs_avgjg_Rnonrel_ret", relevance="qrels_prefs").mean
    {'prefs_avgjg_Rnonrel_ret': 1.0}
    """
    fulfilled, possible = c.groups["fulfilled_among_r_retrieved"], c.groups["possible_among_r_retrieved"]
    return _mean_or_nothing(c, "prefs_avgjg_Rnonrel_ret", fulfilled, possible)


def _mean_or_nothing(c: PreferenceCounts, name: str, fulfilled: Floats, possible: Floats) -> Floats:
    empty = np.bincount(c.query[possible == 0], minlength=len(c)) > 0
    share = np.where(empty[c.query], 0.0, ratio(fulfilled, possible))
    return c.mean_step(name, share)
