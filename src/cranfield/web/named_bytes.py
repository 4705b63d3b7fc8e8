"""A file that somebody sent, under the name that they gave it."""

from __future__ import annotations

import io


class NamedBytes(io.BytesIO):
    """Bytes as a file of a name, which is what messages about it call it."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name
