from __future__ import annotations

from django.db import migrations

from cranfield.web.append_only import only_ever_added


class Migration(migrations.Migration):
    dependencies = (("judging", "0001_initial"), ("accounts", "0002_initial"))
    operations = tuple(map(only_ever_added, ("judging_event", "judging_decision", "accounts_auditentry")))
