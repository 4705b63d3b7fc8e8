"""Tokens: what programs show instead of a password."""

from __future__ import annotations

from django.utils import timezone

from cranfield.errors import UsageError
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import ApiToken, User, digest, new_secret
from cranfield.web.projects.models import Project

PREFIX = "cranfield_"
"""So that whoever comes upon a token, such as a program that looks for secrets, knows what it is."""


def make_token(project: Project, by: User | None, name: str, *, may_write: bool = False) -> tuple[ApiToken, str]:
    """A token and its secret, which is known now and never again; by None, the operator made it."""
    longest = ApiToken._meta.get_field("name").max_length or 0
    if not name.strip() or len(name) > longest:
        raise UsageError(
            f"a token has a name of at most {longest} characters that says what it is for; found {name!r:.40}"
        )
    secret = PREFIX + new_secret()
    token = ApiToken.objects.create(
        project=project, user=by, name=name, secret_hash=digest(secret), may_write=may_write
    )
    note(by, project, "token made", token=token.pk, name=name, may_write=may_write)
    return token, secret


def revoke(token: ApiToken, by: User | None) -> None:
    """From now on the token is good for nothing."""
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        note(by, token.project, "token revoked", token=token.pk, name=token.name)
