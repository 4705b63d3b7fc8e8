"""What is in the templates themselves."""

from __future__ import annotations

import re
from pathlib import Path

import cranfield.web

TEMPLATES = Path(cranfield.web.__file__).parent / "templates"


def test_no_template_goes_through_a_dictionary() -> None:
    """In a template `fields.items` is the field called items where there is one: views pass pairs."""
    files = sorted(TEMPLATES.rglob("*.html"))
    assert files
    found = [
        f"{file.relative_to(TEMPLATES)}: {loop}"
        for file in files
        for loop in re.findall(r"{%\s*for\s[^%]*\.(?:items|keys|values)\b[^%]*%}", file.read_text())
    ]
    assert found == []
