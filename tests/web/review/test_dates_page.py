from __future__ import annotations

from datetime import datetime

from django.test import Client
from django.urls import reverse

from cranfield.web.projects.models import Document, Project
from tests.web.review.making import judged, make_people


def test_how_old_judgments_are(manager: Client, project: Project) -> None:
    (ann,) = make_people(project, ann="")
    items = list(project.items.all())
    for item, time in zip(
        items[:3], ("2025-12-31T23:00:00Z", "2026-01-01T00:00:00Z", "2026-02-03T00:00:00Z"), strict=True
    ):
        judged(item, ann, 1, time=datetime.fromisoformat(time))
    Document.objects.filter(pk=items[1].document_id).update(changed_sha256="f" * 64)
    response = manager.get(reverse("review-dates", args=[project.pk]), {"before": "2026-01-01"})
    text = response.content.decode()
    assert "<strong>1</strong> of 3 judgments that stand were made before 2026-01-01" in text
    assert response.context["months"] == [("2025-12", 1), ("2026-01", 1), ("2026-02", 1)]
    assert [document.name for document in response.context["changed"]] == [items[1].document.name]
    assert reverse("project-again", args=[project.pk]) in text


def test_without_judgments_and_with_a_date_that_is_none(manager: Client, project: Project) -> None:
    assert "of 0 judgments" in manager.get(reverse("review-dates", args=[project.pk])).content.decode()
    response = manager.get(reverse("review-dates", args=[project.pk]), {"before": "soon"})
    assert response.status_code == 400
    assert "Enter a valid date" in response.content.decode()
