"""What can be odd about lines of text, whatever they hold."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Ints
from cranfield.formats.lines import Block
from cranfield.formats.validation.findings import MOST_PLACES, WARNING, Findings

_NEWLINE, _RETURN, _SPACE, _COMMENT = 10, 13, 32, 35


def examine_text(block: Block, findings: Findings) -> None:
    """Line ends, comments, and text after the last field that is looked at."""
    text = block.text
    if (text == _RETURN).any():
        _note(block, "crlf", np.flatnonzero((text[:-1] == _RETURN) & (text[1:] == _NEWLINE)), findings)
    if (text == _COMMENT).any():
        _note(block, "comments", _comments(block), findings)
    last = block.columns[-1]
    end = last.start + last.length
    unusual = end[text[end] != _NEWLINE]
    if len(unusual):
        printed = np.cumsum(text > _SPACE)
        newlines = np.flatnonzero(text == _NEWLINE)
        line_end = newlines[np.searchsorted(newlines, unusual)]
        _note(block, "trailing", unusual[printed[line_end] > printed[unusual]], findings)


def _comments(block: Block) -> Ints:
    text = block.text
    marks = np.flatnonzero(text == _COMMENT)
    before = text[marks - 1]
    first = (marks == 0) | (before == _NEWLINE)
    indented = [at for at in marks[~first & (before <= _SPACE)].tolist() if _only_blank_before(block, at)]
    return np.sort(np.concatenate((marks[first], np.array(indented, dtype=np.int64))))


def _only_blank_before(block: Block, at: int) -> bool:
    line = block.text[max(0, at - 4096) : at].tobytes()
    return not line[line.rfind(b"\n") + 1 :].strip()


def _note(block: Block, kind: str, at: Ints, findings: Findings) -> None:
    newlines = np.flatnonzero(block.text == _NEWLINE)
    lines = np.searchsorted(newlines, at[:MOST_PLACES]) + block.first_line
    findings.add(WARNING, kind, len(at), lines.tolist())
