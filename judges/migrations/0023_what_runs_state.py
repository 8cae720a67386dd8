"""Runs keep what their signatures state, name by name; it is no longer read out of the line."""

from django.db import migrations, models


def read_signatures(apps, schema_editor):
    runs = apps.get_model("judges", "JudgeRun").objects
    for pk, signature in list(runs.order_by("pk").values_list("pk", "signature")):
        parts = (part.partition(":") for part in signature.split("|") if ":" in part)
        stated = [[name, value.replace("%7C", "|").replace("%25", "%")] for name, _, value in parts]
        runs.filter(pk=pk).update(stated=stated)


class Migration(migrations.Migration):

    dependencies = [
        ('judges', '0022_runs_are_planned_in_shares'),
    ]

    operations = [
        migrations.AddField(
            model_name='judgerun',
            name='stated',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.RunPython(read_signatures, migrations.RunPython.noop, elidable=True),
    ]
