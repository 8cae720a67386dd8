from django.db import migrations, models
from django.db.models import Exists, OuterRef


def let_go_on(apps, schema_editor):
    """Whoever made a project, or was made by the operator and came by no link, may make projects as before."""
    User = apps.get_model("annotation", "User")
    has_made = apps.get_model("annotation", "Project").objects.filter(created_by=OuterRef("pk"))
    came_by_link = apps.get_model("annotation", "Invitation").objects.filter(accepted_by=OuterRef("pk"))
    people = User.objects.filter(is_imported=False)
    people.filter(Exists(has_made) | ~Exists(came_by_link)).update(creates_projects=True)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0025_wrong_tries"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="creates_projects",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(let_go_on, migrations.RunPython.noop, elidable=True),
    ]
