"""Somebody who searches for what to judge."""

from __future__ import annotations

import json
import os
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Topic
from tests.web.judging.making import SCALE


class Searcher:
    """Somebody with the page of searching before them."""

    def __init__(self, topic: Topic, user: User) -> None:
        self.topic, self.user, self.client = topic, user, Client()
        self.client.force_login(user)

    def post(self, name: str, status: int = 200, **content: Any) -> dict[str, Any]:
        address = reverse(f"judge-{name}", args=[self.topic.project.pk])
        whole = json.dumps({"topic": str(self.topic.pk), **content})
        response = self.client.post(address, whole, content_type="application/json")
        assert response.status_code == status, response.content
        found: dict[str, Any] = response.json()
        return found

    def open(self, document: str, status: int = 200, query: str = "soup") -> dict[str, Any]:
        """Find a document, and open it."""
        self.post("search", query=query)
        return self.post("search-open", status, document=document)

    def states(self, query: str = "soup") -> dict[str, str]:
        return {result["document"]: result["state"] for result in self.post("search", query=query)["results"]}

    def judge(self, name: str, grade: int) -> str:
        slot = self.open(name)["item"]["slot"]
        sent = {"uuid": os.urandom(16).hex(), "slot": slot, "action": "grade", "grade": grade, "scale": SCALE}
        sent |= {"time": timezone.now().isoformat()}
        content = self.post("answers", answers=[sent])
        return str(content["outcomes"][0]["status"])
