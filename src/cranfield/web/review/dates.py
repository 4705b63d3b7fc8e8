"""The page of dates: how old judgments are, and which documents changed since they were judged."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from cranfield.web.charts.bars import Bar, bar_chart
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.changed_documents import changed_documents
from cranfield.web.projects.models import Membership, Project
from cranfield.web.review.material import material

MOST_CHANGED = 200


class BeforeForm(forms.Form):
    before = forms.DateField(label="Judged before", widget=forms.DateInput(attrs={"type": "date"}))


@require_safe
@members_only(Role.MANAGER)
def review_dates(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    from cranfield.evaluation.assessors.ages import by_month, older_than

    form = BeforeForm(request.GET or {"before": f"{timezone.now().date() - timedelta(days=365)}"})
    before: date | None = form.cleaned_data["before"] if form.is_valid() else None
    found = material(project)
    decisions = found.once("decisions", lambda: [one for one in found.record.decisions() if one.action != "skip"])
    ages = older_than(decisions, f"{before}") if before is not None else []
    months = list(by_month(decisions).items())
    changed = changed_documents(project)
    context: dict[str, Any] = {
        "project": project,
        "here": "agreement",
        "form": form,
        "before": before,
        "ages": ages,
        "judgments": len(decisions),
        "older": sum(age.older for age in ages),
        "months": months,
        "month_chart": bar_chart(
            [Bar(month, number, f"{number} judgments") for month, number in months],
            "Judgments that stand, by the month they were made in",
            "judgments",
        ),
        "changed": changed[:MOST_CHANGED],
        "changed_count": changed.count(),
    }
    return render(request, "review/dates.html", context, status=200 if before is not None else 400)
