"""What a reader is told about a measure: the parts of its docstring, its parameters and what its traits say.

`cranfield measures NAME` and the page of the measure both show this, so that they say the same.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import NamedTuple

from cranfield.measures import FAMILIES
from cranfield.measures.completion import knowledge
from cranfield.measures.formula import plain
from cranfield.measures.references import REFERENCES
from cranfield.measures.registry import REGISTRY, SMALLEST_IN_GEOMETRIC_MEAN, Definition, Measure, Parameter

_NEEDS = {
    "qrels": "judgments",
    "subtopics": "judgments by subtopic (the second column of the qrels)",
    "groups": "judgments by assessor (-R qrels_jg)",
    "preferences": "preferences (-R prefs or -R qrels_prefs)",
    "anything": "judgments or preferences",
}
_SAMPLED = {
    "pool": "judgments that list the whole pool, documents not judged with a negative grade",
    "strata": "judgments with strata",
    "chances": "judgments with strata or inclusion probabilities",
}
COMPUTED_FROM, COSTS = "Computed from", "Costs of documents"
HOLES = "If unjudged documents were judged (--residuals)"
_LEFT_OPEN = {
    "exact": "the smallest and the largest value are known",
    "outer": "bounds are known that hold but need not be reached",
    "none": "nothing is known",
}
_AGGREGATES = {
    "mean": "the mean",
    "sum": "the sum",
    "geometric": f"the geometric mean, values below {SMALLEST_IN_GEOMETRIC_MEAN:.5f} counting as that",
    "variance": "the variance of the mean, the sum divided by the square of their number",
    "error": "the standard error of the mean, the root of the sum of squares divided by their number",
    "none": "nothing, the value of each query stands alone",
}
_SAME_EVERYWHERE = {
    "rel": "The least grade that counts as relevant.",
    "cutoff": "Only the first so many documents count.",
    "judged_only": "Leave out unjudged documents before ranks are counted.",
    "documents": "The number of documents in the collection.",
    "gmax": "The highest grade there can be.",
    "value": "What is asked of the user model: the expected utility (EU), total utility (ETU), cost (EC), total cost "
    "(ETC) or depth (ED), or the residual, what unjudged documents could add to the measure; `value=all` is the six.",
}
"""Parameters that need not be explained in each docstring."""
_MOSTLY_THE_SAME = {
    "gain": "What a grade is worth.",
    "gains": "What single grades are worth; the others keep their value.",
}
"""Parameters of which a docstring may say more."""
_DEFINES = re.compile(
    r"where |The (cost|stratum|`gain`|weight) |(`(?P<parameter>\w+)`|(?P<symbol>[A-Za-z]\w{0,3})[\w*()₁, ]{0,10}) "
    r"(is|are|has|counts?|holds?) "
)
"""How a sentence begins that says what a symbol of a formula stands for."""
_TOOL = r" +[A-Za-z][^:`]{0,40}: "


class Text(NamedTuple):
    """A paragraph, on one line."""

    text: str


class Formula(NamedTuple):
    """A formula in LaTeX."""

    latex: str


@dataclass(frozen=True)
class Description:
    """The parts of a measure's docstring.

    >>> describe(REGISTRY["P"]).formulas
    ('P@k = \\\\frac{1}{k} \\\\sum_{i=1}^{k} \\\\mathrm{rel}_i',)
    """

    meaning: str
    """The first paragraph: one sentence."""
    body: tuple[Text | Formula, ...]
    """Formulas, what their symbols are, and what happens where they are undefined."""
    errata: tuple[str, ...]
    """Where something that is printed elsewhere is wrong."""
    elsewhere: tuple[tuple[str, str], ...]
    """Tools, and what they call it or do differently."""
    examples: tuple[str, ...]
    """Blocks of doctests."""

    @property
    def formulas(self) -> tuple[str, ...]:
        return tuple(part.latex for part in self.body if isinstance(part, Formula))

    @property
    def sentences(self) -> Iterator[str]:
        """The sentences of the meaning and of the paragraphs of the body."""
        for text in [self.meaning, *(part.text for part in self.body if isinstance(part, Text))]:
            yield from sentences_of(text)


def sentences_of(text: str) -> list[str]:
    """The sentences of a paragraph."""
    return re.split(r"(?<=\.) (?=[A-Z`0-9]|[a-z]_)", text)


@cache
def describe(definition: Definition) -> Description:
    """The docstring of a measure in parts."""
    blocks = re.split(r"\n\s*\n", inspect.cleandoc(definition.function.__doc__ or ""))
    body: list[Text | Formula] = []
    errata: list[str] = []
    elsewhere: list[tuple[str, str]] = []
    examples: list[str] = []
    for block in blocks[1:]:
        if block.startswith(".. math::"):
            body.append(Formula(_on_one_line(block.removeprefix(".. math::"))))
        elif block.startswith("Erratum: "):
            errata.append(_on_one_line(block.removeprefix("Erratum: ")))
        elif block.startswith("Elsewhere:"):
            elsewhere += _entries(block)
        elif block.startswith(">>> "):
            examples.append(block)
        else:
            body.append(Text(_on_one_line(block)))
    return Description(definition.meaning, tuple(body), tuple(errata), tuple(elsewhere), tuple(examples))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _entries(block: str) -> Iterator[tuple[str, str]]:
    """The `tool: text` lines of a block; any other line goes on with the one above it."""
    lines = block.partition("\n")[2]
    for entry in re.split(rf"\n(?={_TOOL})", f"\n{lines}")[1:]:
        tool, _, text = entry.partition(": ")
        yield tool.strip(), _on_one_line(text)


def families() -> dict[str, list[Definition]]:
    """The measures under the headings of `FAMILIES`."""
    return {
        heading: [REGISTRY[name] for names in modules.values() for name in names]
        for heading, modules in FAMILIES.items()
    }


def full_name(definition: Definition) -> str:
    """The words the symbol stands for, which are the name of the function; nothing if there are no such words.

    >>> full_name(REGISTRY["nDCGrel"])
    'nDCG at relevant documents'
    """
    symbols = {name.lower(): name for name in REGISTRY if name != name.capitalize()}
    words = definition.function.__name__.split("_")
    name = " ".join(symbols.get(word, word.upper() if len(word) == 1 and word != "a" else word) for word in words)
    return "" if name.lower() == definition.name.replace("_", " ").lower() else name


def title(definition: Definition) -> str:
    """The symbol and the words it stands for."""
    return ": ".join(filter(None, [definition.name, full_name(definition)]))


def symbols(measure: Measure) -> list[str]:
    """The sentences that say what the symbols of the first formula stand for, as far as they matter to the measure.

    >>> symbols(Measure("BprefUncapped"))
    ['where n_d counts the judged non-relevant documents above d.']
    """
    description = describe(measure.definition)
    groups = [list(parts) for _, parts in groupby(description.body, lambda part: isinstance(part, Formula))]
    if not groups or not isinstance(groups[0][0], Formula):
        return []
    formula = plain(groups[0][0].latex)
    behind = [part.text for group in groups[1:2] for part in group if isinstance(part, Text)]
    set_to = {name: value for name, value in measure.parameters.items() if value is not None and measure.looks_at(name)}

    def defines(sentence: str) -> bool:
        begins = _DEFINES.match(sentence)
        if begins is None or begins["parameter"]:
            return begins is not None and begins["parameter"] in set_to.keys() - {"cutoff", "rel"}
        symbol = (begins["symbol"] or "").rstrip("₁")
        return not symbol or re.search(rf"(?<![A-Za-z]){symbol}(?![A-Za-z])", formula) is not None

    return [sentence for text in behind for sentence in sentences_of(text) if defines(sentence)]


class ParameterText(NamedTuple):
    """A parameter in words."""

    name: str
    values: str
    default: str
    meaning: str


def parameter_texts(definition: Definition) -> list[ParameterText]:
    """The parameters of a measure in words; what they mean is what sentences of the docstring say that begin so."""
    return [
        ParameterText(
            p.name, p.kind.describe(), _default(p, definition), _meaning(p, definition) + _needs(p, definition)
        )
        for p in definition.parameters.values()
    ]


def _needs(parameter: Parameter, definition: Definition) -> str:
    return f" Only with {definition.needed_for(parameter.name)}." if parameter.name in definition.only_with else ""


def _meaning(parameter: Parameter, definition: Definition) -> str:
    name = parameter.name
    sentences = [sentence for sentence in describe(definition).sentences if sentence.endswith(".")]
    about_it = [sentence for sentence in sentences if re.match(rf"(With |The )?`{name}[`=]", sentence)]
    if about_it or name in _SAME_EVERYWHERE:
        return " ".join(about_it) or _SAME_EVERYWHERE[name]
    clauses = (clause for sentence in sentences for clause in sentence.split("; "))
    naming_it = next((clause for clause in clauses if re.search(rf"`{name}[`=]", clause)), None)
    if naming_it is None:
        return _MOSTLY_THE_SAME.get(name, "")
    return f"{naming_it[0].upper()}{naming_it[1:].rstrip('.')}."


def _default(parameter: Parameter, definition: Definition) -> str:
    if parameter.default is not None:
        return parameter.kind.show(parameter.default)
    if parameter.name in definition.required:
        return "none, it must be given"
    if parameter.name == "rel":
        return "the level of the evaluation (-l), 1"
    if parameter.name == definition.at and definition.at_needed:
        several = "all of " if len(definition.defaults_at) > 1 else ""
        return several + ", ".join(f"{at:g}" for at in definition.defaults_at)
    return "the whole list" if parameter.name == "cutoff" else "not set"


def properties(definition: Definition) -> list[tuple[str, str]]:
    """What the traits of a measure say, as pairs of what and how it is."""
    said = [(COMPUTED_FROM, _SAMPLED.get(definition.sampling, _NEEDS[definition.needs]))]
    if definition.costly:
        said.append((COSTS, "decide how far is read; each is 1 unless --costs says what they are"))
    if definition.aggregate != "none":
        said.append(("Values", _values(definition)))
    said.append(("Over all queries", _AGGREGATES[definition.aggregate]))
    said.append((HOLES, _left_open(definition)))
    if definition.without_run:
        return [*said, ("The run", "does not matter, the value follows from the judgments alone")]
    if definition.more_is_better is None or definition.aggregate == "none":
        return said
    best, worse = (definition.bounds[1], "less") if definition.more_is_better else (definition.bounds[0], "more")
    if math.isfinite(best):
        scores = f"scores {best:g}" if definition.perfect else f"can score {worse} than {best:g}"
        said.append(("All judged documents, best first", scores))
    if definition.fills_up:
        said.append(("A list shorter than the cutoff", "counts as filled up with documents that are not relevant"))
    swap = "never makes the value worse" if definition.improves else "can make the value worse"
    return [*said, ("Moving a better document up by one rank", swap)]


def _left_open(definition: Definition) -> str:
    """How well it is known between what values unjudged documents leave a value."""
    how, _, why = knowledge(Measure(definition.name))
    return f"{_LEFT_OPEN[how]} ({why})" if why else _LEFT_OPEN[how]


def _values(definition: Definition) -> str:
    numbers = "whole numbers " if definition.counts else ""
    better = {True: "; more is better", False: "; less is better", None: ""}[definition.more_is_better]
    return f"{numbers}{_between(*definition.bounds)}{better}"


def _between(low: float, high: float) -> str:
    match math.isfinite(low), math.isfinite(high):
        case True, True:
            return f"from {low:g} to {high:g}"
        case True, False:
            return f"from {low:g} up"
        case False, True:
            return f"up to {high:g}, without a lower bound"
    return "any number"


def references(definition: Definition) -> list[str]:
    """The works a measure comes from."""
    return [REFERENCES[name] for name in definition.cites]
