from __future__ import annotations

from django.urls import path

from cranfield.web.api.described import described
from cranfield.web.api.routing import nothing_here, urls_of
from cranfield.web.api.table import OPERATIONS

urlpatterns = [
    path("openapi.json", described, name="api-openapi"),
    *urls_of(OPERATIONS),
    path("", nothing_here, {"rest": ""}),
    path("<path:rest>", nothing_here),
]
