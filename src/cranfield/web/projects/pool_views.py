"""More to judge: another round of the pool, and gold documents."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from cranfield.errors import CranfieldError
from cranfield.formats import read_qrels
from cranfield.web.accounts.models import User
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.bringing_in import bring_in
from cranfield.web.projects.forms import GoldForm, PoolForm
from cranfield.web.projects.gold import add_gold
from cranfield.web.projects.models import Item, Membership, Project
from cranfield.web.projects.sources import Sources


@members_only(Role.MANAGER)
def pool(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Add what a pool has and the project has not."""
    bound = request.method == "POST"
    form = PoolForm(request.POST, request.FILES) if bound else PoolForm()
    if bound and form.is_valid():
        given = form.cleaned_data
        try:
            with Sources() as sources:
                found = sources.pool(given["pool_place"], given["pool_file"])
                documents = given["documents_place"] or project.collection, given["documents_file"]
                named = "" if given["documents_file"] else documents[0]
                collection = sources.collection(named, given["documents_file"])
                topics = sources.topics(
                    given["topics_place"], given["topics_file"], collection, of_workspace=not any(documents)
                )
                brought = bring_in(
                    project,
                    found,
                    topics,
                    collection,
                    leave_out=given["leave_out"],
                    per_document=given["per_document"],
                    by=cast(User, request.user),
                )
        except CranfieldError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Brought in: {brought}.")
            return redirect("project-pool", project=project.pk)
    return _page(request, project, form=form, status=400 if bound else 200)


@require_POST
@members_only(Role.MANAGER)
def gold(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Add documents whose grade is known."""
    form = GoldForm(request.POST, request.FILES)
    if form.is_valid():
        upload = form.cleaned_data["gold_documents"]
        try:
            with Sources() as sources:
                place = sources.place("", form.cleaned_data["gold_file"])
                assert place is not None
                documents = sources.collection("", upload) if upload else None
                added = add_gold(project, read_qrels(place), documents, by=cast(User, request.user))
        except CranfieldError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{added}.")
            return redirect("project-pool", project=project.pk)
    return _page(request, project, gold_form=form, status=400)


def _page(
    request: HttpRequest,
    project: Project,
    *,
    form: PoolForm | None = None,
    gold_form: GoldForm | None = None,
    status: int = 200,
) -> HttpResponse:
    rounds = project.items.filter(origin=Item.Origin.POOL).values("round").annotate(items=Count("pk"))
    context = {
        "project": project,
        "here": "overview",
        "pool_form": form or PoolForm(),
        "gold_form": gold_form or GoldForm(),
        "rounds": rounds.order_by("round"),
        "gold": project.items.filter(origin=Item.Origin.GOLD).count(),
    }
    return render(request, "projects/pool.html", context, status=status)
