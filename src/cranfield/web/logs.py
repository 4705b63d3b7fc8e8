"""Logs without secrets."""

from __future__ import annotations

import logging
import re

_SECRETS = re.compile(r"(/(?:join|choose-password)/|\bcranfield_|\b[Bb]earer )[^\s'\"<>]+")


class WithoutSecrets(logging.Filter):
    """Takes the secrets of links and tokens out of what is logged: who reads a log must not be able to use them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Everything is let through, the secrets aside.

        >>> record = logging.makeLogRecord({"msg": "Forbidden: %s", "args": ("/join/4AZ-secret/",)})
        >>> WithoutSecrets().filter(record), record.getMessage()
        (True, 'Forbidden: /join/…')
        """
        record.msg, record.args = _SECRETS.sub(r"\1…", record.getMessage()), ()
        return True
