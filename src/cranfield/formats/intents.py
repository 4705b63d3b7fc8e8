"""How likely each subtopic of a query is meant: lines of `query subtopic probability`.

NTCIREVAL has such files; what follows the probability there (informational or navigational) is ignored.
"""

from __future__ import annotations

from cranfield.data.strings import decode
from cranfield.data.values import shown
from cranfield.errors import FormatError
from cranfield.formats.files import Readable, open_source
from cranfield.formats.lines import Layout, empty, iter_blocks
from cranfield.formats.numbers import parse_number


def _check(fields: list[bytes]) -> str | None:
    probability = parse_number(fields[2])
    if probability is None or probability <= 0:
        return f"probability {shown(fields[2])} is not a number above 0"
    return None


LAYOUT = Layout(("query", "subtopic", "probability"), _check, more=True)


def read_intents(what: Readable) -> dict[str, dict[str, float]]:
    """Probabilities by query and subtopic.

    >>> import io
    >>> read_intents(io.StringIO("q1 bird 0.25\\nq1 film 0.75\\n"))
    {'q1': {'bird': 0.25, 'film': 0.75}}
    """
    intents: dict[str, dict[str, float]] = {}
    with open_source(what) as source:
        for block in iter_blocks(source, LAYOUT):
            for row, fields in enumerate(zip(*(column.tolist() for column in block.columns), strict=True)):
                problem = _check(list(fields))
                query, subtopic, probability = fields
                of_query = intents.setdefault(decode(query), {})
                if decode(subtopic) in of_query:
                    problem = f"subtopic {shown(subtopic)} of query {shown(query)} has a probability already"
                if problem is not None:
                    raise FormatError(problem, source=source.name, line=block.line_of(row))
                of_query[decode(subtopic)] = float(probability)
        if not intents:
            raise empty(source.name, LAYOUT)
    return intents
