"""Logins that fail slow down further ones: by the same name from the same address, by name, and by address.

Somebody who guesses passwords is stopped by the first limit at one address and by the second at many; the second is
higher, because whoever knows a name can use it up and keep its owner out for a while.
"""

from __future__ import annotations

import math
import unicodedata
from datetime import datetime

from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from cranfield.web.accounts.models import FailedLogin

BY_NAME_AND_ADDRESS = 10
BY_NAME = 50
BY_ADDRESS = 100


class TooManyFailuresError(Exception):
    """Another login has to wait so many minutes."""

    def __init__(self, minutes: int) -> None:
        super().__init__(f"too many failed logins; try again in {minutes} minutes")
        self.minutes = minutes


def begin_login(name: str, address: str) -> FailedLogin:
    """Count a login as failed before it is tried, so that many at once do not pass together; an error if too many did.

    `forgive` it if it succeeds.
    """
    now = timezone.now()
    FailedLogin.objects.filter(at__lte=now - FailedLogin.WINDOW).delete()
    hashed = _hashed(name)
    begun = FailedLogin.objects.create(username_hash=hashed, address=address, at=now)
    by_name, by_address = Q(username_hash=hashed), Q(address=address)
    limits = ((by_name & by_address, BY_NAME_AND_ADDRESS), (by_name, BY_NAME), (by_address, BY_ADDRESS))
    free_again = [_free_again(which, limit, begun) for which, limit in limits]
    if waits := [at for at in free_again if at is not None]:
        begun.delete()
        raise TooManyFailuresError(math.ceil((max(waits) - now).total_seconds() / 60))
    return begun


def forgive(login: FailedLogin) -> None:
    """A login succeeded: what failed before it by this name from this address is forgotten."""
    FailedLogin.objects.filter(username_hash=login.username_hash, address=login.address).delete()


def _free_again(which: Q, limit: int, begun: FailedLogin) -> datetime | None:
    """When as many as are too many will be old enough to be forgotten; None if they are not too many."""
    others = FailedLogin.objects.filter(which).exclude(pk=begun.pk).order_by("-at")
    oldest = others.values_list("at", flat=True)[limit - 1 : limit].first()
    return None if oldest is None else oldest + FailedLogin.WINDOW


def _hashed(name: str) -> str:
    """What is kept of a name: people type passwords where names belong."""
    plain = unicodedata.normalize("NFKC", name).casefold().strip()
    return salted_hmac("cranfield.web.accounts.throttling", plain, algorithm="sha256").hexdigest()
