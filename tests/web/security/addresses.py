"""Every address of the application, and who gets in.

An address that is not listed here fails `test_every_address_is_listed`: say who may come in, and who may not is tested.
"""

from __future__ import annotations

from dataclasses import dataclass

ANONYMOUS = "anonymous"
NOBODY = "nobody"
"""Somebody with an account, in no project."""
OUTSIDER = "outsider"
"""The manager of another project."""
PARTICIPANT, ASSESSOR, MANAGER, ADMINISTRATOR = "participant", "assessor", "manager", "administrator"

EVERYONE = frozenset({ANONYMOUS, NOBODY, OUTSIDER, PARTICIPANT, ASSESSOR, MANAGER, ADMINISTRATOR})
LOGGED_IN = EVERYONE - {ANONYMOUS}
MEMBERS = frozenset({PARTICIPANT, ASSESSOR, MANAGER, ADMINISTRATOR})
MANAGERS = frozenset({MANAGER, ADMINISTRATOR})
JUDGES = MANAGERS | {ASSESSOR}
TAKING_PART = MANAGERS | {PARTICIPANT}
ADMINISTRATORS = frozenset({ADMINISTRATOR})
WHO_CREATE = MANAGERS | {OUTSIDER}
"""Of a new project: administrators, and whoever manages any."""


@dataclass(frozen=True)
class Address:
    """Who gets in; whether programs come by a token, and so without the cookies that a forged form would send."""

    may: frozenset[str]
    by_token: bool = False


BY_TOKEN = Address(frozenset(), by_token=True)
"""Nobody gets in by a session: `test_tokens` tries these with tokens."""

ADDRESSES = {
    "": Address(LOGGED_IN),
    "robots.txt": Address(EVERYONE),
    "login/": Address(EVERYONE),
    "logout/": Address(LOGGED_IN),
    "account/": Address(LOGGED_IN),
    "account/password/": Address(LOGGED_IN),
    "choose-password/<uidb64>/<token>/": Address(EVERYONE),
    "join/<str:secret>/": Address(EVERYONE),
    "audit/": Address(ADMINISTRATORS),
    "projects/<uuid:project>/audit/": Address(MANAGERS),
    "projects/<uuid:project>/invitations/": Address(MANAGERS),
    "projects/<uuid:project>/invitations/<int:invitation>/withdraw/": Address(MANAGERS),
    "projects/<uuid:project>/judge/": Address(JUDGES),
    "projects/new/": Address(WHO_CREATE),
    "projects/guideline/": Address(WHO_CREATE),
    "projects/<uuid:project>/": Address(MANAGERS),
    "projects/<uuid:project>/progress/": Address(MANAGERS),
    "projects/<uuid:project>/people/": Address(MANAGERS),
    "projects/<uuid:project>/people/<int:member>/": Address(MANAGERS),
    "projects/<uuid:project>/documents/": Address(MANAGERS),
    "projects/<uuid:project>/documents/<int:item>/": Address(MANAGERS),
    "projects/<uuid:project>/pool/": Address(MANAGERS),
    "projects/<uuid:project>/pool/gold/": Address(MANAGERS),
    "projects/<uuid:project>/again/": Address(MANAGERS),
    "projects/<uuid:project>/again/compare/": Address(MANAGERS),
    "projects/<uuid:project>/again/texts/": Address(MANAGERS),
    "projects/<uuid:project>/settings/": Address(MANAGERS),
    "projects/<uuid:project>/settings/open/": Address(MANAGERS),
    "projects/<uuid:project>/settings/scale/": Address(MANAGERS),
    "projects/<uuid:project>/judge/next": Address(JUDGES),
    "projects/<uuid:project>/judge/answers": Address(JUDGES),
    "projects/<uuid:project>/judge/answered": Address(JUDGES),
    "projects/<uuid:project>/judge/progress": Address(JUDGES),
    "projects/<uuid:project>/judge/search": Address(JUDGES),
    "projects/<uuid:project>/judge/search/open": Address(JUDGES),
    "projects/<uuid:project>/judge/search/leave": Address(JUDGES),
    "projects/<uuid:project>/judge/searching/": Address(JUDGES),
    "projects/<uuid:project>/judge/searching/<int:topic>/": Address(JUDGES),
    "projects/<uuid:project>/judge/searches": Address(MANAGERS),
    "projects/<uuid:project>/judge/preferences": Address(MANAGERS),
    "projects/<uuid:project>/review/agreement/": Address(MANAGERS),
    "projects/<uuid:project>/review/dates/": Address(MANAGERS),
    "projects/<uuid:project>/review/assessors/": Address(MANAGERS),
    "projects/<uuid:project>/review/assessors/<int:member>/": Address(MANAGERS),
    "projects/<uuid:project>/review/adjudication/": Address(MANAGERS),
    "projects/<uuid:project>/review/adjudication/<int:item>/": Address(MANAGERS),
    "projects/<uuid:project>/review/what-if/": Address(MANAGERS),
    "projects/<uuid:project>/exchange/": Address(MANAGERS),
    "projects/<uuid:project>/exchange/download": Address(MANAGERS),
    "projects/<uuid:project>/exchange/uploads/<uuid:upload>/": Address(MANAGERS),
    "projects/<uuid:project>/tokens/": Address(MANAGERS),
    "projects/<uuid:project>/tokens/<int:api_token>/revoke/": Address(MANAGERS),
    "projects/<uuid:project>/task/": Address(TAKING_PART),
    "projects/<uuid:project>/task/settings/": Address(MANAGERS),
    "projects/<uuid:project>/task/topics": Address(TAKING_PART),
    "projects/<uuid:project>/task/documents": Address(TAKING_PART),
    "projects/<uuid:project>/task/hand-in/": Address(TAKING_PART),
    "projects/<uuid:project>/task/submissions.zip": Address(MANAGERS),
    "projects/<uuid:project>/task/submissions/<uuid:submission>/": Address(TAKING_PART),
    "projects/<uuid:project>/task/submissions/<uuid:submission>/withdraw/": Address(TAKING_PART),
    "projects/<uuid:project>/task/pool/": Address(MANAGERS),
    "projects/<uuid:project>/task/releases/new/": Address(MANAGERS),
    "projects/<uuid:project>/task/releases/<int:release>/": Address(TAKING_PART),
    "projects/<uuid:project>/task/releases/<int:release>/show/": Address(MANAGERS),
    "projects/<uuid:project>/task/releases/<int:release>/withdraw/": Address(MANAGERS),
    "api/openapi.json": Address(EVERYONE, by_token=True),
    "api/projects": BY_TOKEN,
    "api/projects/<uuid:project>": BY_TOKEN,
    "api/projects/<uuid:project>/topics": BY_TOKEN,
    "api/projects/<uuid:project>/pool": BY_TOKEN,
    "api/projects/<uuid:project>/labels": BY_TOKEN,
    "api/projects/<uuid:project>/judgments": BY_TOKEN,
    "api/projects/<uuid:project>/decisions": BY_TOKEN,
    "api/projects/<uuid:project>/progress": BY_TOKEN,
    "api/projects/<uuid:project>/agreement": BY_TOKEN,
    "api/projects/<uuid:project>/exports/<str:export>": BY_TOKEN,
    "api/": BY_TOKEN,
    "api/<path:rest>": BY_TOKEN,
}
