"""What managers fill in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django import forms

from cranfield.data.scale import SCALES
from cranfield.errors import CranfieldError
from cranfield.web.projects.creating import LARGEST_OVERLAP
from cranfield.web.projects.models import Project, Topic
from cranfield.web.projects.sources import (
    workspace_documents,
    workspace_has_scale,
    workspace_indexes,
    workspace_pools,
)
from cranfield.web.search_places import checked_collection, checked_engine

_LONG = forms.Textarea(attrs={"rows": 3})
WORKSPACE_SCALE = "workspace"
_SCALES = [*((name, name) for name in SCALES), ("own", "grades of your own, below")]
GUIDELINE = forms.Textarea(attrs={"rows": 12, "data-guideline": ""})


class TopicField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """One of the topics of a project."""

    def label_from_instance(self, obj: Topic) -> str:
        return f"{obj.name} {obj.title}"[:80]


class PoolForm(forms.Form):
    """Which documents are to be judged for which topics, and where their texts are."""

    pool_place = forms.CharField(
        required=False,
        label="Pool on the server",
        widget=forms.TextInput(attrs={"list": "pools", "autocomplete": "off"}),
        help_text="A path in the workspace, or in a folder that the operator named.",
    )
    pool_file = forms.FileField(
        required=False,
        label="or upload a pool",
        help_text="A pool, lines of topic and document, a run, or judgments, all of whose documents are judged.",
    )
    documents_place = forms.CharField(
        required=False, label="Documents on the server", widget=forms.TextInput(attrs={"list": "collections"})
    )
    documents_file = forms.FileField(
        required=False, label="or upload documents", help_text="JSON lines, CSV, TSV or TREC, plain or packed."
    )
    topics_place = forms.CharField(required=False, label="Topics on the server")
    topics_file = forms.FileField(required=False, label="or upload topics")
    per_document = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=1000,
        label="Pairs each document is in",
        help_text="Where one says which of two is better; empty: every two documents of a topic are compared.",
    )
    leave_out = forms.BooleanField(
        required=False, label="Leave out what the topics or the documents do not have, instead of refusing the pool"
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.pools = workspace_pools()
        if len(self.pools) == 1:
            self.fields["pool_place"].initial = self.pools[0]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not given.get("pool_place") and not given.get("pool_file"):
            self.add_error("pool_file", "Name a pool on the server, or upload a file.")
        for what in ("pool", "documents", "topics"):
            if given.get(f"{what}_file"):  # a place may have been filled in before anybody chose a file
                given[f"{what}_place"] = ""
        return given


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """What can be changed of a project at any time."""

    class Meta:
        model = Project
        fields = (
            *("name", "description", "order", "gold_every", "repeat_share", "lease_minutes", "break_minutes"),
            *("engine", "collection"),
        )
        labels = {
            "gold_every": "One gold document among so many others",
            "repeat_share": "Share shown again, silently",
            "lease_minutes": "Minutes that a document is somebody's",
            "break_minutes": "Minutes until a break is suggested",
            "engine": "Engine to search with",
            "collection": "Documents that are searched",
        }
        help_texts = {
            "description": "For those who judge.",
            "gold_every": "In topics that have gold documents; 0: none.",
            "repeat_share": "From 0 to 1: how often one agrees with oneself.",
            "lease_minutes": "Who has not answered by then may lose it to somebody else.",
            "engine": "An index on the server, or a file that describes an engine; empty: assessors do not search.",
            "collection": "Where on the server their texts are; the documents of the pool are here already.",
        }
        widgets = {"description": _LONG}

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.places = [("engines", workspace_indexes()), ("collections", workspace_documents())]
        for field, (name, there) in zip(("engine", "collection"), self.places, strict=True):
            self.fields[field].widget.attrs |= {"list": name, "autocomplete": "off"}
            if there:
                self.fields[field].help_text += f" In the workspace: {', '.join(there)}."

    def clean_engine(self) -> str:
        return self._place("engine", checked_engine)

    def clean_collection(self) -> str:
        return self._place("collection", checked_collection)

    def _place(self, field: str, checked: Callable[[str], str]) -> str:
        """A place on the server, checked if it is another than before: it may lie elsewhere than it did then."""
        named: str = self.cleaned_data[field]
        try:
            return checked(named) if named and field in self.changed_data else named
        except CranfieldError as error:
            raise forms.ValidationError(str(error)) from None

    def clean_repeat_share(self) -> float:
        return _share(self.cleaned_data["repeat_share"])

    def clean_lease_minutes(self) -> int:
        return _at_least_one(self.cleaned_data["lease_minutes"])

    def clean_break_minutes(self) -> int:
        return _at_least_one(self.cleaned_data["break_minutes"])


class NewProjectForm(SettingsForm):
    """What is said of a project once, besides its pool."""

    class Meta(SettingsForm.Meta):
        fields = ("name", "description", "mode", "overlap", "overlap_share", *SettingsForm.Meta.fields[2:])  # type: ignore[assignment]
        labels = {
            **SettingsForm.Meta.labels,
            "mode": "What assessors say",
            "overlap": "How many assessors judge a document",
            "overlap_share": "Share of the pool that so many judge",
        }
        help_texts = {
            **SettingsForm.Meta.help_texts,
            "overlap": "It can be raised later, for all or for single topics.",
            "overlap_share": "From 0 to 1; the others are judged by one. Which, is drawn.",
        }

    scale = forms.ChoiceField(choices=_SCALES, initial="graded")
    guideline = forms.CharField(
        required=False,
        widget=GUIDELINE,
        help_text="How to judge, in Markdown. Empty: that of the scale.",
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if workspace_has_scale():
            scale = cast(forms.ChoiceField, self.fields["scale"])
            scale.choices = [(WORKSPACE_SCALE, "that of the workspace"), *_SCALES]
            scale.initial = WORKSPACE_SCALE

    def clean_overlap(self) -> int:
        overlap: int = self.cleaned_data["overlap"]
        if not 1 <= overlap <= LARGEST_OVERLAP:
            raise forms.ValidationError(f"Expected 1 to {LARGEST_OVERLAP}.")
        return overlap

    def clean_overlap_share(self) -> float:
        return _share(self.cleaned_data["overlap_share"])


class OverlapForm(forms.Form):
    """More judgments of each document."""

    overlap = forms.IntegerField(min_value=1, max_value=LARGEST_OVERLAP, label="Assessors to a document")
    share = forms.FloatField(
        min_value=0, max_value=1, label="for this share of the pool", widget=forms.NumberInput(attrs={"step": "any"})
    )
    topic = TopicField(queryset=Topic.objects.none(), required=False, empty_label="all topics")

    def __init__(self, *arguments: Any, project: Project, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.initial = {"overlap": project.overlap, "share": project.overlap_share}
        cast(TopicField, self.fields["topic"]).queryset = project.topics.all()


class AgainForm(forms.Form):
    """Which judgments are to be made again."""

    before = forms.DateField(
        label="Judgments made before",
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Midnight UTC of this day; judgments made or corrected since then stay.",
    )
    topic = TopicField(queryset=Topic.objects.none(), required=False, empty_label="all topics")
    anybody = forms.BooleanField(required=False, label="By whoever comes next, not first by those who made them")

    def __init__(self, *arguments: Any, project: Project, **named: Any) -> None:
        super().__init__(*arguments, **named)
        cast(TopicField, self.fields["topic"]).queryset = project.topics.all()


class GoldForm(forms.Form):
    """Documents whose grade is known."""

    gold_file = forms.FileField(label="Judgments (qrels)")
    gold_documents = forms.FileField(
        required=False, label="Documents", help_text="Only if the project has not all of them."
    )


class CompareForm(forms.Form):
    """Documents as they are now."""

    documents_place = forms.CharField(required=False, label="Documents on the server")
    documents_file = forms.FileField(required=False, label="or upload documents")


def _share(value: float) -> float:
    if not 0 <= value <= 1:
        raise forms.ValidationError("Expected a share from 0 to 1.")
    return value


def _at_least_one(value: int) -> int:
    if value < 1:
        raise forms.ValidationError("Expected at least 1.")
    return value
