"""Writing `RUN.provenance.json`: what a run was made of, beside the run itself."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.evaluation.provenance.beside_run import SCHEMA, provenance_file
from cranfield.evaluation.provenance.fingerprints import of_file
from cranfield.evaluation.provenance.record import package_version, utc_time
from cranfield.formats.writing import writing


def write_provenance(run: str | os.PathLike[str], content: Mapping[str, Any]) -> Path | None:
    """Write beside a run file what it was made of, with its hash; None where the run is no file that stays."""
    if os.fspath(run) == "-" or not Path(run).is_file():
        return None
    fingerprint, _ = of_file(os.fspath(run))
    record = {
        "run": {"file": Path(run).name, "bytes": fingerprint.bytes, "sha256": fingerprint.sha256},
        **content,
        "time": utc_time(time.time()),
        "versions": {
            "cranfield": package_version(),
            "python": platform.python_version(),
            **content.get("versions", {}),
        },
        "platform": f"{sys.platform} {platform.machine()}",
    }
    target = provenance_file(run)
    with writing(target) as out:
        out.write(SCHEMA.text(record).encode("utf-8", "backslashreplace"))
    return target
