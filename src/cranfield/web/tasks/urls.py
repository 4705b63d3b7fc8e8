"""Addresses of shared tasks."""

from __future__ import annotations

from django.urls import path

from cranfield.web.tasks import downloads, organising_views, pooling_views, views

urlpatterns = [
    path("", views.task, name="task"),
    path("settings/", organising_views.settings, name="task-settings"),
    path("topics", downloads.topics, name="task-topics"),
    path("documents", downloads.documents, name="task-documents"),
    path("hand-in/", views.hand_in, name="task-hand-in"),
    path("submissions.zip", downloads.submissions, name="task-submissions"),
    path("submissions/<uuid:submission>/", downloads.submission, name="task-submission"),
    path("submissions/<uuid:submission>/withdraw/", views.withdraw, name="task-withdraw"),
    path("pool/", pooling_views.pool, name="task-pool"),
    path("releases/new/", organising_views.new_release, name="task-release-new"),
    path("releases/<int:release>/", organising_views.release, name="task-release"),
    path("releases/<int:release>/show/", organising_views.show_release, name="task-release-show"),
    path("releases/<int:release>/withdraw/", organising_views.hide_release, name="task-release-withdraw"),
]
