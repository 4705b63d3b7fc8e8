from __future__ import annotations

from django.apps import AppConfig


class Tasks(AppConfig):
    name = "cranfield.web.tasks"
    label = "tasks"
