"""Coming in, one's own account, and the page one begins with."""

from __future__ import annotations

import logging
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.views.decorators.http import require_safe

from cranfield.web.accounts.audit import note
from cranfield.web.accounts.forms import AccountForm, ChangePasswordForm, ChoosePasswordForm, LoginForm
from cranfield.web.accounts.models import User
from cranfield.web.accounts.throttling import TooManyFailuresError, begin_login, forgive
from cranfield.web.judging.progress import progress
from cranfield.web.projects.models import Membership, Project

_LOG = logging.getLogger(__name__)


class Login(auth_views.LoginView):
    """Name and password, slowed down where they fail too often."""

    template_name = "accounts/login.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        address = request.META["REMOTE_ADDR"]
        try:
            login = begin_login(request.POST.get("username", ""), address)
        except TooManyFailuresError as error:
            _LOG.warning("logins from %s wait for %d minutes", address, error.minutes)
            form = self.authentication_form(request)
            context = self.get_context_data(form=form, wait=error.minutes)
            refused = render(request, self.template_name, context, status=429)
            refused.headers["Retry-After"] = str(60 * error.minutes)
            return refused
        response = super().post(request, *args, **kwargs)
        if request.user.is_authenticated:
            forgive(login)
        else:
            _LOG.warning("a login from %s failed", address)
        return response


class ChangePassword(auth_views.PasswordChangeView):
    """The old password and a new one; whoever is logged in elsewhere by the old one is no longer."""

    template_name = "accounts/change_password.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        note(self.request.user, None, "password changed")
        messages.success(self.request, "Your password is changed.")
        return response


class ChoosePassword(auth_views.PasswordResetConfirmView):
    """A password by a link that the operator handed out."""

    template_name = "accounts/choose_password.html"
    form_class = ChoosePasswordForm
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        note(self.user, None, "password chosen by a link")
        messages.success(self.request, "Your password is set. Log in with it.")
        return response


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Where one goes on: an assessor sees what to judge, a manager their projects, an administrator all of them."""
    user = cast(User, request.user)
    mine = Membership.objects.filter(user=user, left_at=None).select_related("project").order_by("project__name")
    context: dict[str, Any] = {role: mine.filter(role=role) for role in Membership.Role.values}
    to_judge = context["assessor"].filter(project__closed_at=None)
    context["closed"] = context["assessor"].exclude(project__closed_at=None)
    context["assessor"] = [(one, *_judged(one.project, user)) for one in to_judge]
    context["may_create"] = user.is_administrator or context["manager"].exists()
    context["projects"] = Project.objects.order_by("name") if user.is_administrator else None
    return render(request, "accounts/home.html", context)


def _judged(project: Project, user: User) -> tuple[int, int]:
    """How many documents somebody has judged, of how many there are for them."""
    topics = progress(project, user)
    done = sum(topic.done for topic in topics)
    return done, done + sum(topic.left for topic in topics)


def account(request: HttpRequest) -> HttpResponse:
    """One's own account."""
    user = cast(User, request.user)
    form = AccountForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Kept.")
        return redirect("account")
    memberships = Membership.objects.filter(user=user, left_at=None).select_related("project").order_by("project__name")
    return render(request, "accounts/account.html", {"form": form, "memberships": memberships})


@login_not_required
@require_safe
def robots(request: HttpRequest) -> HttpResponseBase:
    """Nothing here is for search engines."""
    return HttpResponse("User-agent: *\nDisallow: /\n", content_type="text/plain")
