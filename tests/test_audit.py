"""`make audit` tells what is wrong from what is not known."""

from __future__ import annotations

import doctest

from tools import audit


def test_what_the_answers_come_to() -> None:
    assert doctest.testmod(audit) == (0, 5)
    assert audit.read_audit({"dependencies": []}).exit_code == audit.UNKNOWN, "nothing was asked"
