"""What was in files that were read before, by the hash of their bytes: they need not be read again to be compared."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

from cranfield.data.collection import Content
from cranfield.errors import CranfieldError
from cranfield.evaluation.provenance.record import package_version
from cranfield.experiments.local_folder import local_folder
from cranfield.experiments.workspace import Workspace
from cranfield.formats.writing import writing

_MOST = 100
"""So many are kept, the last ones."""


def known_content(workspace: Workspace, key: str, read: Callable[[], Content]) -> Content:
    """The content under a key that has the hash of its bytes: as it was noted, or read and noted now."""
    known = _noted(workspace)
    if key not in known:
        content = read()
        known = dict([*known.items(), (key, [content.count, content.sha256])][-_MOST:])
        # Without a note it will be read again, which is no reason to fail.
        with contextlib.suppress(CranfieldError), writing(local_folder(workspace.state) / "contents.json") as out:
            out.write(json.dumps({"cranfield": package_version(), "contents": known}, indent=1).encode())
    count, sha256 = known[key]
    return Content(count, sha256)


def _noted(workspace: Workspace) -> dict[str, Any]:
    """What was noted by this version; another one may see other documents in the same bytes."""
    try:
        noted = json.loads((workspace.state / "contents.json").read_bytes())
        contents = noted["contents"] if noted["cranfield"] == package_version() else {}
        return {key: [int(count), str(sha256)] for key, (count, sha256) in contents.items()}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
