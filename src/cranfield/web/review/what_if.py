"""The page "what if": the order of systems if only one assessor had judged, or one group, and how far it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from cranfield.errors import CranfieldError
from cranfield.web.charts.dots import Dot, dot_plot
from cranfield.web.charts.slopes import rank_lines
from cranfield.web.judging.judgments import judgments
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project
from cranfield.web.review.agreement import OTHERS
from cranfield.web.review.material import material
from cranfield.web.review.runs import read_runs, runs_there

if TYPE_CHECKING:
    from cranfield.evaluation.what_if import WhatIf

MOST_UPLOADS = 50


class WhatIfForm(forms.Form):
    """By which measure, by which rule, and of which runs."""

    measure = forms.CharField(max_length=100, widget=forms.TextInput(attrs={"list": "measures", "spellcheck": "false"}))
    rule = forms.ChoiceField(label="Several grades become one by")
    runs = forms.MultipleChoiceField(label="Runs", required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, there: dict[str, str], **more: Any) -> None:
        from cranfield.data.judging_record import RULES

        super().__init__(*args, **more)
        fields: dict[str, Any] = dict(self.fields)
        fields["rule"].choices = [(name, f"{name}: {said}") for name, (_, said) in RULES.items()]
        fields["runs"].choices = list(there.items())


@require_http_methods(["GET", "HEAD", "POST"])
@members_only(Role.MANAGER)
def review_what_if(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    from cranfield.evaluation.judges import DEFAULT_MEASURE

    if project.mode == Project.Mode.PAIRS:
        return render(request, "review/what_if.html", {"project": project, "here": "what-if"})
    there = runs_there(project)
    usual = {"measure": DEFAULT_MEASURE, "rule": "majority", "runs": list(there)}
    form = WhatIfForm(request.POST, there=there) if request.method == "POST" else None
    context: dict[str, Any] = {"project": project, "here": "what-if", "there": there, "measures": _measures()}
    said, uploads = usual, request.FILES.getlist("files")
    if form is not None:
        said = form.cleaned_data if form.is_valid() else {}
    if said and (said["runs"] or uploads):
        try:
            context |= _numbers(project, said, uploads)
        except CranfieldError as error:
            form = form or WhatIfForm(usual, there=there)
            form.is_valid()
            form.add_error(None, str(error))
    elif form is not None and said:
        form.add_error(None, "Choose a run, or bring run files.")
    context["form"] = form or WhatIfForm(initial=usual, there=there)
    failed = request.method == "POST" and form is not None and form.errors
    return render(request, "review/what_if.html", context, status=400 if failed else 200)


def _measures() -> list[str]:
    """Those that say which of two systems is better."""
    from cranfield.measures import REGISTRY

    return sorted(name for name, one in REGISTRY.items() if one.more_is_better is not None and one.aggregate != "none")


def _numbers(project: Project, said: dict[str, Any], uploads: list[UploadedFile[bytes]]) -> dict[str, Any]:
    from cranfield.errors import UsageError
    from cranfield.evaluation.what_if import what_if

    if len(uploads) > MOST_UPLOADS:
        raise UsageError(f"{len(uploads)} files are too many at once; bring at most {MOST_UPLOADS}")
    found = material(project)
    groups = {name: group or OTHERS for name, group in project.memberships.values_list("pseudonym", "group")}
    everyone = judgments(project, said["rule"], found.record)
    runs = read_runs(project, said["runs"], uploads)
    result = what_if(found.labels, everyone, runs, said["measure"], groups=groups, rule=said["rule"])
    return _shown(result) | {"topics": project.topics.count()}


def _shown(result: WhatIf) -> dict[str, Any]:
    from cranfield.evaluation.what_if import EVERYONE

    rankings, beside = result.rankings, result.beside_everyone
    first = rankings.ranks[EVERYONE]
    systems = sorted(rankings.runs, key=lambda run: (first[run], run))
    taus = [
        Dot(
            judge,
            None if pair.tau.undefined else pair.tau.value,
            why_not=pair.tau.undefined or "",
            said=f"{judge}: tau {pair.tau.value:.4f} over {pair.topics} topics",
        )
        for judge, pair in ((judge, beside[judge]) for judge in result.judges if judge in beside)
    ]
    return {
        "result": result,
        "measure": str(rankings.measure),
        "judges": [
            {
                "name": judge,
                "topics": rankings.topics[judge],
                "coverage": f"{rankings.coverage[judge]:.0%}",
                "pair": beside.get(judge),
                "tau": None if judge not in beside or beside[judge].tau.undefined else beside[judge].tau.value,
                "cells": [(rankings.ranks[judge][run], rankings.scores[judge][run]) for run in systems],
            }
            for judge in result.judges
        ],
        "systems": systems,
        "rank_chart": rank_lines(result.judges, rankings.ranks, f"Ranks of systems by {rankings.measure}, by judge"),
        "tau_chart": dot_plot(
            taus, "Kendall's tau between each order of systems and that by everyone", low=-1, high=1, step=0.5
        ),
    }
