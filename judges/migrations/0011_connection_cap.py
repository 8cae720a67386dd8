"""A connection's money never passes its cap; a cap that was set below it meant "no more calls", and still does."""

from django.db import migrations, models
from django.db.models import F


def raise_passed_caps(apps, schema_editor):
    connections = apps.get_model("judges", "Connection").objects
    connections.filter(spend_cap__lt=F("spent") + F("reserved")).update(spend_cap=F("spent") + F("reserved"))


class Migration(migrations.Migration):
    dependencies = [
        ("judges", "0010_tag_proposals"),
    ]

    operations = [
        migrations.RunPython(raise_passed_caps, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name="connection",
            constraint=models.CheckConstraint(
                condition=models.Q(("spend_cap", None), ("spend_cap__gte", models.F("spent") + models.F("reserved")), _connector="OR"),
                name="connection_never_past_its_cap",
            ),
        ),
    ]
