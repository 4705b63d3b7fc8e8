"""What organisers and participants fill in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms

from cranfield.errors import CranfieldError
from cranfield.web.tasks.material import kept_documents, kept_qrels
from cranfield.web.tasks.models import Release, Task
from cranfield.web.tasks.scoring import USUAL, measures_of
from cranfield.web.tasks.unpacking import MOST_BYTES, unpacked

_FILE = f"Plain or packed with gzip, at most {MOST_BYTES >> 20} MB."


class MeasuresField(forms.CharField):
    """Measures side by side, as the command line takes them; kept as the library writes them."""

    def clean(self, value: Any) -> list[str]:
        text = super().clean(value)
        try:
            return measures_of(text.replace(",", " ").split() if "(" not in text else text.split())
        except CranfieldError as error:
            raise forms.ValidationError(str(error)) from None

    def prepare_value(self, value: Any) -> Any:
        return " ".join(value) if isinstance(value, (list, tuple)) else value


class TaskForm(forms.ModelForm):  # type: ignore[type-arg]
    """The task as organisers set it. Files that are left out stay as they are."""

    deadline = forms.DateTimeField(
        label="Deadline (UTC)",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text="Until then runs are taken, and can be withdrawn.",
    )
    most = forms.IntegerField(min_value=1, max_value=1000, initial=5, label="Runs of one participant that may stand")
    depth = forms.IntegerField(
        min_value=1, max_value=100_000, initial=1000, label="Documents that a run may have for a topic"
    )
    measures = MeasuresField(
        max_length=500, initial=USUAL, help_text="Such as nDCG@10 AP P@10. Runs stand in order of the first."
    )
    documents_file = forms.FileField(
        required=False,
        label="List of documents",
        help_text=f"A document's name a line. Participants can have it, and other documents are not taken. {_FILE}",
    )
    no_documents = forms.BooleanField(required=False, label="Take the list of documents away")
    qrels_file = forms.FileField(
        required=False,
        label="Hidden judgments",
        help_text=f"Judgments made elsewhere, instead of those of this project. No page gives them out. {_FILE}",
    )
    no_qrels = forms.BooleanField(required=False, label="Take these judgments away; those of the project count")

    class Meta:
        model = Task
        fields = ("description", "deadline", "most", "depth", "measures")
        labels = {"description": "What participants are asked to do"}
        widgets = {"description": forms.Textarea(attrs={"rows": 5})}

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if self.instance.documents is None:
            del self.fields["no_documents"]
        if self.instance.qrels is None:
            del self.fields["no_qrels"]

    def clean_deadline(self) -> datetime:
        deadline: datetime = self.cleaned_data["deadline"]
        return deadline.astimezone(UTC)

    def clean_documents_file(self) -> bytes | None:
        file = self.cleaned_data["documents_file"]
        try:
            return None if file is None else kept_documents(unpacked(file))
        except CranfieldError as error:
            raise forms.ValidationError(str(error)) from None

    def clean_qrels_file(self) -> bytes | None:
        file = self.cleaned_data["qrels_file"]
        try:
            return None if file is None else kept_qrels(self.instance, unpacked(file))
        except CranfieldError as error:
            raise forms.ValidationError(str(error)) from None

    def save(self, commit: bool = True) -> Task:
        given, task = self.cleaned_data, self.instance
        if given["documents_file"] is not None or given.get("no_documents"):
            task.documents = given["documents_file"]
        if given["qrels_file"] is not None or given.get("no_qrels"):
            task.qrels = given["qrels_file"]
        saved: Task = super().save(commit)
        return saved


class HandInForm(forms.Form):
    """A run on its way in."""

    run = forms.FileField(help_text=f"In TREC's format: topic Q0 document rank score tag. {_FILE}")
    name = forms.CharField(max_length=80, required=False, help_text="If you leave it out, the run goes by its tag.")
    description = forms.CharField(
        max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 2}), label="How it was made"
    )


class ReleaseForm(forms.Form):
    """Which scores, and for whom."""

    measures = MeasuresField(max_length=500)
    audience = forms.ChoiceField(choices=Release.Audience.choices, initial=Release.Audience.OWN, label="Who sees what")
    per_topic = forms.BooleanField(
        required=False,
        label="Each topic, besides the means",
        help_text="From the scores of single topics participants can learn how their documents were judged.",
    )


class PoolForm(forms.Form):
    """Which documents of the runs are to be judged, and where their texts are."""

    depth = forms.IntegerField(
        min_value=1, max_value=10_000, initial=10, label="So many documents from the top of each run, for each topic"
    )
    documents_place = forms.CharField(
        required=False,
        label="Documents on the server",
        help_text="If you leave this out, those of the project, or of the workspace.",
    )
    documents_file = forms.FileField(
        required=False, label="or upload documents", help_text="JSON lines, CSV, TSV or TREC, plain or packed."
    )
    leave_out = forms.BooleanField(
        required=False, label="Leave out documents of which there is no text, instead of refusing the pool"
    )
