"""Who asks: the token in the header `Authorization: Bearer ...`, and nothing else. Cookies of sessions do not count."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone

from cranfield.web.accounts.models import ApiToken, digest
from cranfield.web.accounts.throttling import TooManyFailuresError, begin_login
from cranfield.web.api.problems import ProblemError, not_there
from cranfield.web.projects.models import Membership, Project

_REALM = 'Bearer realm="cranfield"'
_USED_AGAIN = timedelta(minutes=1)
"""The time of the last use is not written more often: reading shall not wait for writing."""


def token_of(request: HttpRequest) -> ApiToken:
    """The token that a request shows, while it is good for something; a problem if there is none."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        said = "this needs a token: Authorization: Bearer TOKEN. Managers make them, on the page of their project."
        raise ProblemError(401, said, headers={"WWW-Authenticate": _REALM})
    hashed = digest(secret.strip())
    token = ApiToken.objects.select_related("project", "user").filter(secret_hash=hashed).first()
    if token is None or not _good(token):
        raise _wrong(hashed, request.META.get("REMOTE_ADDR", ""))
    _note_use(token)
    return token


def project_of(token: ApiToken, project: object) -> Project:
    """The project of a token, if it is the one that was asked for."""
    if str(project) != str(token.project.pk):
        raise not_there()
    return token.project


def _good(token: ApiToken) -> bool:
    """Whether nobody revoked it, and whoever made it may still do what it does; the operator's own always may."""
    if token.revoked_at is not None:
        return False
    if token.user is None:
        return True
    manages = Membership.managers().filter(project=token.project, user=token.user)
    return token.user.is_active and (token.user.is_administrator or manages.exists())


def _wrong(hashed: str, address: str) -> ProblemError:
    """A token that is not good counts as a login that failed, apart from those of people at the same address."""
    try:
        begin_login(f"token {hashed}", f"api {address}")
    except TooManyFailuresError as error:
        said = f"too many requests with tokens that are not good; try again in {error.minutes} minutes"
        return ProblemError(429, said, headers={"Retry-After": str(60 * error.minutes)})
    said = "this token is not good: it was never made, it was revoked, or who made it no longer manages the project"
    return ProblemError(401, said, headers={"WWW-Authenticate": f'{_REALM}, error="invalid_token"'})


def _note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - _USED_AGAIN:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
