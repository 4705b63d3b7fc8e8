from __future__ import annotations

from django.apps import AppConfig


class Accounts(AppConfig):
    name = "cranfield.web.accounts"
    label = "accounts"
