"""Where pictures of documents lie: pages fetch from there, and from nowhere else."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from cranfield.web.projects.models import Project

LONGEST_ADDRESS = 2000
MOST_HOSTS = 50
"""More would not fit into the header of a page: it then says that pictures may come from anywhere."""
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?")


def host_of(address: Any) -> str | None:
    """The host of a picture that can be shown; None if it is none, or is not fetched encrypted.

    >>> host_of("https://pictures.example/soup.jpg")
    'pictures.example'
    >>> host_of("http://pictures.example/soup.jpg") is None
    True
    """
    if not isinstance(address, str) or len(address) > LONGEST_ADDRESS:
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    host = parts.netloc.lower()
    return host if parts.scheme == "https" and _HOST.fullmatch(host) else None


def picture_sources(project: Project) -> list[str]:
    """Where the pictures of a project lie, as a content security policy names it."""
    hosts: set[str] = set()
    for image in project.documents.exclude(image="").values_list("image", flat=True).iterator(chunk_size=10_000):
        if (host := host_of(image)) is not None:
            hosts.add(host)
        if len(hosts) > MOST_HOSTS:
            return ["https:"]
    return [f"https://{host}" for host in sorted(hosts)]
