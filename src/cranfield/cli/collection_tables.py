"""Collections in numbers and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cranfield.cli.tables import wrapped
from cranfield.data.collection import Collection
from cranfield.evaluation.collection_checks import CollectionChecks
from cranfield.evaluation.collection_statistics import CollectionStatistics, JudgmentStatistics, Lengths

_FEW = 5
Cells = dict[str, str]


def rows(found: Sequence[CollectionStatistics], *, exact: bool) -> tuple[list[str], list[list[str]]]:
    """A row for each number, a column for each collection; `exact` for programs, rounded for people."""
    columns = [_column(one, exact) for one in found]
    names: list[str] = []
    for column in columns:  # what only a later collection has stands where it stands there
        before = 0
        for name in column:
            if name not in names:
                names.insert(before, name)
            before = names.index(name) + 1
    return ["", *(one.name for one in found)], [[name, *(column.get(name, "") for column in columns)] for name in names]


def _column(one: CollectionStatistics, exact: bool) -> Cells:
    cells = {"domain": one.domain} if one.domain else {}
    cells["documents"] = str(one.documents.count)
    cells |= {"bytes": str(one.documents.bytes)} if exact else {"size of the texts": size(one.documents.bytes)}
    cells |= _lengths("words per document", one.documents.words, exact)
    if len(one.documents.fields) > 1:
        for name, lengths in one.documents.fields.items():
            cells |= _lengths(f"words per {name}", lengths, exact, median=exact)
    if one.topics is not None:
        cells["topics"] = str(one.topics.count)
        for name, lengths in one.topics.fields.items():
            cells |= _lengths(f"words per {name} of topics", lengths, exact, median=False)
    return cells | (_judgments(one.judgments, exact) if one.judgments is not None else {})


def _lengths(name: str, lengths: Lengths, exact: bool, *, median: bool = True) -> Cells:
    if not median:
        return {f"{name}, mean": _number(lengths.mean, exact)}
    return {f"{name}, mean": _number(lengths.mean, exact), f"{name}, median": _number(lengths.median, exact)}


def _judgments(found: JudgmentStatistics, exact: bool) -> Cells:
    return {
        "topics with judgments": str(found.topics),
        "judgments": str(found.count),
        **({"judgments below 0: not judged": str(found.negative)} if found.negative else {}),
        "judgments per topic": _number(found.per_topic, exact),
        "relevant": str(found.relevant),
        "relevant per topic": _number(found.relevant_per_topic, exact),
        "grades": ", ".join(found.grades),
        "graded": "yes" if found.graded else "no",
    }


def _number(value: float, exact: bool) -> str:
    return repr(value) if exact else f"{value:.1f}"


def size(count: int) -> str:
    """Bytes for people.

    >>> size(999), size(1_684_117), size(426_000_000_000)
    ('999 B', '1.7 MB', '426.0 GB')
    """
    if count < 1000:
        return f"{count} B"
    units = ("kB", "MB", "GB", "TB")
    power = next((power for power in range(1, len(units)) if count < 999.95 * 1000**power), len(units))
    return f"{count / 1000**power:.1f} {units[power - 1]}"


def markdown(header: Sequence[str], table: Sequence[Sequence[str]]) -> Iterator[str]:
    """The same as a table in Markdown."""
    yield f"| {' | '.join(header)} |"
    yield f"|{'|'.join(['---', *['---:'] * (len(header) - 1)])}|"
    for cells in table:
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def shown_collection(collection: Collection) -> list[str]:
    """What it is made of."""
    lines = [f"{collection.name}: {collection.domain}" if collection.domain else collection.name]
    lines.append(f"  documents  {collection.count:>8}  sha256 {collection.sha256}")
    if collection.topics is not None:
        fields = ", ".join(collection.topics.field_names)
        lines.append(f"  topics     {len(collection.topics):>8}  sha256 {collection.topics.sha256} ({fields})")
    if collection.qrels is not None:
        lines.append(f"  judgments  {len(collection.qrels):>8}  for {len(collection.qrels.query_ids)} topics")
    for note in collection.notes:
        lines += wrapped(note, "  ")
    return lines


def check_lines(checks: CollectionChecks) -> list[str]:
    """What does not fit, in words."""
    unknown = [f"{topic}: {', '.join(found)}" for topic, found in checks.unknown_words.items()]
    found: Mapping[str, Sequence[str]] = {
        "topics without a word to search for": checks.empty,
        "topics of which no word occurs in any document": checks.foreign,
        "topics with words that occur in no document": unknown,
        "topics without judgments": checks.unjudged,
        "judged topics with nothing relevant": checks.nothing_relevant,
        "judged topics that are not among the topics": checks.absent_topics,
        "judged documents that are not among the documents": checks.absent_documents,
    }
    lines = []
    for what, names in found.items():
        if names:
            between = "; " if names is unknown else ", "
            more = f"{between}..." if len(names) > _FEW else ""
            lines.append(f"{what} ({len(names)}): {between.join(names[:_FEW])}{more}")
    return lines or ["The topics fit the documents and the judgments."]
