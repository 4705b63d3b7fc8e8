"""The form by which judgments come in."""

from __future__ import annotations

from typing import Any

from django import forms

from cranfield.data.judging import is_assessor
from cranfield.formats.given_judgments import FORMATS
from cranfield.web.exchange.importing import KEEP, SURPLUS
from cranfield.web.projects.models import Project

AS_THE_FILE_SAYS = ""


class ImportForm(forms.Form):
    """A file, and how to read it."""

    file = forms.FileField(label="File", help_text="Qrels, judging events, Quepid CSV or book, Label Studio JSON.")
    format = forms.ChoiceField(
        label="What it is",
        required=False,
        choices=[
            (AS_THE_FILE_SAYS, "as the file says"),
            *((name, f"{name}: {words}") for name, words in FORMATS.items()),
        ],
    )
    assessor = forms.CharField(
        label="Whose judgments",
        max_length=40,
        initial="imported",
        widget=forms.TextInput(attrs={"list": "members", "autocomplete": "off"}),
        help_text="Where the file does not say. A new name, or a member: then say below that the name is theirs.",
    )
    prefix_of_names = forms.CharField(
        label="Before each name",
        max_length=20,
        required=False,
        help_text="If people in the file go by names that members have here, and are others: a word such as old-.",
    )
    merge = forms.BooleanField(
        label="Names that people have here are theirs in the file too",
        required=False,
        help_text="Otherwise -imported is put behind such a name: a file may say anything of anybody.",
    )
    surplus = forms.ChoiceField(
        label="More judgments than are wanted of a document",
        choices=list(SURPLUS.items()),
        initial=KEEP,
        widget=forms.RadioSelect,
    )

    def __init__(self, *arguments: Any, project: Project, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.members = list(project.memberships.order_by("pseudonym").values_list("pseudonym", "user__username"))
        """The pseudonym and the name of each."""

    def clean_assessor(self) -> str:
        """A pseudonym; a member may be called by the name of the account, too."""
        name = str(self.cleaned_data["assessor"])
        if name not in dict(self.members):
            name = {user: pseudonym for pseudonym, user in self.members}.get(name, name)
        return _checked(name)

    def clean_prefix_of_names(self) -> str:
        prefix = str(self.cleaned_data["prefix_of_names"])
        return _checked(prefix) if prefix else ""


def _checked(name: str) -> str:
    if not is_assessor(name):
        raise forms.ValidationError(f"{name!r} cannot be the name of an assessor: it has white space in it")
    return name
