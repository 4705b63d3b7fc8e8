from __future__ import annotations

from django.db import migrations

from cranfield.web.append_only import never_emptied, only_ever_added

_STAY = (
    "id",
    "project_id",
    "participant_id",
    "name",
    "tag",
    "description",
    "run",
    "sha256",
    "topics",
    "documents",
    "at",
)


class Migration(migrations.Migration):
    dependencies = (("tasks", "0002_shared_tasks"), ("judging", "0002_append_only"))
    operations = (only_ever_added("tasks_submission", *_STAY), never_emptied("tasks_submission"))
