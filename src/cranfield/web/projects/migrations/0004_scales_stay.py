from __future__ import annotations

from django.db import migrations

from cranfield.web.append_only import never_emptied, only_ever_added


class Migration(migrations.Migration):
    dependencies = (("projects", "0003_pools_and_texts"), ("judging", "0002_append_only"))
    operations = (only_ever_added("projects_scaleversion"), never_emptied("projects_scaleversion"))
