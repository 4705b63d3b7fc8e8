"""Scales as one fills them in: a row for each grade."""

from __future__ import annotations

from typing import Any

from django import forms

from cranfield.data.scale import Grade, Scale
from cranfield.errors import DataError

MOST_GRADES = 12


class GradeForm(forms.Form):
    """One grade; a row with nothing in it is none."""

    value = forms.FloatField(required=False, label="Value", widget=forms.NumberInput(attrs={"step": "any"}))
    name = forms.CharField(required=False, label="Name", max_length=60)
    definition = forms.CharField(required=False, label="Definition", max_length=500)
    key = forms.CharField(required=False, label="Key", max_length=1)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if any(cell not in (None, "") for cell in given.values()) and not self.errors:
            for name in ("value", "name"):
                if given.get(name) in (None, ""):
                    self.add_error(name, "A grade has this; empty the whole row if there is none.")
        return given


GradeRows = forms.formset_factory(GradeForm, extra=2, max_num=MOST_GRADES, absolute_max=MOST_GRADES, validate_max=True)


def rows_of(scale: Scale) -> list[dict[str, Any]]:
    """What the rows hold to begin with."""
    return [
        {"value": f"{each.value:g}", "name": each.name, "definition": each.definition, "key": each.key}
        for each in scale.grades
    ]


def scale_from(name: str, rows: Any, guideline: str) -> Scale:
    """The scale that rows make, in which a row that was left empty is none."""
    grades = []
    for number, form in enumerate(rows, 1):
        if not form.cleaned_data.get("name"):
            continue
        try:
            grades.append(Grade(**form.cleaned_data))
        except DataError as error:
            raise DataError(f"grade {number}: {error}") from None
    return Scale(name, tuple(grades), guideline.replace("\r\n", "\n"))
