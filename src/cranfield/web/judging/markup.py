"""Whether a text is HTML, and which of its signs `<` begin a tag: of a text that only looks like it nothing is lost.

A tag is well-formed, with attributes that have values, and closed by another unless it needs none. A text is HTML if it
has such tags, and more of them than of what only resembles one: `if a <b and c> d` and `vector<int>` stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator


def _names(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


_EMPTY = _names("area base br col embed hr img input link meta param source track wbr")
"""Elements without an end."""
_END_LEFT_OUT = _names("body colgroup dd dt head html li optgroup option p tbody td tfoot th thead tr")
"""Elements whose end, or beginning, may be left out."""
_OTHERS = _names(
    """a abbr acronym address article aside b big blockquote button caption center cite code del details dfn div dl em
    fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header i iframe ins kbd label legend main mark nav
    noscript ol picture pre q s samp script section select small span strike strong style sub summary sup table textarea
    title tt u ul var video"""
)
_KNOWN = _EMPTY | _END_LEFT_OUT | _OTHERS
_WITHIN_HTML = frozenset({"math", "svg"})
_WITHOUT_VALUE = (
    "allowfullscreen|async|checked|compact|controls|defer|disabled|hidden|itemscope|nowrap|noshade|open|selected"
)
_ATTRIBUTE = rf"""(?:[\w:@.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>=`]+)|(?:{_WITHOUT_VALUE})(?![\w-]))"""
_TAG = re.compile(
    r"<!--(?:(?!<!--).)*?-->|<!doctype\b[^<>]*>|<\?xml\b[^<>]*>|"
    rf"<(?P<end>/?)(?P<name>[a-z][\w:-]*)(?P<attributes>(?:[\s/]+{_ATTRIBUTE})*)\s*/?>",
    re.I | re.S,
)
_RESEMBLING = re.compile(r"</?[a-z!?][^<>]*>", re.I)


def only_markup(text: str) -> str | None:
    """A text that is HTML, with the signs that begin no tag escaped; None if it is none.

    Tags that HTML does not have are left out, what is between them is not.

    >>> only_markup("if a <b and c> d, stop") is None
    True
    >>> only_markup("<p>if a <b and c> d, <b>stop</b>")
    '<p>if a &lt;b and c> d, <b>stop</b>'
    """
    tags = list(_in_earnest(list(_TAG.finditer(text))))
    if not _says_so(text, tags) or len(_RESEMBLING.findall(text)) >= 2 * len(tags):
        return None
    pieces, end = [], 0
    for tag in tags:
        pieces += [text[end : tag.start()].replace("<", "&lt;"), tag[0] if _is_known(tag) else ""]
        end = tag.end()
    return "".join([*pieces, text[end:].replace("<", "&lt;")])


def _is_known(tag: re.Match[str]) -> bool:
    return tag["name"] is not None and tag["name"].lower() in _KNOWN


def _says_so(text: str, tags: list[re.Match[str]]) -> bool:
    """Whether some tag is one that nobody writes who does not mean HTML."""
    ends = any(tag["end"] and _is_known(tag) for tag in tags)
    empty = any(tag["name"] is None or tag["name"].lower() in _EMPTY for tag in tags)
    begins = bool(tags) and not text[: tags[0].start()].strip()
    return ends or empty or begins


def _in_earnest(tags: list[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Those that are closed, close one, or need not be."""
    open_tags: dict[str, list[int]] = {}
    paired = set()
    for place, tag in enumerate(tags):
        name = (tag["name"] or "").lower()
        if name and not tag["end"]:
            open_tags.setdefault(name, []).append(place)
        elif name and open_tags.get(name):
            paired |= {open_tags[name].pop(), place}
    for place, tag in enumerate(tags):
        name = (tag["name"] or "").lower()
        alone = name in _EMPTY | _END_LEFT_OUT or (name in _KNOWN | _WITHIN_HTML and tag["attributes"])
        if not name or place in paired or alone:
            yield tag
