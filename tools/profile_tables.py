"""Write the tables of docs/profiles.md from the profiles themselves; the text around them is written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cranfield.measures import Measure
from cranfield.measures.profile_rules import GIVEN, RULES, Offer, Profile
from cranfield.measures.profiles import PROFILES

PAGE = Path(__file__).parent.parent / "docs" / "profiles.md"
COMMAND = "python tools/profile_tables.py"
_BEGIN, _END = "<!-- made by tools/profile_tables.py: {} -->", "<!-- end -->"


def page(text: str) -> str:
    """The text of the page with its tables as they should be."""
    for name, lines in (("rules", _rules()), ("measures", _measures())):
        before, begin, rest = text.partition(_BEGIN.format(name) + "\n")
        _, end, after = rest.partition(_END)
        assert begin, f"{PAGE.name} has no place for {name}"
        assert end, f"{PAGE.name} has no end of {name}"
        text = before + begin + "\n".join(["", *lines, ""]) + "\n" + end + after
    return text


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rules() -> Iterator[str]:
    """A row for each rule, a column for each profile."""
    yield _row(["rule", *(f"`{name}`" for name in PROFILES)])
    yield _row(["---"] * (len(PROFILES) + 1))
    for rule in RULES:
        yield _row([rule.name, *(rule.in_words(profile) for profile in PROFILES.values())])


def _measures() -> Iterator[str]:
    """A row for each tool that has but some measures: which, with what parameters, and which rules are others."""
    yield _row(["profile", "measure", "parameters, unless its name says otherwise", "other rules"])
    yield _row(["---"] * 4)
    for profile in PROFILES.values():
        plain = [name for name, offer in profile.offers.items() if offer == Offer()]
        for name, offer in profile.offers.items():
            if name not in plain:
                yield _row([f"`{profile.name}`", f"`{name}`", _parameters(name, offer), _others(profile, offer)])
        if plain:
            yield _row([f"`{profile.name}`", ", ".join(f"`{name}`" for name in plain), "", ""])


def _parameters(name: str, offer: Offer) -> str:
    kinds = Measure(name).definition.parameters
    said = [f"{key}={kinds[key].kind.show(value)}" for key, value in offer.parameters.items()]
    said += [f"{key} must be given" for key in offer.needs]
    return ", ".join([*said, *([] if offer.checked else ["grades as they are"])])


def _others(profile: Profile, offer: Offer) -> str:
    said = [_words(profile, dict(offer.rules))] if offer.rules else []
    for parameter, value, rules in offer.cases:
        when = f"with a {parameter}" if value is GIVEN else f"with {parameter}={value}"
        said.append(f"{when}: {_words(profile, dict(rules))}")
    return "; ".join(said)


def _words(profile: Profile, changes: dict[str, object]) -> str:
    changed = profile._replace(**changes)  # type: ignore[arg-type]
    return "; ".join(
        f"{rule.name}: {rule.in_words(changed)}" for rule in RULES if rule.in_words(changed) != rule.in_words(profile)
    )


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
