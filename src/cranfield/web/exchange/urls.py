from __future__ import annotations

from django.urls import path

from cranfield.web.exchange import views

urlpatterns = [
    path("", views.exchange, name="exchange"),
    path("download", views.download, name="exchange-download"),
    path("uploads/<uuid:upload>/", views.upload, name="exchange-upload"),
]
