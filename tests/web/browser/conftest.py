"""A running application, and pages of whoever is logged in; anything a page complains of fails the test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.urls import reverse

from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Project
from tests.web.browser.installation import database, serving

PHONE = {"width": 360, "height": 740}
SMALL_PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def tables(django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without rows."""
    file = tmp_path_factory.mktemp("tables") / "judging.sqlite3"
    with django_db_blocker.unblock(), database(file):
        call_command("migrate", verbosity=0)
    return file


@pytest.fixture
def site(tables: Path, tmp_path: Path, django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the application, over a database of its own that the test can use too."""
    # An event loop is in this thread while there is a browser, which Django takes for a mistake.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    file = tmp_path / "judging.sqlite3"
    file.write_bytes(tables.read_bytes())
    with django_db_blocker.unblock(), database(file), serving() as address:
        yield address


@dataclass
class Visitors:
    """Opens browsers: each has cookies and storage of its own."""

    browser: Any
    address: str
    contexts: list[Any] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    """What pages may complain of in this test, as regular expressions."""

    def context(self, user: User | None = None, **settings: Any) -> Any:
        """A browser in which somebody is logged in."""
        settings = {"viewport": DESK, "reduced_motion": "reduce", "base_url": self.address, **settings}
        context = self.browser.new_context(**settings)
        context.set_default_timeout(20_000)
        context.on("weberror", lambda error: self.problems.append(str(error.error)))
        context.on("console", self._listen)
        self.contexts.append(context)
        if user is not None:
            self.log_in(context, user)
        return context

    def log_in(self, context: Any, user: User) -> None:
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session.session_key, "url": self.address}])

    def page(self, user: User, path: str, **settings: Any) -> Any:
        """A page, in a browser of its own."""
        page = self.context(user, **settings).new_page()
        page.goto(path)
        return page

    def judge(self, user: User, project: Project, **settings: Any) -> Any:
        """The page on which somebody judges, with a document on it."""
        page = self.page(user, reverse("judge", args=[project.pk]), **settings)
        page.locator("#documents .document").first.wait_for()
        return page

    def expect(self, *patterns: str) -> None:
        self.expected.extend(patterns)

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        assert [text for text in self.problems if not any(re.search(one, text) for one in self.expected)] == []

    def _listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)


@pytest.fixture
def visitors(browser: Any, site: str) -> Iterator[Visitors]:
    """Browsers of people; when the test ends, no page may have complained of anything it was not told to expect."""
    opened = Visitors(browser, site)
    yield opened
    opened.close()
