"""Addresses of projects."""

from __future__ import annotations

from django.urls import path

from cranfield.web.projects import (
    again_views,
    document_views,
    member_views,
    new_views,
    overview_views,
    pool_views,
    settings_views,
)

urlpatterns = [
    path("new/", new_views.new_project, name="project-new"),
    path("guideline/", new_views.preview, name="project-guideline"),
    path("<uuid:project>/", overview_views.project_overview, name="project"),
    path("<uuid:project>/progress/", overview_views.project_progress, name="project-progress"),
    path("<uuid:project>/people/", member_views.members, name="project-members"),
    path("<uuid:project>/people/<int:member>/", member_views.member, name="project-member"),
    path("<uuid:project>/documents/", document_views.documents, name="project-documents"),
    path("<uuid:project>/documents/<int:item>/", document_views.document, name="project-document"),
    path("<uuid:project>/pool/", pool_views.pool, name="project-pool"),
    path("<uuid:project>/pool/gold/", pool_views.gold, name="project-gold"),
    path("<uuid:project>/again/", again_views.again, name="project-again"),
    path("<uuid:project>/again/compare/", again_views.compare, name="project-compare"),
    path("<uuid:project>/again/texts/", again_views.new_texts, name="project-new-texts"),
    path("<uuid:project>/settings/", settings_views.settings, name="project-settings"),
    path("<uuid:project>/settings/open/", settings_views.open_or_close, name="project-open"),
    path("<uuid:project>/settings/scale/", settings_views.scale, name="project-scale"),
]
