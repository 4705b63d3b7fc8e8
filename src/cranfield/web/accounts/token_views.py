"""The page of a project's tokens: a manager makes them for programs, and revokes them."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from cranfield.web.accounts.forms import TokenForm
from cranfield.web.accounts.models import ApiToken, User
from cranfield.web.accounts.tokens import make_token, revoke
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project


@members_only(Role.MANAGER)
def api_tokens(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """Every token of a project, and a new one, which is shown in the answer and nowhere else."""
    form, secret, status = TokenForm(request.POST or None), None, 200
    if request.method == "POST":
        if form.is_valid():
            _, secret = make_token(project, cast(User, request.user), **form.cleaned_data)
            form = TokenForm()
        else:
            status = 400
    context = {
        "project": project,
        "here": "exchange",
        "tokens": ApiToken.objects.filter(project=project).select_related("user").order_by("revoked_at", "-created_at"),
        "form": form,
        "secret": secret,
        "address": request.build_absolute_uri(f"/api/projects/{project.pk}"),
        "description": reverse("api-openapi"),
    }
    return render(request, "accounts/tokens.html", context, status=status)


@require_POST
@members_only(Role.MANAGER)
def revoke_token(request: HttpRequest, project: Project, membership: Membership | None, api_token: int) -> HttpResponse:
    revoke(get_object_or_404(ApiToken, project=project, pk=api_token), cast(User, request.user))
    messages.success(request, "The token is revoked: programs that use it are turned away from now on.")
    return redirect("api-tokens", project=project.pk)
