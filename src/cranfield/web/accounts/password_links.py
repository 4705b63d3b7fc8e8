"""Links by which somebody chooses a password, once: for accounts made by the operator, and for forgotten passwords.

There is no mail to send: whoever runs the installation hands the link on.
"""

from __future__ import annotations

from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from cranfield.web.accounts.models import User


def password_path(user: User) -> str:
    """The path of a link that is good until a password is chosen by it, for as long as settings say."""
    who = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("choose-password", kwargs={"uidb64": who, "token": default_token_generator.make_token(user)})
