"""Text between tags, in one pass whose cost grows with the text and nothing else.

Python's own parser of HTML looks for the end of a tag again and again where there is none: a quarter of a megabyte of
`<p a="` takes it minutes. Here a tag is only what ends before the next `<`, and what cannot be found is sought once.
Nothing is declared, included or expanded: of the entities only those that stand for a character are known.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from html.entities import html5

_TAG = re.compile(
    r"""<(?:(!--)|!\[CDATA\[|(/?[A-Za-z][^\s<>/]*+)(?:(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+>|[^<>]*+>)|[!?][^<>]*+>)"""
)
_REFERENCE = re.compile(r"&(?:#(?:[0-9]{1,9}|[xX][0-9A-Fa-f]{1,8})|[A-Za-z][A-Za-z0-9]{1,31});")
_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})|<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_INLINE = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins"),
        *("kbd", "mark", "nobr", "q", "rb", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike", "strong"),
        *("sub", "sup", "time", "tt", "u", "var", "wbr"),
    }
)
_RAW = frozenset({"script", "style"})


def iter_tags(text: str) -> Iterator[tuple[str, str]]:
    """Each tag's name in small letters, with `/` before it where it closes, and the text between it and the one before.

    The last has no name. Comments and declarations are left out, and so is what scripts and styles hold.

    >>> list(iter_tags("One <B>two</B><!-- three --> four < five"))
    [('b', 'One '), ('/b', 'two'), ('', ' four < five')]
    """
    begin, parts = 0, list[str]()
    comments, sections = True, True
    while match := _TAG.search(text, begin):
        parts.append(text[begin : match.start()])
        begin = match.end()
        if match[1]:
            end = text.find("-->", begin) if comments else -1
            comments = end >= 0
            begin = end + 3 if comments else begin
        elif match[0] == "<![CDATA[":
            end = text.find("]]>", begin) if sections else -1
            sections = end >= 0
            parts.append(html.escape(text[begin:end], quote=False) if sections else "")
            begin = end + 3 if sections else begin
        elif match[2]:
            name = match[2].lower()
            yield name, "".join(parts)
            parts = []
            if name in _RAW and not match[0].endswith("/>"):
                closing = re.compile(f"</{name}(?=[\\s/>])", re.IGNORECASE).search(text, begin)
                begin = closing.start() if closing else len(text)
    parts.append(text[begin:])
    yield "", "".join(parts)


def separator(name: str) -> str:
    """What a tag leaves between the words around it: nothing if it is for words within a line.

    >>> separator("/sub"), separator("p")
    ('', '\\n')
    """
    return "" if name.removeprefix("/") in _INLINE else "\n"


def with_characters(text: str) -> str:
    """Character references replaced by what they stand for; other entities stay as they are.

    >>> with_characters("AT&T &amp; R&#38;D &eacute; &secret;")
    'AT&T & R&D é &secret;'
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    reference = match[0]
    return html.unescape(reference) if reference[1] == "#" or reference[1:] in html5 else reference


def declared_encoding(head: bytes) -> str | None:
    """The encoding that an XML declaration or the head of a page names.

    >>> declared_encoding(b'<?xml version="1.0" encoding="ISO-8859-1"?>')
    'ISO-8859-1'
    """
    match = _DECLARED.search(head, 0, 2048)
    return (match[1] or match[2]).decode() if match else None


def collapsed(text: str) -> str:
    """Lines without white space around their words, and no blank ones.

    >>> collapsed("  one   two \\n\\n three")
    'one two\\nthree'
    """
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
