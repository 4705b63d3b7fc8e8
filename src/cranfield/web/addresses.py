"""Where people find the application: what links begin with."""

from __future__ import annotations

import os
from ipaddress import ip_address
from urllib.parse import urlsplit

from cranfield.formats.writing import writing
from cranfield.web import instance

HOST, PORT = "127.0.0.1", 8000
EVERYWHERE = frozenset({"0.0.0.0", "::"})
VARIABLE = "CRANFIELD_ADDRESS"
"""The variable that says where people find it, if that does not follow from the others."""
FILE = "address"
"""The file that has where the last server was, in the folder of the installation."""


def public_address(host: str = HOST, port: int = PORT) -> str:
    """Where people find a server that listens here: as the operator says, by its name, or where it listens."""
    if told := os.environ.get(VARIABLE):
        return told.rstrip("/") + "/"
    named = next((name for name in names() if not name.startswith((".", "*"))), None)
    if behind_tls() and named:
        return f"https://{named}/"
    if named and not is_local(host):
        return f"http://{named}:{port}/"
    return f"http://{'localhost' if host in EVERYWHERE else in_address(host)}:{port}/"


def known_address() -> str:
    """Where people find the application, for those who do not serve it: as settings say, or where it was last."""
    remembered = instance.folder() / FILE
    if os.environ.get(VARIABLE) or (behind_tls() and names()) or not remembered.is_file():
        return public_address()
    return remembered.read_text().strip()


def remember(address: str) -> None:
    """Keep where the server is, for commands that print links."""
    with writing(instance.folder() / FILE) as out:
        out.write(f"{address}\n".encode())


def names() -> list[str]:
    """What the application goes by on the network."""
    return os.environ.get("CRANFIELD_HOSTS", "").split()


def behind_tls() -> bool:
    """Whether a proxy that speaks TLS stands before it."""
    return os.environ.get("CRANFIELD_TLS") == "1"


def speaks_plainly(host: str) -> bool:
    """Whether a server that listens here speaks to the network without TLS."""
    return not is_local(host) and not behind_tls()


def in_address(host: str) -> str:
    """A host as addresses have it."""
    return f"[{host}]" if ":" in host else host


def is_local(host: str) -> bool:
    """Whether a host, or that of an address, is this machine and seen from nowhere else.

    >>> is_local("http://localhost:8000/"), is_local("127.0.0.1"), is_local("http://[::1]/"), is_local("teamhost")
    (True, True, True, False)
    """
    name = (urlsplit(host).hostname or "") if "//" in host else host
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
