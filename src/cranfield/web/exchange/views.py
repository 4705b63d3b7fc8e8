"""The page on which files come in and go out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from cranfield.data.judging import utc_now
from cranfield.data.judging_record import RULES, grades_by_document
from cranfield.errors import AnotherKindError, CranfieldError, DataError
from cranfield.formats.given_judgments import GivenJudgments, read_given_judgments
from cranfield.web.accounts.models import User
from cranfield.web.attachments import attachment
from cranfield.web.exchange import uploads
from cranfield.web.exchange.bundling import bundled
from cranfield.web.exchange.downloads import DOWNLOADS, Download, download_of, labelling_configuration
from cranfield.web.exchange.forms import ImportForm
from cranfield.web.exchange.importing import SURPLUS, carry_out, forecast
from cranfield.web.exchange.planning import plan
from cranfield.web.exchange.uploads import Upload
from cranfield.web.judging.judgments import decided, record_of
from cranfield.web.named_bytes import NamedBytes
from cranfield.web.permissions import Role, members_only
from cranfield.web.projects.models import Membership, Project

BUNDLE = "bundle"
_PIECE = 1 << 18


@members_only(Role.MANAGER)
def exchange(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponse:
    """What there is to take out, and the form by which judgments come in."""
    form, status = ImportForm(project=project), 200
    if request.method == "POST":
        form = ImportForm(request.POST, request.FILES, project=project)
        upload = _kept(form, project, cast(User, request.user)) if form.is_valid() else None
        if upload is not None:
            return redirect("exchange-upload", project=project.pk, upload=UUID(upload.id))
        status = 400
    return render(request, "exchange/exchange.html", {**_shown(project), "form": form}, status=status)


def _kept(form: ImportForm, project: Project, user: User) -> Upload | None:
    """The file of a form that is valid, if it can be read; if not, the form says why."""
    content = dict(form.cleaned_data)
    upload = None
    try:
        upload = uploads.keep(content.pop("file"), project, user, at=utc_now(), **content)
        plan(project, _given(upload, project), merge=upload.merge)
    except CranfieldError as error:
        form.add_error("file", error.found if isinstance(error, AnotherKindError) else str(error))
        if upload is not None:
            upload.discard()
        return None
    return upload


def _given(upload: Upload, project: Project) -> GivenJudgments:
    """What is in a file that was sent in."""
    grades = {grade["name"]: float(grade["value"]) for scale in project.scales.all() for grade in scale.content}
    given = read_given_judgments(
        NamedBytes(upload.path.read_bytes(), upload.name),
        time=upload.at,
        assessor=upload.assessor,
        format=upload.format or None,
        grades=grades,
    )
    before = upload.prefix_of_names
    return replace(given, events=tuple(replace(one, assessor=before + one.assessor) for one in given.events))


def _shown(project: Project) -> dict[str, Any]:
    record = record_of(project)
    grades = grades_by_document(record)
    several = [those for those in grades.values() if len(those) > 1]
    adjudicated = decided(project)
    last_pool = project.pools.last()
    sample = project.items.filter(probability__isnull=False).exists() and last_pool is not None
    scale = project.current_scale
    return {
        "project": project,
        "here": "exchange",
        "downloads": [
            (name, one)
            for name, one in DOWNLOADS.items()
            if (sample or not one.sample) and (project.mode == Project.Mode.GRADES or not one.of_grades)
        ],
        "rules": [(name, words) for name, (_, words) in RULES.items()],
        "documents": len(grades.keys() | adjudicated.keys()),
        "several": len(several),
        "differ": sum(len(set(those)) > 1 for those in several),
        "adjudicated": len(adjudicated),
        "assessors": Counter(event.assessor for event in record.decisions() if event.action == "grade").most_common(),
        "pairs": project.mode == Project.Mode.PAIRS,
        "configuration": labelling_configuration(scale) if scale is not None else "",
    }


@require_GET
@members_only(Role.MANAGER)
def download(request: HttpRequest, project: Project, membership: Membership | None) -> HttpResponseBase:
    """A file: `?what=qrels&rule=majority`."""
    what, rule = request.GET.get("what", ""), request.GET.get("rule", "majority")
    try:
        if rule not in RULES:
            raise DataError(f"unknown rule {rule!r:.40}; there are: {', '.join(RULES)}")
        if what == BUNDLE:
            return _bundle(project, rule, texts=request.GET.get("texts") != "no")
        chosen = download_of(what)
        pieces = _begun(chosen.pieces(project, rule))
    except CranfieldError as error:
        messages.error(request, str(error))
        return render(
            request, "exchange/exchange.html", {**_shown(project), "form": ImportForm(project=project)}, status=400
        )
    return StreamingHttpResponse(pieces, content_type=_type(chosen), headers=attachment(chosen.file_name(project)))


def _begun(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces, of which the first is made at once: what goes wrong shall be said before a file has begun."""
    iterator = iter(pieces)
    return chain([next(iterator, b"")], iterator)


def _type(chosen: Download) -> str:
    return f"{chosen.content_type}; charset=utf-8"


def _bundle(project: Project, rule: str, *, texts: bool) -> HttpResponseBase:
    file = bundled(project, texts=texts, rule=rule)  # closed with the response
    named = Download("", "", "bundle.zip", "application/zip", lambda *_: ())
    return FileResponse(file, content_type="application/zip", headers=attachment(named.file_name(project)))


@members_only(Role.MANAGER)
def upload(request: HttpRequest, project: Project, membership: Membership | None, upload: UUID) -> HttpResponseBase:
    """What is in a file that was sent in, before it is carried out; then it is, or it is discarded."""
    found = uploads.kept(project, upload)
    if found is None:
        raise Http404
    action, status = request.POST.get("action"), 200
    if request.method == "POST":
        if action == "discard":
            found.discard()
            messages.success(request, f"{found.name}: discarded, nothing was changed")
            return redirect("exchange", project=project.pk)
        if action == "carry out":
            return _carried_out(request, project, found)
        status = 400
    try:
        made = plan(project, _given(found, project), merge=found.merge)
    except CranfieldError as error:
        messages.error(request, str(error))
        return redirect("exchange", project=project.pk)
    members = set(project.memberships.values_list("pseudonym", flat=True))
    context = {
        "project": project,
        "here": "exchange",
        "upload": found,
        "plan": made,
        "forecast": forecast(project, made, found.surplus),
        "assessors": [(name, count, name in members) for name, count in made.assessors],
        "surplus": SURPLUS[found.surplus],
    }
    return render(request, "exchange/upload.html", context, status=status)


def _carried_out(request: HttpRequest, project: Project, found: Upload) -> HttpResponse:
    try:
        user = cast(User, request.user)
        judgments = _given(found, project)
        done = carry_out(project, judgments, surplus=found.surplus, merge=found.merge, by=user, source=found.name)
    except CranfieldError as error:
        messages.error(request, f"nothing was changed: {error}")
        return redirect("exchange", project=project.pk)
    found.discard()
    more = f", {done.raised:,} documents want one more than before" if done.raised else ""
    left_out = done.plan.read - len(done.plan.taken)
    messages.success(
        request,
        f"{found.name}: {done.plan.read:,} read, {done.counted:,} count now, {done.not_counted:,} are kept without "
        f"counting, {left_out:,} left out{more}",
    )
    return redirect("exchange", project=project.pk)
