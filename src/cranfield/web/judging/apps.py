from __future__ import annotations

from django.apps import AppConfig


class Judging(AppConfig):
    name = "cranfield.web.judging"
    label = "judging"
