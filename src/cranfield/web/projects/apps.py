from __future__ import annotations

from django.apps import AppConfig


class Projects(AppConfig):
    name = "cranfield.web.projects"
    label = "projects"
