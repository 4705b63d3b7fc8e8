"""What people fill in: names and passwords, invitations, their own settings."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    SetPasswordForm,
    UserCreationForm,
    UsernameField,
)

from cranfield.web.accounts.models import User
from cranfield.web.projects.models import Membership


class LoginForm(AuthenticationForm):
    """Says the same whether the name is unknown, the password wrong, or the account closed."""

    username = UsernameField(label="Name", widget=forms.TextInput(attrs={"autofocus": True}))
    error_messages = {
        "invalid_login": "This name and this password do not go together. Mind capital letters.",
        "inactive": "This name and this password do not go together. Mind capital letters.",
    }


class _AtThePassword:
    """What is wrong with a password is said where it was chosen, and not where it was repeated."""

    def validate_password_for_user(self, user: Any, password_field_name: str = "password2") -> None:
        super().validate_password_for_user(user, password_field_name.replace("2", "1"))  # type: ignore[misc]


class ChoosePasswordForm(_AtThePassword, SetPasswordForm):  # type: ignore[type-arg]
    """A new password, twice."""


class ChangePasswordForm(_AtThePassword, PasswordChangeForm):
    """The old password, and a new one twice."""


class NewAccountForm(_AtThePassword, UserCreationForm):  # type: ignore[type-arg]
    """A name and a password of one's own."""

    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": "Name"}
        widgets = {"username": forms.TextInput(attrs={"autocomplete": "username"})}
        help_texts = {"username": "What you log in with: letters, digits, and @ . + - or an underscore."}


class AccountForm(forms.ModelForm):  # type: ignore[type-arg]
    """What people may change of their account."""

    class Meta:
        model = User
        fields = ("highlight",)
        labels = {"highlight": "Words to mark"}
        help_texts = {"highlight": "Marked in every document you judge, besides the words of the topic."}
        widgets = {"highlight": forms.TextInput}


class InvitationForm(forms.Form):
    """Whom a link lets in, and for how long."""

    role = forms.ChoiceField(choices=Membership.Role.choices, initial=Membership.Role.ASSESSOR)
    group = forms.CharField(
        max_length=60, required=False, help_text="Such as expert or user: groups are compared with each other."
    )
    uses = forms.IntegerField(min_value=1, max_value=1000, initial=1, label="How many people may use it")
    days = forms.IntegerField(min_value=1, max_value=90, initial=14, label="Good for so many days")


class TokenForm(forms.Form):
    """A token for a program."""

    name = forms.CharField(label="What it is for", max_length=80, help_text="Such as the name of the program.")
    may_write = forms.BooleanField(
        label="May write", required=False, help_text="Add to the pool and import labels; otherwise it only reads."
    )
