"""The page of agreement: the numbers of `cranfield agreement` on the judgments that are exported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cranfield.web.charts.dots import dot_plot
from cranfield.web.charts.matrix import pair_matrix
from cranfield.web.judging.consistency import consistency
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project
from cranfield.web.review.material import material
from cranfield.web.review.numbers import NAMES, agreement_dot, agreement_row

if TYPE_CHECKING:
    from cranfield.data.judge_labels import JudgeLabels
    from cranfield.evaluation.agreement import JudgeAgreement

ALL_GRADES = "grades"
ORDINAL = "steps in order"
OTHERS = "others"
"""The group of those who are in none."""
MOST_DOTS = 60
"""Topics in a drawing; the table has all."""
MOST_IN_MATRIX = 20
RULE = "majority"
FEWER = 500
"""Samples behind the intervals of groups, which the command line does not have: in large projects they take long."""


class AgreementForm(forms.Form):
    """What is compared, and how disagreements count."""

    view = forms.ChoiceField(label="Labels", required=False)
    level = forms.ChoiceField(
        label="Alpha takes labels as",
        required=False,
        choices=[
            ("nominal", "the same or not"),
            ("ordinal", ORDINAL),
            ("interval", "numbers: differences count"),
        ],
    )
    weights = forms.ChoiceField(
        label="Kappa counts disagreements",
        required=False,
        choices=[("", "all alike"), ("linear", "by their distance"), ("quadratic", "by the square of it")],
    )
    first = forms.ChoiceField(label="One assessor", required=False)
    second = forms.ChoiceField(label="and another", required=False)

    def __init__(self, content: Any, grades: Sequence[dict[str, Any]], judges: Sequence[str]) -> None:
        super().__init__(content)
        bounds = sorted(grade["value"] for grade in grades)[1:]
        names = {grade["value"]: grade["name"] for grade in grades}
        choices = [(ALL_GRADES, "the grades of the scale")]
        choices += [(f"{bound:g}", f"two classes: {names[bound]} ({bound:g}) or better, and not") for bound in bounds]
        people = [("", "—"), *((judge, judge) for judge in judges)]
        fields: dict[str, Any] = dict(self.fields)
        fields["view"].choices = choices
        fields["first"].choices = fields["second"].choices = people


@dataclass(frozen=True)
class Options:
    """What was chosen; what was not, or cannot be, is as usual."""

    view: str = ALL_GRADES
    level: str = "nominal"
    weights: str | None = None
    first: str = ""
    second: str = ""

    @classmethod
    def of(cls, form: AgreementForm) -> Options:
        form.is_valid()
        return cls(**{name: value for name, value in form.cleaned_data.items() if value})

    @property
    def command(self) -> str:
        """The same on the command line, of grades."""
        said = f" --level {self.level}" if self.level != "nominal" else ""
        return f"cranfield agreement qrels_jg{said}{f' --weights {self.weights}' if self.weights else ''}"


@require_safe
@members_only(Role.MANAGER)
def review_agreement(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    found = material(project)
    scale = project.current_scale
    pairs = project.mode == Project.Mode.PAIRS
    labels = _pair_labels(project) if pairs else found.labels
    form = AgreementForm(request.GET, scale.content if scale is not None and not pairs else [], labels.judges)
    options = Options.of(form)
    groups = _groups(project, labels)
    name = ("agreement", options, tuple(sorted(groups.items())))
    if pairs:
        numbers = _numbers(labels, options, groups)
    else:
        numbers = found.once(name, lambda: _numbers(_seen(labels, options), options, groups))
    context = {"project": project, "here": "agreement", "form": form, "options": options, "pairwise": pairs, **numbers}
    context["ordinal"] = ORDINAL
    context["consistency"] = consistency(project) if pairs else []
    return render(request, "review/agreement.html", context)


def _result(labels: JudgeLabels, options: Options) -> JudgeAgreement:
    from cranfield.evaluation.agreement import agreement

    return agreement(labels, level=options.level, weights=options.weights)


def _seen(labels: JudgeLabels, options: Options) -> JudgeLabels:
    from cranfield.data.label_views import at_least

    return labels if options.view == ALL_GRADES or not len(labels) else at_least(labels, float(options.view))


def _pair_labels(project: Project) -> JudgeLabels:
    """Who preferred what, of each pair."""
    from cranfield.web.judging.preferences import pair_labels

    return pair_labels(project)


def _groups(project: Project, labels: JudgeLabels) -> dict[str, str]:
    named = dict(project.memberships.values_list("pseudonym", "group"))
    return {judge: named.get(judge) or OTHERS for judge in labels.judges}


def _numbers(labels: JudgeLabels, options: Options, groups: dict[str, str]) -> dict[str, Any]:
    result = _result(labels, options)
    rows = [agreement_row(one, NAMES[key]) for key, one in result.coefficients.items()]
    compared = any(row["value"] is not None for row in rows)
    numbers: dict[str, Any] = {
        "labels": len(labels),
        "judges": labels.judges,
        "rows": rows,
        "compared": compared,
        "why_not": next((row["why_not"] for row in rows if row["why_not"]), ""),
        "notes": [note for note in result.notes if _is_for_the_page(note, labels)],
    }
    if compared:
        numbers |= (
            _topics(labels, result, options) | _pairs(labels, result, options) | _in_groups(labels, options, groups)
        )
    return numbers


def _is_for_the_page(note: str, labels: JudgeLabels) -> bool:
    """The page says itself how to choose what options of the command line choose."""
    return "--level" not in note and ("one judge" not in note or len(labels.judges) > 1)


def _topics(labels: JudgeLabels, result: JudgeAgreement, options: Options) -> dict[str, Any]:
    from cranfield.evaluation.agreement_parts import topic_alphas

    alphas = topic_alphas(labels, level=options.level)
    kappa = "cohen_kappa" if "cohen_kappa" in result.coefficients else "fleiss_kappa"
    rows = [
        {
            **agreement_row(alpha, topic),
            "kappa": result.by_topic[topic][kappa].value,
            "percent": result.by_topic[topic]["percent_agreement"].value,
        }
        for topic, alpha in alphas.items()
    ]
    drawn = sorted(rows, key=lambda row: (row["value"] is None, row["value"] or 0))[:MOST_DOTS]
    chart = dot_plot(
        [agreement_dot(alphas[row["name"]], row["name"]) for row in drawn],
        "Krippendorff's alpha by topic, lowest first, with 95% intervals",
        low=-1 if any((row["lower"] or 0) < -0.5 for row in drawn) else -0.5,
        high=1,
        step=0.5,
    )
    return {"topics": rows, "topic_chart": chart, "kappa_name": NAMES[kappa], "not_drawn": len(rows) - len(drawn)}


def _pairs(labels: JudgeLabels, result: JudgeAgreement, options: Options) -> dict[str, Any]:
    pairs = result.by_pair
    found: dict[str, Any] = {"pairs": [{**agreement_row(pair.agreement, ""), "pair": pair} for pair in pairs]}
    if len(labels.judges) <= MOST_IN_MATRIX:
        names = sorted({name for pair in pairs for name in (pair.first, pair.second)}, key=list(labels.judges).index)
        cells = {
            (pair.first, pair.second): (
                None if pair.agreement.undefined else pair.agreement.value,
                f"{pair.first} and {pair.second}: {pair.agreement.sentence}",
            )
            for pair in pairs
        }
        found["pair_chart"] = pair_matrix(names, cells, "Cohen's kappa of each two assessors")
    if options.first and options.second and options.first != options.second:
        found["chosen"] = _chosen_pair(labels, options)
    return found


def _chosen_pair(labels: JudgeLabels, options: Options) -> dict[str, Any]:
    """Two assessors beside each other: all coefficients, and how often one said this where the other said that."""
    from cranfield.data.categories import in_order
    from cranfield.data.label_views import of_judges, pair_table

    result = _result(of_judges(labels, (options.first, options.second)), options)
    table = pair_table(labels, options.first, options.second)
    names = sorted({name for cell in table for name in cell}, key=in_order)
    return {
        "rows": [agreement_row(one, NAMES[key]) for key, one in result.coefficients.items()],
        "names": names,
        "table": [(name, [{"times": table[name, other], "same": name == other} for other in names]) for name in names],
        "items": table.total(),
    }


def _in_groups(labels: JudgeLabels, options: Options, groups: dict[str, str]) -> dict[str, Any]:
    from cranfield.data.judging_record import RULES
    from cranfield.evaluation.agreement_parts import alpha_in_groups, kappa_between_groups

    if len(set(groups.values())) < 2 or labels.categories().values is None:
        return {}
    within = alpha_in_groups(labels, groups, level=options.level, resamples=FEWER)
    between = kappa_between_groups(labels, groups, rule=RULE, weights=options.weights, resamples=FEWER)
    dots = [agreement_dot(one, f"among {group}") for group, one in within.items()]
    dots += [agreement_dot(pair.agreement, f"{pair.first} – {pair.second}") for pair in between]
    return {
        "within": [agreement_row(one, group) for group, one in within.items()],
        "between": [agreement_row(pair.agreement, f"{pair.first} and {pair.second}") for pair in between],
        "rule": RULES[RULE][1],
        "group_chart": dot_plot(dots, "Agreement in and between groups", low=-0.5, high=1, step=0.5),
    }
