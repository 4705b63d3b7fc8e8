from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from cranfield.data.documents import Document
from cranfield.data.topics import Topic, Topics
from cranfield.web.accounts.invitations import invite, join
from cranfield.web.accounts.models import User
from cranfield.web.accounts.password_links import password_path
from cranfield.web.accounts.tokens import make_token
from cranfield.web.projects.models import Project
from tests.web.exchange.making import an_upload
from tests.web.projects.material import collection, soups
from tests.web.security.addresses import (
    ADMINISTRATOR,
    ANONYMOUS,
    ASSESSOR,
    EVERYONE,
    MANAGER,
    OUTSIDER,
    PARTICIPANT,
)
from tests.web.tasks.making import take_part


@dataclass(frozen=True)
class House:
    """Two projects, somebody in every role, and what the addresses of the first are made of."""

    project: Project
    other: Project
    people: dict[str, User]
    parts: dict[str, Any]

    def client(self, who: str, **settings: Any) -> Client:
        client = Client(raise_request_exception=False, **settings)
        if who != ANONYMOUS:
            client.force_login(self.people[who])
        return client

    def path(self, route: str, **other: Any) -> str:
        """An address of the first project, with other parts where they are given."""
        for name in _names(route):
            kind_and_name = next(part for part in _parts(route) if part.rpartition(":")[2] == name)
            assert name in self.parts, f"/{route}: give `house` a {name} of the first project"
            route = route.replace(f"<{kind_and_name}>", str(other.get(name, self.parts[name])))
        return f"/{route}"


def _parts(route: str) -> list[str]:
    return [piece.partition(">")[0] for piece in route.split("<")[1:]]


def _names(route: str) -> list[str]:
    return [part.rpartition(":")[2] for part in _parts(route)]


def real_project() -> Project:
    """Made as managers make one, with a document whose fields have names that a page could stumble over."""
    names = {"title": "Soup 1", "text": "Boil it.", "items": "salt", "keys": ["a", "b"], "values": {"get": 1}}
    both = [Document("d1", names), Document("d2", {"title": "Soup 2", "text": "Cool it."})]
    topics = Topics([Topic("q1", {"title": "hot soup"})])
    return soups({"q1": ["d1", "d2"]}, topics=topics, collection=collection(*both))


@pytest.fixture
def house(db: None) -> House:
    project, other = real_project(), real_project()
    people = {name: User.objects.create(username=name) for name in sorted(EVERYONE - {ANONYMOUS})}
    User.objects.filter(username=ADMINISTRATOR).update(is_administrator=True)
    people[ADMINISTRATOR].refresh_from_db()
    for role in (PARTICIPANT, ASSESSOR, MANAGER):
        join(project, people[role], role=role)
    join(other, people[OUTSIDER], role=MANAGER)
    invitation, secret = invite(project, people[MANAGER], role=ASSESSOR, uses=100)
    submission, release = take_part(project, people[PARTICIPANT], people[MANAGER])
    take_part(other, people[OUTSIDER], people[OUTSIDER])
    api_token, _ = make_token(project, people[MANAGER], "a program")
    _, _, uidb64, token, _ = password_path(people[ASSESSOR]).split("/")
    return House(
        project,
        other,
        people,
        {
            "project": project.pk,
            "invitation": invitation.pk,
            "secret": secret,
            "uidb64": uidb64,
            "token": token,
            "submission": submission.pk,
            "release": release.pk,
            "member": project.memberships.get(user=people[ASSESSOR]).pk,
            "item": project.items.order_by("pk")[0].pk,
            "topic": project.topics.get().pk,
            "api_token": api_token.pk,
            "upload": an_upload(project, people[MANAGER]),
            "export": "qrels",
            "rest": "what/ever",
        },
    )
