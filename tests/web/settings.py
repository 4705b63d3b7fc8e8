"""The application's own settings over a folder of its own, and hashing that does not take its time."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile


def remove(folder: str, made_by: int) -> None:
    """Unless this process was forked from the one that made it."""
    if os.getpid() == made_by:
        shutil.rmtree(folder, ignore_errors=True)


if "CRANFIELD_JUDGING" not in os.environ:
    os.environ["CRANFIELD_JUDGING"] = tempfile.mkdtemp(prefix="cranfield-judging-")
    atexit.register(remove, os.environ["CRANFIELD_JUDGING"], os.getpid())

from cranfield.web.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
