"""A hasher that counts how often it works, which is where the time of a login goes."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.hashers import MD5PasswordHasher


class CountedHasher(MD5PasswordHasher):
    times = 0

    def encode(self, *arguments: Any, **options: Any) -> str:
        CountedHasher.times += 1
        return super().encode(*arguments, **options)
