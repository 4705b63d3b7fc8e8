"""The application's own settings over a folder of its own, and hashing that does not take its time."""

from __future__ import annotations

import os
import tempfile

os.environ.setdefault("CRANFIELD_JUDGING", tempfile.mkdtemp(prefix="cranfield-judging-"))

from cranfield.web.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
