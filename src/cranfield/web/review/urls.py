from __future__ import annotations

from django.urls import path

from cranfield.web.review.adjudication import adjudicate, adjudication
from cranfield.web.review.agreement import review_agreement
from cranfield.web.review.assessors import review_assessor, review_assessors
from cranfield.web.review.dates import review_dates
from cranfield.web.review.what_if import review_what_if

urlpatterns = [
    path("agreement/", review_agreement, name="review-agreement"),
    path("dates/", review_dates, name="review-dates"),
    path("assessors/", review_assessors, name="review-assessors"),
    path("assessors/<int:member>/", review_assessor, name="review-assessor"),
    path("adjudication/", adjudication, name="adjudication"),
    path("adjudication/<int:item>/", adjudicate, name="adjudicate"),
    path("what-if/", review_what_if, name="review-what-if"),
]
