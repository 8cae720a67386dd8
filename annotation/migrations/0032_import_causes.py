"""Add to imports how many problems there are of each cause."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0031_upkeep_and_ways_out")]

    operations = [
        migrations.AddField("dataimport", "causes", models.JSONField(blank=True, default=list)),
    ]
