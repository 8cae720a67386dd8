"""Sheets remember that later steps have still to draw the consequences of what their raters did."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0029_export_attempts")]

    operations = [
        migrations.AddField(
            model_name="sheet", name="settling_due", field=models.BooleanField(default=False)
        ),
        migrations.AddIndex(
            model_name="sheet",
            index=models.Index(
                condition=models.Q(("settling_due", True)),
                fields=["project", "question"],
                name="sheet_settling_due",
            ),
        ),
    ]
