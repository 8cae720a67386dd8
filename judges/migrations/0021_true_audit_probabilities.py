"""Record with which probability answers really were to be drawn for the audit.

Applications of one policy drew by one seed: what an earlier one had left out a later one could not draw,
unless its share was raised, then with (later − earlier) / (1 − earlier); what an earlier one had drawn was
drawn again, unless the share was lowered, then with later / earlier.
"""

from typing import Any

from django.db import migrations

# A draw is the same in all applications of one seed.
FIELDS = ("pk", "candidate_id", "application__seed", "application__audit_share", "is_audited")


def correct(apps: Any, schema_editor: Any) -> None:
    """Walk through each project's answers in the order of their applications."""
    answers = apps.get_model("judges", "PrejudgedAnswer").objects
    passed_over: dict[tuple[int, int], float] = {}
    drawn: dict[tuple[int, int], float] = {}
    true: dict[float, list[int]] = {}
    rows = answers.order_by("application__project_id", "application__number", "pk")
    for pk, candidate, seed, share, is_audited in rows.values_list(*FIELDS).iterator():
        name = (candidate, seed)
        if name in passed_over or name in drawn:
            low, high = passed_over.get(name, 0.0), drawn.get(name, 1.0)
            probability = min(1.0, max(0.0, (share - low) / (high - low))) if high > low else 0.0
            true.setdefault(probability, []).append(pk)
        if is_audited:
            drawn[name] = min(share, drawn.get(name, 1.0))
        else:
            passed_over[name] = max(share, passed_over.get(name, 0.0))
    for probability, keys in true.items():
        for start in range(0, len(keys), 500):
            answers.filter(pk__in=keys[start : start + 500]).update(audit_probability=probability)


class Migration(migrations.Migration):
    dependencies = [("judges", "0020_runs_have_a_scope")]
    operations = [migrations.RunPython(correct, migrations.RunPython.noop, elidable=True)]
