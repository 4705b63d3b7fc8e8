"""How two searches differ, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_SHOWN = 60
"""Characters of a value that are shown."""
_HASHES = {"topics": "other topics", "collection": "other documents"}
"""What is known only by its hash, which says nothing to anyone."""


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What an earlier search had, and this one has, for each setting that is not the same.

    >>> differences({"k": 20, "parameters": {"url": "http://h/a"}}, {"k": 10, "parameters": {"url": "http://h/b"}})
    ['k 20, this search has 10', 'url "http://h/a", this search has "http://h/b"']
    >>> differences({"topics": "5feceb66", "fields": []}, {"topics": "6b86b273", "fields": ["title"]})
    ['other topics', 'fields [], this search has ["title"]']
    """
    return [
        _HASHES.get(name, f"{name} {before}, this search has {after}") for name, before, after in _changed(then, now)
    ]


def _changed(then: Mapping[str, Any], now: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str, str]]:
    """Names, and the values before and after; of tables, what differs within."""
    for name in dict.fromkeys([*then, *now]):
        before, after = then.get(name), now.get(name)
        if before == after:
            continue
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            # That a setting is one of the engine's parameters goes without saying.
            yield from _changed(before, after, "" if not above and name == "parameters" else f"{above}{name}.")
        else:
            yield f"{above}{name}", *_shown(_written(before), _written(after))


def _written(value: Any) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False)


def _shown(before: str, after: str) -> tuple[str, str]:
    """Both so far that the first difference is to be seen."""
    same = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0)
    start = max(0, same - _SHOWN // 2) if max(len(before), len(after)) > _SHOWN else 0
    return _cut(before, start), _cut(after, start)


def _cut(text: str, start: int) -> str:
    end = start + _SHOWN
    return f"{'...' if start else ''}{text[start:end]}{'...' if len(text) > end else ''}"
