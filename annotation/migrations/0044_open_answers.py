from django.db import migrations, models
from django.db.models import F, Q

OPEN = Q(("state", "open"), ("taken__lt", F("wanted")))
# In this order: of indexes as good as each other SQLite takes the last.
INDEXES = {
    "candidate_with_open_slot": OPEN,
    "candidate_begun": OPEN & Q(("taken__gt", 0)),
    "candidate_going_first": OPEN & Q(("goes_first", True)),
}


class Migration(migrations.Migration):
    dependencies = [("annotation", "0043_one_rater_first")]

    operations = [
        *(migrations.RemoveIndex(model_name="candidate", name=name) for name in INDEXES),
        *(
            migrations.AddIndex(
                model_name="candidate",
                index=models.Index(fields=["project", "question"], name=name, condition=condition),
            )
            for name, condition in INDEXES.items()
        ),
    ]
