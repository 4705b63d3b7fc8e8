from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

from cranfield.web.append_only import never_emptied, only_ever_added


class Migration(migrations.Migration):
    dependencies = (
        ("accounts", "0003_tokens_of_the_operator"),
        ("judging", "0004_what_was_found_and_wrong_clocks"),
        ("projects", "0003_pools_and_texts"),
    )
    operations = (
        migrations.AddField(
            model_name="decision",
            name="scale",
            field=models.ForeignKey(
                help_text="What the grade is a grade of; unknown only where it was decided before this was noted.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="projects.scaleversion",
            ),
        ),
        only_ever_added("judging_searchquery"),
        *map(never_emptied, ("judging_event", "judging_decision", "judging_searchquery", "accounts_auditentry")),
    )
