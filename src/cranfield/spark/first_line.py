"""What a failure says of itself, without what stands around it in Java or Python."""

from __future__ import annotations

import re

_PREAMBLE = re.compile(r"An error occurred while calling|An exception was thrown from the Python worker")
_CLASS = re.compile(r"^(?:: )?(?:[a-z]\w*\.)*[A-Z][\w$]*(?:Exception|Error)(?: exitCode=\d+)?: ")
_NOT_THERE = re.compile(r"^(?:: )?(?:[a-z]\w*\.)*(?:FileNotFound|NoSuchFile)Exception: (\S+)$")
_RAISED = re.compile(r"^(?:\w+\.)*\w+(?:Error|Exception): .+$", re.MULTILINE)


def first_line(said: str) -> str:
    """The line that tells it.

    >>> first_line(
    ...     "An error occurred while calling o1.parquet.\\n: java.lang.RuntimeException: no luck\\n\\tat A.java:5"
    ... )
    'no luck'
    >>> first_line("java.io.FileNotFoundException: /there.tar.gz")
    '/there.tar.gz: there is no such file'
    """
    lines = [line.strip() for line in said.split("\n") if line.strip()]
    if "Traceback (most recent call last):" in said:
        lines = _RAISED.findall(said) or lines
    first = next((line for line in lines if not _PREAMBLE.search(line)), "nothing was said of it")
    return _CLASS.sub("", _NOT_THERE.sub(r"\1: there is no such file", first))
