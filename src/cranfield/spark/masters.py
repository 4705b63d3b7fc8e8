"""Names of masters: what they say, and whether a master answers there."""

from __future__ import annotations

import re
import socket

from cranfield.errors import ClusterError, UsageError

HERE = "local[*]"
"""The master that is this machine, with all its cores."""
_KNOWN = re.compile(
    r"local(?:\[(?:\*|\d+)(?:, *\d+)?\])?|spark://[^,/:]+:\d+(?:,[^,/:]+:\d+)*|yarn|k8s://.+|local-cluster\[.+\]"
)
_SECONDS = 5.0


def addresses(master: str) -> list[tuple[str, int]]:
    """The hosts and ports of a standalone master, of which several may stand by; nothing for any other.

    >>> addresses("spark://one:7077,two:7077")
    [('one', 7077), ('two', 7077)]
    >>> addresses("yarn")
    []
    """
    if not master.startswith("spark://"):
        return []
    pairs = (place.rpartition(":") for place in master.removeprefix("spark://").split(","))
    return [(host, int(port)) for host, _, port in pairs]


def check(master: str) -> None:
    """An error if this cannot be the name of a master.

    >>> check("spark://host")
    Traceback (most recent call last):
    cranfield.errors.UsageError: master 'spark://host': expected spark://host:7077, yarn, k8s://..., or local[4]
    """
    if not _KNOWN.fullmatch(master):
        raise UsageError(f"master {master!r}: expected spark://host:7077, yarn, k8s://..., or local[4]")


def on_this_machine(master: str) -> bool:
    """Whether all workers share this machine."""
    hosts = [host for host, _ in addresses(master)]
    return master.startswith("local") or bool(hosts and all(host in {"127.0.0.1", "localhost"} for host in hosts))


def reach(master: str) -> None:
    """An error at once where no master listens: Spark itself would try for minutes."""
    tried = list[str]()
    for host, port in addresses(master):
        try:
            socket.create_connection((host, port), timeout=_SECONDS).close()
        except OSError as error:
            tried.append(f"{host}:{port}: {error.strerror or error}")
        else:
            return
    if tried:
        raise ClusterError(
            f"{master}: no master answers there ({'; '.join(tried)}). Is it started, and is this its address? "
            "`cranfield spark doctor` checks all that is needed"
        )
