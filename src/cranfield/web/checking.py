"""Whether an installation is as it should be."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass

from cranfield.errors import CranfieldError
from cranfield.web import instance
from cranfield.web.addresses import behind_tls, is_local, known_address
from cranfield.web.loading import database_errors


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    what: str
    fine: bool
    said: str


def check_installation() -> list[Finding]:
    """Look at the folder, the key, the database, its tables, the accounts, and what Django warns of."""
    return [*_folder(), *_database(), *_settings()]


def _folder() -> Iterator[Finding]:
    folder = instance.folder()
    for what, path in (("folder", folder), ("secret key", folder / instance.KEY_FILE)):
        mode = stat.S_IMODE(path.stat().st_mode)
        said = str(path) if not mode & 0o077 else f"{path}: others can use it: chmod {mode & 0o700:o} {path}"
        yield Finding(what, not mode & 0o077, said)


def _database() -> Iterator[Finding]:
    from django.db import connection

    from cranfield.web.accounts.models import User
    from cranfield.web.schema import pending

    try:
        with database_errors():
            todo = pending()
            yield Finding("database", True, f"{connection.display_name} {connection.settings_dict['NAME']}")
            if todo:
                yield Finding("tables", False, f"{len(todo)} migrations to go: cranfield web migrate")
                return
            yield Finding("tables", True, "those of this version")
            administrators = User.objects.filter(is_administrator=True, is_active=True).count()
            said = f"{administrators}" if administrators else "none: `cranfield judge` gives a link that makes one"
            yield Finding("administrators", administrators > 0, said)
    except CranfieldError as error:
        yield Finding("database", False, str(error))


def _settings() -> Iterator[Finding]:
    """Django's own checks: those for the network only where the network is, behind TLS."""
    from django.core import checks

    tls = behind_tls()
    found = [one for one in checks.run_checks(include_deployment_checks=tls) if one.level >= checks.WARNING]
    yield from (Finding(f"settings {one.id}", False, " ".join(one.msg.split())) for one in found)
    if tls and not found:
        yield Finding("settings", True, "as they should be behind TLS")
    elif not tls and not is_local(address := known_address()):
        yield Finding("settings", False, f"no TLS at {address}: passwords and judgments can be read on the way")
    elif not found:
        yield Finding("settings", True, "for this machine alone: no TLS")
