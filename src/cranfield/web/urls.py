"""Every address of the application."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("cranfield.web.accounts.urls")),
    path("projects/", include("cranfield.web.projects.urls")),
    path("projects/<uuid:project>/judge/", include("cranfield.web.judging.urls")),
    path("projects/<uuid:project>/review/", include("cranfield.web.review.urls")),
    path("projects/<uuid:project>/exchange/", include("cranfield.web.exchange.urls")),
    path("projects/<uuid:project>/task/", include("cranfield.web.tasks.urls")),
    path("api/", include("cranfield.web.api.urls")),
]

handler400 = "cranfield.web.error_pages.bad_request"
handler403 = "cranfield.web.error_pages.forbidden"
handler404 = "cranfield.web.error_pages.not_found"
handler500 = "cranfield.web.error_pages.server_error"
