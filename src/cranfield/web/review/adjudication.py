"""Adjudication: the queue of documents on which assessors differ, and the decision on one of them."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from cranfield.web.accounts.audit import note
from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Decision
from cranfield.web.judging.showing import clean_html
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Item, Membership, Project, ScaleVersion
from cranfield.web.review.evidence import evidence
from cranfield.web.review.queue import KINDS, ORDERS, Wanted, queue

ON_A_PAGE = 50


class QueueForm(forms.Form):
    """Which documents are looked for."""

    kind = forms.ChoiceField(label="Documents", choices=list(KINDS.items()), required=False)
    distance = forms.TypedChoiceField(label="whose grades differ by", coerce=float, required=False)
    topic = forms.ChoiceField(label="of the topic", required=False)
    order = forms.ChoiceField(label="in this order", choices=list(ORDERS.items()), required=False)

    def __init__(self, content: QueryDict, project: Project, scale: ScaleVersion | None) -> None:
        super().__init__(content)
        values = [grade["value"] for grade in scale.content] if scale is not None else []
        gaps = sorted({high - low for high in values for low in values if high > low})
        fields: dict[str, Any] = dict(self.fields)
        fields["distance"].choices = [("", "anything"), *((gap, f"more than {gap:g}") for gap in gaps[:-1])]
        topics = project.topics.values_list("name", "title")
        fields["topic"].choices = [("", "all topics"), *((name, f"{name} {title}"[:60]) for name, title in topics)]

    @property
    def wanted(self) -> Wanted:
        """What was chosen; what was not, or cannot be, is as usual."""
        self.is_valid()
        return Wanted(**{name: value for name, value in self.cleaned_data.items() if value})


class DecisionForm(forms.Form):
    """A grade of the scale, and why."""

    grade = forms.TypedChoiceField(
        coerce=float, widget=forms.RadioSelect, error_messages={"required": "Choose a grade."}
    )
    reason = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 3, "aria-keyshortcuts": "r"}),
        max_length=5000,
        error_messages={"required": "Say why: who looks at it later has nothing else."},
    )
    decision = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    events = forms.CharField(widget=forms.HiddenInput, required=False)
    scale = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, scale: ScaleVersion | None, **more: Any) -> None:
        super().__init__(*args, **more)
        grades = scale.content if scale is not None else []
        fields: dict[str, Any] = dict(self.fields)
        fields["grade"].choices = [(f"{float(grade['value'])}", grade["name"]) for grade in grades]


@require_safe
@members_only(Role.MANAGER)
def adjudication(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    form = QueueForm(request.GET, project, project.current_scale)
    wanted = form.wanted
    found = queue(project, wanted)
    page = Paginator(found.places, ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "here": "adjudication",
        "form": form,
        "page": page,
        "rows": [(one, found.numbers.get(one.place)) for one in page],
        "counts": [(kind, KINDS[kind], count) for kind, count in found.counts.items()],
        "kind": wanted.kind,
        "wanted": _asked(request.GET),
        "first": found.numbers.get(found.places[0].place) if found.places else None,
    }
    return render(request, "review/adjudication.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@members_only(Role.MANAGER)
def adjudicate(request: HttpRequest, project: Project, membership: Membership | None, item: int) -> HttpResponse:
    """The evidence on one document, side by side, and the decision."""
    found = get_object_or_404(
        Item.objects.select_related("topic", "document", "project").exclude(origin=Item.Origin.GOLD),
        project=project,
        pk=item,
        other=None,
    )
    scale = project.current_scale
    if request.method == "POST":
        form = DecisionForm(request.POST, scale=scale)
        if form.is_valid():
            meanwhile = _decide(cast(User, request.user), found, scale, form.cleaned_data)
            if meanwhile is None:
                messages.success(request, f"{found.document.title or found.document.name}: decided.")
                return _on(request, project, found)
            form = _again(form, found, scale)
            return _page(request, project, found, scale, form, meanwhile, status=409)
        return _page(request, project, found, scale, form, "", status=400)
    return _page(request, project, found, scale, _new_form(found, scale), "")


def _decide(user: User, item: Item, scale: ScaleVersion | None, said: dict[str, Any]) -> str | None:
    """Keep a decision; if somebody decided or judged since the page was made, keep nothing and say what happened."""
    with transaction.atomic():
        Item.objects.select_for_update(of=("self",)).get(pk=item.pk)
        last = item.decisions.order_by("at", "pk").select_related("decided_by").last()
        if last is not None and last.pk != said["decision"]:
            return (
                f"{last.decided_by.username} decided this document in the meantime: {last.grade:g}. Your decision is "
                "not kept. If you see it otherwise, decide again: yours then holds, and both stay in the history."
            )
        if scale is None or scale.version != said["scale"]:
            return (
                "The scale changed in the meantime. Your decision is not kept: read its grades anew, and decide again."
            )
        now = evidence(item, scale)
        if ",".join(now.events) != said["events"]:
            return (
                "Somebody judged this document, or changed a judgment, in the meantime. Your decision is not kept: "
                "look at what stands now, and decide again."
            )
        decision = Decision.objects.create(
            item=item,
            decided_by=user,
            grade=said["grade"],
            reason=said["reason"],
            scale=scale,
            events=list(now.events),
        )
        note(
            user,
            item.project,
            "decided on a document",
            topic=item.topic.name,
            document=item.document.name,
            grade=decision.grade,
            scale=scale.version,
            decision=decision.pk,
        )
    return None


def _page(
    request: HttpRequest,
    project: Project,
    item: Item,
    scale: ScaleVersion | None,
    form: DecisionForm,
    meanwhile: str,
    status: int = 200,
) -> HttpResponse:
    place = (item.topic.name, item.document.name)
    found = queue(project, QueueForm(request.GET, project, scale).wanted, keep=place)
    before, behind = found.around(place)
    history = list(item.decisions.select_related("decided_by", "scale").order_by("-at", "-pk"))
    chosen = form["grade"].value()
    grades = scale.content if scale is not None else []
    context = {
        "project": project,
        "here": "adjudication",
        "item": item,
        "html": mark_safe(clean_html(item.document.text)),
        "evidence": evidence(item, scale),
        "grades": [{**grade, "choice": f"{float(grade['value'])}"} for grade in grades],
        "chosen": chosen,
        "scale": scale,
        "form": form,
        "meanwhile": meanwhile,
        "history": history,
        "wanted": _asked(request.GET),
        "before": before,
        "behind": behind,
        "left": sum(one.place != place for one in found.places),
    }
    return render(request, "review/adjudicate.html", context, status=status)


def _new_form(item: Item, scale: ScaleVersion | None) -> DecisionForm:
    return DecisionForm(scale=scale, initial=_stands(item, scale))


def _again(form: DecisionForm, item: Item, scale: ScaleVersion | None) -> DecisionForm:
    """The same grade and reason, over what stands now."""
    content = {"grade": f"{form.cleaned_data['grade']}", "reason": form.cleaned_data["reason"]}
    return DecisionForm({**content, **_stands(item, scale)}, scale=scale)


def _stands(item: Item, scale: ScaleVersion | None) -> dict[str, Any]:
    """What the page was made of, so that a decision can tell whether it still holds."""
    last = item.decisions.order_by("at", "pk").last()
    return {
        "decision": last.pk if last is not None else 0,
        "events": ",".join(evidence(item, scale).events),
        "scale": scale.version if scale is not None else "",
    }


def _on(request: HttpRequest, project: Project, item: Item) -> HttpResponse:
    """On to the next in the queue, or back to the list when it is empty."""
    wanted = QueueForm(request.GET, project, project.current_scale).wanted
    place = (item.topic.name, item.document.name)
    _, behind = queue(project, wanted, keep=place).around(place)
    asked = _asked(request.GET)
    if behind is None:
        return redirect(f"{reverse('adjudication', args=(project.pk,))}?{asked}")
    return redirect(f"{reverse('adjudicate', args=(project.pk, behind))}?{asked}")


def _asked(content: QueryDict) -> str:
    """What was asked of the queue, to be asked again."""
    kept = QueryDict(mutable=True)
    kept.update({name: str(content[name]) for name in ("kind", "distance", "topic", "order") if content.get(name)})
    return kept.urlencode()
