"""Two-way analysis of variance: how much of the scores is due to the topics, and how much to the systems."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cranfield.data.strings import Floats
from cranfield.stats.many_systems.score_matrix import FEW_SYSTEMS, ManyScores, named_scores
from cranfield.stats.significance.differences import FEW_TOPICS, ROUNDING
from cranfield.stats.significance.outcome import as_json
from cranfield.stats.wording import how_often, number, p_value

NO_RESIDUAL = "the residual variance is zero: on every topic the systems differ by the same amounts"


@dataclass(frozen=True)
class Effect:
    """What one of the two factors, systems or topics, does to the scores. What is not defined is nan."""

    sum_of_squares: float
    df: int
    """Degrees of freedom."""
    mean_square: float
    F: float
    p: float
    """The probability of an F at least this large if the factor made no difference."""
    partial_eta_squared: float
    """The factor's share of what is left when the other factor is taken out: SS / (SS + SS of the residual)."""
    omega_squared: float
    """The factor's share of the whole variance, without the bias of a small sample; may be below 0 where F < 1."""


@dataclass(frozen=True)
class TwoWayAnova:
    """The table of a two-way analysis of variance without replication."""

    system: Effect
    topic: Effect
    residual_sum_of_squares: float
    residual_df: int
    residual_mean_square: float
    topics: int
    systems: int
    mean: float
    """Of all scores."""
    undefined: str | None = None
    """Why there is no F, if there is none."""

    assumed = "the effects of topics and systems add up, and residuals are independent, normal and of equal variance"

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        systems, topics = f"system{'s' * (self.systems != 1)}", f"topic{'s' * (self.topics != 1)}"
        where = f"{self.systems} {systems} on {self.topics} {topics}"
        if self.undefined:
            return f"No analysis of variance of {where}: {self.undefined}."
        return (
            f"Systems explain {number(self.system.partial_eta_squared)} of the variance that topics leave; differences "
            f"at least this large would be seen {how_often(self.system.p)} if all systems were equal ({where}, two-way "
            f"ANOVA, F({self.system.df}, {self.residual_df}) = {self.system.F:.3f}, {p_value(self.system.p)})."
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what is not defined is None."""
        plain: dict[str, Any] = as_json(asdict(self))
        return {**plain, "assumed": self.assumed, "sentence": self.sentence}


def two_way_anova(scores: ManyScores) -> TwoWayAnova:
    r"""Do the systems differ at all, once it is allowed for that some topics are harder than others?

    .. math:: x_{ts} = \mu + \tau_t + \alpha_s + \varepsilon_{ts}, \qquad
        F = \frac{SS_{\mathrm{system}} / (k - 1)}{SS_{\mathrm{residual}} / ((n - 1)(k - 1))}

    `scores` are topics x systems (n topics, k systems), or the scores of each system by name; one score for each topic
    and system, so that the interaction of the two cannot be told from noise. Effect sizes are partial eta squared and
    omega squared,

    .. math:: \eta_p^2 = \frac{SS}{SS + SS_{\mathrm{residual}}}, \qquad
        \omega^2 = \frac{SS - df \cdot MS_{\mathrm{residual}}}{SS_{\mathrm{total}} + MS_{\mathrm{residual}}}

    A significant F says that some systems differ, not which: see `tukey_hsd`. With two systems F is the square of the
    paired t. Not defined for fewer than two topics or systems, nor where the residual variance is zero.

    J. M. Tague-Sutcliffe, J. Blustein. A statistical analysis of the TREC-3 data. TREC-3, 1994.

    >>> table = two_way_anova([[1, 2], [3, 5], [2, 2]])  # means of systems 2 and 3, of topics 1.5, 4 and 2; of all 2.5
    >>> table.system.sum_of_squares, table.topic.sum_of_squares  # 3 · (.5² + .5²), 2 · (1² + 1.5² + .5²)
    (1.5, 7.0)
    >>> table.residual_sum_of_squares, table.system.F  # all squares are 9.5; F = (1.5 / 1) / (1 / 2)
    (1.0, 3.0)
    >>> round(table.system.p, 4), table.system.partial_eta_squared  # 1.5 / 2.5
    (0.2254, 0.6)
    """
    from scipy.special import fdtrc

    _, matrix = named_scores(scores)
    n, k = matrix.shape
    if not matrix.size:
        nothing = Effect(0.0, 0, *[np.nan] * 5)
        reason = FEW_SYSTEMS if k < 2 else FEW_TOPICS
        return TwoWayAnova(nothing, nothing, 0.0, 0, np.nan, n, k, np.nan, reason)
    mean = matrix.mean()
    by_system, by_topic, residual = effects_and_residuals(matrix)
    df = (n - 1) * (k - 1)
    error = float((residual**2).sum())
    undefined = None
    if n < 2 or k < 2:
        undefined = FEW_SYSTEMS if k < 2 else FEW_TOPICS
    elif not residual.any():
        undefined = NO_RESIDUAL
    mean_square = error / df if df else np.nan
    total = float(n * (by_system**2).sum() + k * (by_topic**2).sum() + error)

    def effect(squares: float, own: int) -> Effect:
        if undefined:
            return Effect(squares, own, squares / own if own else np.nan, *[np.nan] * 4)
        F = squares / own / mean_square
        omega = (squares - own * mean_square) / (total + mean_square)
        return Effect(squares, own, squares / own, F, float(fdtrc(own, df, F)), squares / (squares + error), omega)

    return TwoWayAnova(
        system=effect(float(n * (by_system**2).sum()), k - 1),
        topic=effect(float(k * (by_topic**2).sum()), n - 1),
        residual_sum_of_squares=error,
        residual_df=df,
        residual_mean_square=mean_square,
        topics=n,
        systems=k,
        mean=float(mean),
        undefined=undefined,
    )


def effects_and_residuals(matrix: Floats) -> tuple[Floats, Floats, Floats]:
    """How far each system and each topic lies from the mean, and what of each score neither explains.

    Residuals that are nothing but rounding are zero.
    """
    mean = matrix.mean()
    by_system, by_topic = matrix.mean(axis=0) - mean, matrix.mean(axis=1) - mean
    residual = matrix - mean - by_system - by_topic[:, np.newaxis]
    noise = ROUNDING * np.abs(matrix).max()
    return by_system, by_topic, np.where((np.abs(residual) <= noise).all(), 0.0, residual)
