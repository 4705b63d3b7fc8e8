"""What whoever runs the installation does with accounts."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.core.exceptions import ValidationError

from cranfield.errors import UsageError, did_you_mean
from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Membership


@dataclass(frozen=True)
class Listed:
    """An account in a list."""

    name: str
    administrator: bool
    open: bool
    last_login: str | None
    projects: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def add_user(name: str, *, administrator: bool = False) -> User:
    """An account without a password: its owner chooses one by a link."""
    if User.objects.filter(username__iexact=name).exists():
        raise UsageError(f"there is an account {name!r} already (capital letters make no difference)")
    user = User(username=User.normalize_username(name), is_administrator=administrator)
    user.set_unusable_password()
    try:
        user.full_clean()
    except ValidationError as error:
        raise UsageError(f"{name!r}: {' '.join(error.messages)}") from None
    user.save()
    note(None, None, "account made", name=user.username, administrator=administrator)
    return user


def account_named(name: str) -> User:
    """The account of this name."""
    found = User.objects.filter(username=name).first()
    if found is None:
        near = did_you_mean(name, User.objects.values_list("username", flat=True))
        raise UsageError(f"there is no account {name!r}{near}")
    return found


def set_open(user: User, is_open: bool) -> None:
    """Let somebody in, or keep them out; their sessions end with the account."""
    user.is_active = is_open
    user.save(update_fields=("is_active",))
    note(None, None, "account opened" if is_open else "account closed", name=user.username)


def list_users() -> list[Listed]:
    """Every account, by name."""
    memberships: dict[int, list[tuple[str, str]]] = {}
    for user, project, role in Membership.objects.filter(left_at=None).values_list("user", "project__name", "role"):
        memberships.setdefault(user, []).append((project, role))
    return [
        Listed(
            name=user.username,
            administrator=user.is_administrator,
            open=user.is_active,
            last_login=user.last_login.strftime("%Y-%m-%d %H:%M") if user.last_login else None,
            projects=tuple(sorted(memberships.get(user.pk, ()))),
        )
        for user in User.objects.order_by("username")
    ]
