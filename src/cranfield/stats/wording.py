"""What a test asked and what it found, in plain words.

A p-value is the probability of data at least as extreme as these if the null hypothesis holds.

Erratum: the notes reject the null hypothesis H0 if Pr(H0) < .05. The p-value is not the probability of H0; it is
Pr(data at least this extreme, given H0).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from cranfield.stats.arguments import Alternative

_MOST_DECIMALS = 12
"""Numbers that differ in none of these are the same but for the rounding of the machine."""


@dataclass(frozen=True)
class Question:
    """The words of a test: how often `event` would be seen if `null` were so.

    {new} and {baseline} stand for the systems.
    A sign test also has the numbers of topics {won} and {lost}, of those where the new system has the {higher} and the
    {lower} value, of those where the two are {unlike}, and the words for having the {high} and the {low} value.
    """

    event: str
    null: str
    above: str = "better than {baseline}"
    below: str = "worse than {baseline}"
    equal: str = "as good as {baseline} on average"
    more_is_better: bool = True

    def other_way(self) -> Question:
        """For a measure of which less is better."""
        return replace(self, above=self.below, below=self.above, more_is_better=not self.more_is_better)

    def chance(self, new: str, baseline: str, *, p: float, higher: int, lower: int) -> str:
        """How often it would be seen, given the topics on which the new system has the higher, lower value."""
        high, low = ("won", "lost") if self.more_is_better else ("lost", "won")
        words = {"new": new, "baseline": baseline, high: higher, low: lower, "higher": higher, "lower": lower}
        words |= {"high": high, "low": low, "unlike": higher + lower}
        event = self.event.format(f"be seen {how_often(p)}", **words)
        return f"{event} if {self.null.format(**words)}"


TWO_SYSTEMS: dict[Alternative, Question] = {
    "two-sided": Question("a difference at least this large, either way, would {}", "the two were equal"),
    "greater": Question("a difference at least this high would {}", "the true difference were zero or below"),
    "less": Question("a difference at least this low would {}", "the true difference were zero or above"),
}

TOPICS_WON: dict[Alternative, Question] = {
    "two-sided": Question(
        "topics split at least as unevenly as {won} won and {lost} lost, either way, would {}",
        "a topic were as likely to be won as lost",
    ),
    "greater": Question(
        "{higher} or more of {unlike} topics {high} would {}", "a topic were no more likely to be {high} than {low}"
    ),
    "less": Question(
        "{lower} or more of {unlike} topics {low} would {}", "a topic were no more likely to be {low} than {high}"
    ),
}

SIGNED_RANKS: dict[Alternative, Question] = {
    "two-sided": Question(
        "a sum of signed ranks at least this far from zero, either way, would {}",
        "the differences were symmetric about zero",
    ),
    "greater": Question(
        "a sum of signed ranks at least this high would {}", "the differences were symmetric about zero or below"
    ),
    "less": Question(
        "a sum of signed ranks at least this low would {}", "the differences were symmetric about zero or above"
    ),
}


def target_question(target: float, alternative: Alternative) -> Question:
    at = number(target)
    event, null = {
        "two-sided": ("a mean at least this far from the target would {}", f"the true mean were {at}"),
        "greater": ("a mean at least this high would {}", f"the true mean were {at} or below"),
        "less": ("a mean at least this low would {}", f"the true mean were {at} or above"),
    }[alternative]
    return Question(
        event,
        null,
        above=f"above the target of {at}",
        below=f"below the target of {at}",
        equal=f"at the target of {at}",
    )


def number(value: float, decimals: int = 3) -> str:
    """With three decimals, or two digits where that would be nothing; no zero before the point.

    >>> number(0.0314), number(-0.5), number(12), number(0.00002), number(0)
    ('.031', '-.500', '12.000', '2e-05', '.000')
    """
    half = 0.5 * 10.0**-decimals
    if value and abs(value) < half:
        return f"{value:.2g}"
    text = f"{value:.{decimals}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 - half else text


def numbers(one: float, other: float) -> tuple[str, str]:
    """Two numbers that are compared: with more decimals where it takes these to tell them apart.

    >>> numbers(0.36712, 0.36741), numbers(0.5, 0.25)
    (('.3671', '.3674'), ('.500', '.250'))
    """
    texts = ((number(one, decimals), number(other, decimals)) for decimals in range(3, _MOST_DECIMALS))
    return next((pair for pair in texts if pair[0] != pair[1]), (number(one), number(other)))


def p_value(p: float) -> str:
    """
    >>> p_value(0.0312), p_value(0.00004), p_value(1)
    ('p = .031', 'p < .001', 'p = 1.000')
    """
    return "p < .001" if p < 0.001 else f"p = {number(p)}"


def how_often(p: float) -> str:
    """A p-value as a frequency, which calls nothing rare or usual: readers see how far .053 is from .86.

    >>> how_often(0.053), how_often(0.012), how_often(0.86)
    ('5 times in 100', 'once in 100 times', '86 times in 100')
    >>> how_often(0.0042), how_often(0.0004), how_often(0.9993)
    ('4 times in 1000', 'less than once in 1000 times', 'nearly always')
    """
    if p >= 0.995:
        return "nearly always"
    if p < 0.0005:
        return "less than once in 1000 times"
    of = 100 if p >= 0.01 else 1000
    times = round(p * of)
    return f"once in {of} times" if times == 1 else f"{times} times in {of}"


def room(lower: float, upper: float, level: float, kind: str = "", *, more_is_better: bool = True) -> str:
    """What an interval leaves open, in words.

    >>> room(-0.004, 0.482, 0.95)
    'anything from .004 worse to .482 better (95 % interval)'
    >>> room(-0.004, 0.0, 0.95, "t", more_is_better=False)
    'anything from .004 better to equal (95 % t interval)'
    """

    def side(bound: float) -> str:
        return f"{number(abs(bound))} {'better' if (bound > 0) == more_is_better else 'worse'}" if bound else "equal"

    return f"anything from {side(lower)} to {side(upper)} ({interval_name(level, kind)})"


def interval_name(level: float, kind: str = "") -> str:
    """What an interval is called.

    >>> interval_name(0.95), interval_name(0.9, "BCa")
    ('95 % interval', '90 % BCa interval')
    """
    return f"{100 * level:g} % {f'{kind} ' if kind else ''}interval"


def interval(lower: float, upper: float, level: float, kind: str = "") -> str:
    """The bounds of an interval, and of what kind it is where that is not the test's own.

    >>> interval(0.01, 0.052, 0.95), interval(-0.01, math.inf, 0.95)
    ('95 % interval of the difference: .010 to .052', '95 % bound of the difference: at least -.010')
    >>> interval(0.01, 0.052, 0.95, "t")
    '95 % t interval of the difference: .010 to .052'
    """
    percent = interval_name(level, kind).removesuffix(" interval")
    if math.isinf(lower) and math.isinf(upper):
        return f"too few topics for a {percent} interval of the difference"
    if math.isinf(upper):
        return f"{percent} bound of the difference: at least {number(lower)}"
    if math.isinf(lower):
        return f"{percent} bound of the difference: at most {number(upper)}"
    return f"{percent} interval of the difference: {number(lower)} to {number(upper)}"
