"""What a profile is made of: rules on which evaluation tools differ, each with words for what a tool does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.measures.registry import Measure

Missing = Literal["zero", "skip", "error"]
Ties = Literal["document-down", "document-up", "given", "rank", "any"]

GIVEN = ...
"""In `Offer.cases`: whatever value a parameter has, if it has one."""


class Rule(NamedTuple):
    """A choice that a tool has made: its name, the field of `Profile` that has it, and words for its values."""

    name: str
    field: str
    words: Mapping[Any, str]
    otherwise: str = "{}"
    """How a value without words of its own is shown."""

    def in_words(self, profile: Profile) -> str:
        """What the tool does.

        >>> Rule("score type", "single_precision", {False: "double"}).in_words(Profile("cranfield"))
        'double'
        """
        value = getattr(profile, self.field)
        return self.words[value] if value in self.words else self.otherwise.format(value)


class Offer(NamedTuple):
    """What a tool makes of a measure."""

    parameters: Mapping[str, Any] = {}
    """The values it gives to parameters of which the name of the measure says nothing."""
    rules: Mapping[str, Any] = {}
    """Fields of `Profile` that are others for this measure."""
    cases: tuple[tuple[str, Any, Mapping[str, Any]], ...] = ()
    """The same where a parameter has a value (GIVEN: any)."""
    needs: tuple[str, ...] = ()
    """Parameters that must be named."""
    checked: bool = True
    """Whether judgments are checked for what the measure needs; if not, grades count as they are."""

    def rules_for(self, measure: Measure) -> dict[str, Any]:
        """The fields of `Profile` that are others for a measure with these parameters."""
        rules = dict(self.rules)
        for parameter, wanted, more in self.cases:
            value = measure.parameters[parameter]
            if value == wanted or (wanted is GIVEN and value is not None):
                rules.update(more)
        return rules


class Profile(NamedTuple):
    """What a tool does where the definition of a measure leaves room."""

    name: str
    tool: str = "Cranfield"
    """What the tool is called in a sentence."""
    single_precision: bool = False
    """Whether scores are compared as 32-bit floats, so that 100.00000001 ties with 100.0."""
    ties: Ties = "document-down"
    """In what order documents of the same score stand; with `rank` the rank column decides and not the score."""
    missing: Missing = "zero"
    """A judged topic the run lacks: scored zero, left out of the mean, or an error."""
    missing_if_complete: Missing = "zero"
    """The same where all judged topics are asked for (-c)."""
    complete_by: str = "-c (complete=True)"
    """How all judged topics are asked for where the tool would stop."""
    lists_missing: bool = True
    """Whether a topic the run lacks has lines of its own among the topics."""
    without_relevant: Missing = "zero"
    """A topic without relevant documents, likewise."""
    negative: Literal["unjudged", "not relevant"] = "unjudged"
    """What a negative grade means: pooled and not judged, or not relevant."""
    drops_own: bool = False
    """Whether a document that has the identifier of the topic is dropped from its list."""
    level_for_all: bool = False
    """Whether grades below the level of relevance (-l) are 0 for graded measures too."""
    recall_rounding: Literal["ceil", "add-0.9", "nearest"] = "ceil"
    """How many documents a recall level of a fractional number of relevant documents asks for."""
    unretrieved: Literal["last", "scored 0"] = "last"
    """Where documents that are not retrieved stand in the ideal ranking of Compat: among those of their grade the last,
    or as if they had a score of 0."""
    beta_is_squared: bool = False
    """Whether the beta of SetF is taken for its square."""
    depth: int | None = None
    """How many documents of a topic are looked at."""
    topic_places: int | None = None
    """To how many decimal places the value of a topic is rounded before the mean is taken."""
    places: int | None = None
    """To how many decimal places the mean is printed."""
    whole_grades: bool = False
    """Whether grades must be whole numbers."""
    least_grade: float | None = None
    """The lowest grade it takes."""
    highest_grade: float | None = None
    """The highest grade it takes."""
    lacks: frozenset[str] = frozenset()
    """Names in trec_eval's measure sets that this version does not have."""
    offers: Mapping[str, Offer] = {}
    """What it makes of measures, by their names."""
    no_others: bool = False
    """Whether these are all the measures it has."""

    @property
    def plain(self) -> bool:
        """Whether it is as the default profile but for score type, missing topics, recall levels and printed places."""
        default = Profile._field_defaults
        return all(getattr(self, field) == default[field] for field in _OWN_RANKINGS)

    @property
    def rules(self) -> dict[str, str]:
        """Every rule with what it is here, in words."""
        return {rule.name: rule.in_words(self) for rule in RULES}

    def offer(self, measure: Measure) -> Offer:
        """What it makes of a measure; UsageError if it does not have it, or needs more said about it."""
        offer = self.offers.get(measure.name)
        if offer is None:
            if self.no_others:
                raise UsageError(f"{self.tool} has no {measure.name}; it has {', '.join(self.offers)}")
            return Offer()
        for parameter in offer.needs:
            if parameter not in measure.said:
                kind = measure.definition.parameters[parameter].kind
                example = measure(**{parameter: 10 if parameter == measure.definition.at else kind.example()})
                raise UsageError(f"{self.tool} needs {parameter} for {measure.name}, as in {example}")
        return offer

    def adapt(self, measure: Measure) -> Measure:
        """The measure with the parameters it has in this tool, where its name does not say otherwise."""
        defaults = self.offer(measure).parameters
        return measure(**{name: value for name, value in defaults.items() if name not in measure.said})

    def for_measure(self, measure: Measure) -> Profile:
        """The rules for a measure, as `adapt` has it."""
        return self._replace(**self.offer(measure).rules_for(measure))

    def exceptions(self, measure: Measure) -> dict[str, str]:
        """The rules that are others for a measure, in words."""
        return {name: words for name, words in self.for_measure(measure).rules.items() if words != self.rules[name]}

    def to_dict(self, measures: Iterable[Measure] = ()) -> dict[str, Any]:
        """The name and every rule in words, for JSON; and the rules that are others for some of these measures."""
        others = {str(measure): self.exceptions(measure) for measure in measures}
        exceptions = {name: rules for name, rules in others.items() if rules}
        return {"name": self.name, "rules": self.rules, **({"exceptions": exceptions} if exceptions else {})}


_OWN_RANKINGS = (
    *("ties", "without_relevant", "negative", "drops_own", "level_for_all", "unretrieved", "beta_is_squared", "depth"),
    "topic_places",
)
_TOPICS = {"zero": "score 0", "skip": "left out", "error": "an error"}
_PLACES = {None: "not rounded"}

SCORE_TYPE = Rule("score type", "single_precision", {False: "double", True: "32-bit float"})
TIES = Rule(
    "ties",
    "ties",
    {
        "document-down": "by document, last first",
        "document-up": "by document, first first",
        "given": "as in the file",
        "rank": "the rank column decides",
        "any": "as its sort leaves them, here as in the file",
    },
)
MISSING = Rule("missing topics", "missing", _TOPICS)
MEAN_PLACES = Rule("rounding", "places", _PLACES, "{} places")

RULES = (
    SCORE_TYPE,
    TIES,
    MISSING,
    Rule("missing topics, all asked for", "missing_if_complete", _TOPICS),
    Rule("topics without relevant documents", "without_relevant", _TOPICS),
    Rule("negative grades", "negative", {"unjudged": "pooled, not judged", "not relevant": "not relevant"}),
    Rule("a document named like its topic", "drops_own", {False: "counts", True: "dropped"}),
    Rule("level of relevance", "level_for_all", {False: "for binary measures", True: "for all measures"}),
    Rule(
        "recall levels",
        "recall_rounding",
        {"ceil": "rounded up", "add-0.9": "0.9 added, cut off", "nearest": "rounded to the nearest"},
    ),
    Rule("unretrieved documents in Compat", "unretrieved", {"last": "last", "scored 0": "as if scored 0"}),
    Rule("beta of SetF", "beta_is_squared", {False: "beta", True: "taken for its square"}),
    Rule("depth", "depth", {None: "all documents"}, "{} documents"),
    Rule("rounding by topic", "topic_places", _PLACES, "{} places"),
    MEAN_PLACES,
    Rule("grades", "whole_grades", {False: "any number", True: "whole numbers"}),
    Rule("lowest grade", "least_grade", {None: "any"}, "{:g}"),
    Rule("highest grade", "highest_grade", {None: "any"}, "{:g}"),
)
"""All the rules, in the order in which they are shown."""
