"""Ask the database of known vulnerabilities (PyPI's, by pip-audit) about every package in requirements/*.txt.

The exit code is 1 if there is one, and 3 if the database did not answer: then nothing is known, which is not the same
as nothing being wrong.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LOCKS = Path(__file__).parent.parent / "requirements"
FINE, VULNERABLE, UNKNOWN = 0, 1, 3


@dataclass(frozen=True)
class Audit:
    """What is known of some packages."""

    asked: int
    found: tuple[str, ...]
    unknown: int
    """Packages of which the database said nothing."""

    @property
    def exit_code(self) -> int:
        return VULNERABLE if self.found else UNKNOWN if self.unknown or not self.asked else FINE

    def __str__(self) -> str:
        lines = [f"{len(self.found)} known vulnerabilities in {self.asked} packages.", *self.found]
        if self.unknown or not self.asked:
            lines.append(
                f"The database said nothing of {self.unknown} of them: it cannot be reached from here, or a mirror "
                "stands in its place. Of these nothing is known."
            )
        return "\n".join(lines)


def read_audit(content: dict[str, Any]) -> Audit:
    """What pip-audit says in JSON.

    >>> read_audit({"dependencies": [{"name": "soup", "skip_reason": "not found"}]}).exit_code
    3
    >>> fine = {"name": "soup", "version": "1", "vulns": []}
    >>> read_audit({"dependencies": [fine]}).exit_code
    0
    >>> bad = {"name": "stew", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"]}]}
    >>> print(read_audit({"dependencies": [fine, bad]}))
    1 known vulnerabilities in 2 packages.
    stew 2: PYSEC-1, mended in 3
    """
    packages = content["dependencies"]
    found = tuple(
        f"{one['name']} {one['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'no version yet'}"
        for one in packages
        for flaw in one.get("vulns", ())
    )
    return Audit(len(packages), found, sum("skip_reason" in one for one in packages))


def main(uv: str) -> int:
    codes = []
    for lock in sorted(LOCKS.glob("*.txt")):
        command = [uv, "tool", "run", "--quiet", "pip-audit", "--disable-pip", "--require-hashes", "--format", "json"]
        done = subprocess.run([*command, "-r", os.fspath(lock)], capture_output=True, text=True, check=False)
        try:
            audit = read_audit(json.loads(done.stdout))
        except ValueError:
            reason = (done.stderr.strip().splitlines() or ["no answer"])[-1]
            print(f"{lock.name}: pip-audit could not be run, and nothing is known: {reason}")
            codes.append(UNKNOWN)
            continue
        print(f"{lock.name}: {audit}")
        codes.append(audit.exit_code)
    return VULNERABLE if VULNERABLE in codes else max(codes, default=UNKNOWN)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
