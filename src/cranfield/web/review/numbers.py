"""Numbers as the pages of the review have them: a coefficient or a share with its interval, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.web.charts.dots import Dot

if TYPE_CHECKING:
    from cranfield.evaluation.assessors.checks import Share
    from cranfield.stats.agreement.coefficient import Agreement

NAMES = {
    "percent_agreement": "Percent agreement",
    "bennett_s": "Bennett's S",
    "cohen_kappa": "Cohen's kappa",
    "scott_pi": "Scott's pi",
    "fleiss_kappa": "Fleiss' kappa",
    "krippendorff_alpha": "Krippendorff's alpha",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2",
}


def agreement_row(found: Agreement, name: str) -> dict[str, Any]:
    """A coefficient as a row of a table."""
    interval = found.interval
    return {
        "name": name,
        "value": None if found.undefined else found.value,
        "lower": None if interval is None else interval.lower,
        "upper": None if interval is None else interval.upper,
        "band": found.band,
        "items": found.items,
        "why_not": found.undefined or "",
        "sentence": found.sentence,
    }


def agreement_dot(found: Agreement, name: str) -> Dot:
    row = agreement_row(found, name)
    said = f"{name}: {found.sentence}"
    return Dot(name, row["value"], row["lower"], row["upper"], row["why_not"], said)


def share_dot(found: Share) -> Dot:
    """A share of checks that were passed; of too few, the reason why there is none."""
    if found.value is None or found.interval is None:
        return Dot(found.name, None, why_not=f"{found.passed} of {found.of}: too few to say")
    said = f"{found.name}: {found.passed} of {found.of}, {found.value:.0%}"
    return Dot(found.name, found.value, found.interval.lower, found.interval.upper, said=said)
