"""The log of the demonstration: people who are made up use its systems, and its judgments say what they like."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from cranfield.logs.folder import LogFolder
from cranfield.logs.simulation.settings import Settings

LOG = "log"
"""Its folder, in that of the demonstration."""
MODEL = "dbn"
SETTINGS = Settings(sessions=3000, phrasings=3, seed=1)
SIMULATE = (
    f"logs simulate --model {MODEL} --sessions {SETTINGS.sessions} --phrasings {SETTINGS.phrasings} "
    f"--seed {SETTINGS.seed} -o {LOG}"
)
NEXT = {
    f"cranfield logs clicks {LOG}": "what do people click?",
    f"cranfield logs report {LOG} -o {LOG}.html": "all that the log says in one page",
}


def has_log(folder: Path) -> bool:
    return LogFolder(folder / LOG).exists


def room_for_log(folder: Path) -> bool:
    """Whether the log can be written; that of an earlier demonstration is removed, for runs may be others now.

    Anything else under its name is somebody's own, and stays.
    """
    target = LogFolder(folder / LOG)
    if not target.path.exists():
        return True
    if not target.exists:
        return False
    made_by = target.read().settings.get("simulation", {})
    ours = (made_by.get("model"), made_by.get("settings")) == (MODEL, json.loads(json.dumps(SETTINGS.said())))
    if ours:
        # Under another name first: half a log would pass for somebody's own.
        before = folder / f".{LOG}-before"
        shutil.rmtree(before, ignore_errors=True)
        shutil.rmtree(target.path.rename(before))
    return ours
