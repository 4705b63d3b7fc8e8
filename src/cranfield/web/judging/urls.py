from __future__ import annotations

from django.urls import path

from cranfield.web.judging import endpoints, preference_files, search_endpoints, search_log, search_page
from cranfield.web.judging.screen import screen

urlpatterns = [
    path("", screen, name="judge"),
    path("next", endpoints.next_items, name="judge-next"),
    path("answers", endpoints.answers, name="judge-answers"),
    path("answered", endpoints.answered, name="judge-answered"),
    path("progress", endpoints.own_progress, name="judge-progress"),
    path("search", search_endpoints.search_for, name="judge-search"),
    path("search/open", search_endpoints.open_document, name="judge-search-open"),
    path("search/leave", search_endpoints.leave_document, name="judge-search-leave"),
    path("searching/", search_page.begin, name="judge-searching-begin"),
    path("searching/<int:topic>/", search_page.page, name="judge-searching"),
    path("searches", search_log.download, name="judge-searches"),
    path("preferences", preference_files.download, name="judge-preferences"),
]
