"""The tables of all migrations that it replaces, for databases that have none of them: a quarter of their time."""

import common.identifiers
import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("judges", "0001_initial"),
        ("judges", "0002_verdict_flags"),
        ("judges", "0003_connections"),
        ("judges", "0004_prejudging"),
        ("judges", "0005_prompts"),
        ("judges", "0006_run_spending_and_calls"),
        ("judges", "0007_batches_in_order"),
        ("judges", "0008_failure_tags"),
        ("judges", "0009_round_taggers"),
        ("judges", "0010_tag_proposals"),
        ("judges", "0011_connection_cap"),
        ("judges", "0012_model_proposes_tags"),
        ("judges", "0013_reference_scores"),
        ("judges", "0014_reference_places"),
        ("judges", "0015_sweepers_sign"),
        ("judges", "0020_runs_have_a_scope"),
        ("judges", "0021_true_audit_probabilities"),
        ("judges", "0022_runs_are_planned_in_shares"),
        ("judges", "0023_what_runs_state"),
    ]

    initial = True

    dependencies = [
        ("annotation", "0001_squashed_0035_changes_of_projects"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReferenceScore",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=common.identifiers.new_public_id, editable=False, max_length=20, unique=True
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reference_scores",
                        to="annotation.project",
                    ),
                ),
                (
                    "subject",
                    models.CharField(choices=[("system", "System"), ("judge", "Judge")], max_length=10),
                ),
                ("name", models.CharField(max_length=200)),
                ("measure", models.CharField(max_length=200)),
                ("value", models.FloatField()),
                ("n", models.PositiveIntegerField(null=True)),
                ("about", models.CharField(blank=True, max_length=200)),
                ("dataset", models.CharField(blank=True, default="", max_length=100)),
                ("system", models.CharField(blank=True, default="", max_length=200)),
                ("prompt", models.CharField(blank=True, default="", max_length=100)),
                ("source", models.CharField(max_length=500)),
                ("source_url", models.CharField(blank=True, max_length=500)),
                (
                    "added_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("added_at", models.DateTimeField()),
                (
                    "removed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("removed_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("removed_at__isnull", True)),
                        fields=(
                            "project",
                            "subject",
                            "name",
                            "measure",
                            "about",
                            "dataset",
                            "system",
                            "prompt",
                        ),
                        name="reference_score_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("value__gte", -1), ("value__lte", 1)), name="reference_is_a_share"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Connection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=common.identifiers.new_public_id, editable=False, max_length=20, unique=True
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="connections",
                        to="annotation.project",
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("base_url", models.CharField(max_length=500)),
                (
                    "endpoint",
                    models.CharField(
                        choices=[("chat", "Chat"), ("completion", "Completion")],
                        default="chat",
                        max_length=20,
                    ),
                ),
                ("model", models.CharField(max_length=200)),
                ("parameters", models.JSONField(blank=True, default=dict)),
                ("encrypted_key", models.TextField(blank=True)),
                ("key_last_four", models.CharField(blank=True, max_length=4)),
                ("input_price", models.BigIntegerField(default=0)),
                ("output_price", models.BigIntegerField(default=0)),
                ("requests_per_minute", models.PositiveIntegerField(null=True)),
                ("parallel_calls", models.PositiveIntegerField(default=4)),
                ("timeout_seconds", models.PositiveIntegerField(default=60)),
                ("spend_cap", models.BigIntegerField(null=True)),
                ("spent", models.BigIntegerField(default=0)),
                ("reserved", models.BigIntegerField(default=0)),
                ("rests_until", models.DateTimeField(null=True)),
                ("next_call_at", models.DateTimeField(null=True)),
                ("archived_at", models.DateTimeField(null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("archived_at", None)),
                        fields=("project", "name"),
                        name="connection_name_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("input_price__gte", 0),
                            ("output_price__gte", 0),
                            ("reserved__gte", 0),
                            ("spent__gte", 0),
                        ),
                        name="connection_money_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("spend_cap", None),
                            (
                                "spend_cap__gte",
                                django.db.models.expressions.CombinedExpression(
                                    models.F("spent"), "+", models.F("reserved")
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="connection_never_past_its_cap",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("parallel_calls__gte", 1)), name="connection_calls_at_least_one"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JudgeRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=common.identifiers.new_public_id, editable=False, max_length=20, unique=True
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="judge_runs",
                        to="annotation.project",
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[("verdicts", "Verdicts"), ("tags", "Tags")],
                        default="verdicts",
                        max_length=20,
                    ),
                ),
                (
                    "data_import",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judge_runs",
                        to="annotation.dataimport",
                    ),
                ),
                (
                    "connection",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="runs",
                        to="judges.connection",
                    ),
                ),
                ("judge_key", models.CharField(max_length=120)),
                ("options", models.JSONField(blank=True, default=dict)),
                ("gold_version", models.CharField(default="original", max_length=80)),
                ("stated", models.JSONField(blank=True, default=list)),
                ("signature", models.TextField()),
                ("signature_hash", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("sampled", "Sampled"),
                            ("finished", "Finished"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=20,
                    ),
                ),
                ("message", models.TextField(blank=True)),
                ("spend_cap", models.BigIntegerField(null=True)),
                ("spent", models.BigIntegerField(default=0)),
                ("reserved", models.BigIntegerField(default=0)),
                ("sample_size", models.PositiveIntegerField(null=True)),
                ("sample_seed", models.PositiveIntegerField(default=0)),
                ("only_judged", models.BooleanField(default=False)),
                ("only_dataset", models.CharField(blank=True, max_length=100)),
                ("only_system", models.CharField(blank=True, max_length=20)),
                ("planning_until", models.DateTimeField(null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("project", "signature_hash"), name="one_run_a_signature"),
                    models.CheckConstraint(
                        condition=models.Q(("reserved__gte", 0), ("spent__gte", 0)),
                        name="run_money_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("spend_cap", None),
                            (
                                "spend_cap__gte",
                                django.db.models.expressions.CombinedExpression(
                                    models.F("spent"), "+", models.F("reserved")
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="run_never_past_its_cap",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RunBatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="batches",
                        to="judges.judgerun",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("candidate_ids", models.JSONField()),
                ("size", models.PositiveIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("claimed", "Claimed"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="open",
                        max_length=20,
                    ),
                ),
                ("owner", models.CharField(blank=True, max_length=64)),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("waits", models.PositiveIntegerField(default=0)),
                ("refusals", models.PositiveIntegerField(default=0)),
                ("lease_expires_at", models.DateTimeField(null=True)),
                ("not_before", models.DateTimeField(null=True)),
                ("error", models.TextField(blank=True)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["run", "state", "number"], name="batches_of_run")],
                "constraints": [models.UniqueConstraint(fields=("run", "number"), name="batch_number_once")],
            },
        ),
        migrations.CreateModel(
            name="Call",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="calls",
                        to="judges.judgerun",
                    ),
                ),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="calls",
                        to="judges.connection",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="calls",
                        to="annotation.candidate",
                    ),
                ),
                ("repeat", models.PositiveIntegerField(default=0)),
                ("cache_key", models.CharField(max_length=64)),
                ("owner", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[("reserved", "Reserved"), ("settled", "Settled"), ("released", "Released")],
                        default="reserved",
                        max_length=20,
                    ),
                ),
                ("reserved", models.BigIntegerField(default=0)),
                ("cost", models.BigIntegerField(default=0)),
                ("input_tokens", models.PositiveIntegerField(default=0)),
                ("output_tokens", models.PositiveIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("fingerprint", models.CharField(blank=True, max_length=200)),
                ("finish_reason", models.CharField(blank=True, max_length=60)),
                ("reply", models.TextField(blank=True)),
                ("logprobs", models.JSONField(blank=True, default=list)),
                ("is_cache_hit", models.BooleanField(default=False)),
                ("is_counted", models.BooleanField(default=True)),
                ("error", models.TextField(blank=True)),
                ("created_at", models.DateTimeField()),
                ("settled_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["connection", "cache_key"], name="calls_by_key"),
                    models.Index(fields=["run", "candidate"], name="calls_of_run"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "reserved")),
                        fields=("connection", "cache_key"),
                        name="one_call_in_flight",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("is_counted", True), ("state", "settled")),
                        fields=("run", "candidate", "repeat"),
                        name="one_counted_call_a_repeat",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("settled_at", None), ("state", "reserved")),
                            models.Q(
                                models.Q(("state", "reserved"), _negated=True),
                                models.Q(("settled_at", None), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="call_settled_or_in_flight",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("cost__gte", 0), ("reserved__gte", 0)),
                        name="call_money_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LastSweep",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("swept_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("pk", 1)), name="one_last_sweep")],
            },
        ),
        migrations.CreateModel(
            name="Verdict",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="verdicts",
                        to="judges.judgerun",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="verdicts",
                        to="annotation.candidate",
                    ),
                ),
                ("accepted", models.BooleanField(null=True)),
                ("score", models.FloatField(null=True)),
                ("unscored_reason", models.CharField(blank=True, max_length=60)),
                ("raw_reply", models.TextField(blank=True)),
                ("flags", models.CharField(blank=True, max_length=200)),
                ("judged_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("run", "candidate"), name="one_verdict_a_candidate"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("accepted__isnull", False),
                            models.Q(("unscored_reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="unscored_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PrejudgingPolicy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="prejudging_policy",
                        to="annotation.project",
                    ),
                ),
                ("rules", models.JSONField(blank=True, default=list)),
                ("audit_share", models.FloatField()),
                ("seed", models.PositiveBigIntegerField()),
                (
                    "saved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("saved_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="PolicyApplication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=common.identifiers.new_public_id, editable=False, max_length=20, unique=True
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="policy_applications",
                        to="annotation.project",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("rules", models.JSONField()),
                ("audit_share", models.FloatField()),
                ("seed", models.PositiveBigIntegerField()),
                ("content_hash", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("undoing", "Undoing"),
                            ("undone", "Undone"),
                        ],
                        default="queued",
                        max_length=20,
                    ),
                ),
                ("undoing_rule", models.PositiveSmallIntegerField(null=True)),
                (
                    "applied_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("applied_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "undone_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("undo_reason", models.TextField(blank=True)),
                ("undone_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("project", "number"), name="application_number_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "undone"), _negated=True),
                        fields=("project", "content_hash"),
                        name="policy_in_force_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PrejudgedAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "application",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="judges.policyapplication",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="prejudgments",
                        to="annotation.candidate",
                    ),
                ),
                ("rule_number", models.PositiveSmallIntegerField()),
                ("label", models.CharField(max_length=60)),
                ("is_audited", models.BooleanField(default=False)),
                ("audit_probability", models.FloatField()),
                (
                    "decision",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="prejudgment",
                        to="annotation.decision",
                    ),
                ),
                ("settled_at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["application", "rule_number"], name="answers_of_rule")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at__isnull", True)),
                        fields=("candidate",),
                        name="prejudged_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decision__isnull", True), ("is_audited", True)),
                            models.Q(("decision__isnull", False), ("is_audited", False)),
                            _connector="OR",
                        ),
                        name="audited_or_decided",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PrejudgedVerdict",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="verdicts",
                        to="judges.prejudgedanswer",
                    ),
                ),
                (
                    "verdict",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="judges.verdict",
                    ),
                ),
                ("run_public_id", models.CharField(max_length=20)),
                ("accepted", models.BooleanField()),
                ("score", models.FloatField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("answer", "run_public_id"), name="run_once_behind_answer")
                ],
            },
        ),
        migrations.CreateModel(
            name="Prompt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=common.identifiers.new_public_id, editable=False, max_length=20, unique=True
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="prompts",
                        to="annotation.project",
                    ),
                ),
                ("key", models.SlugField(max_length=60)),
                ("name", models.CharField(max_length=100)),
                ("version", models.PositiveIntegerField()),
                ("system", models.TextField(blank=True)),
                ("template", models.TextField()),
                (
                    "parser",
                    models.CharField(
                        choices=[
                            ("first-word", "First Word"),
                            ("strict", "Strict"),
                            ("last-after-bar", "Last After Bar"),
                            ("label", "Label"),
                        ],
                        max_length=20,
                    ),
                ),
                ("response_schema", models.JSONField(null=True)),
                ("hash", models.CharField(max_length=64)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("project", "key", "version"), name="prompt_version_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="ExampleSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="example_sets",
                        to="annotation.project",
                    ),
                ),
                ("hash", models.CharField(max_length=64)),
                ("examples", models.JSONField()),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("project", "hash"), name="example_set_once")],
            },
        ),
        migrations.CreateModel(
            name="TagSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=common.identifiers.new_public_id, editable=False, max_length=20, unique=True
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tag_sets",
                        to="annotation.project",
                    ),
                ),
                ("key", models.SlugField(max_length=60)),
                ("version", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=100)),
                ("summary", models.TextField(blank=True)),
                ("source", models.CharField(blank=True, max_length=200)),
                (
                    "subject",
                    models.CharField(
                        choices=[("answer", "Answer"), ("question", "Question"), ("verdict", "Verdict")],
                        max_length=20,
                    ),
                ),
                ("several", models.BooleanField(default=True)),
                ("tags", models.JSONField()),
                ("content_hash", models.CharField(max_length=64)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("project", "key", "version"), name="tag_set_version_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="TaggingRound",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=common.identifiers.new_public_id, editable=False, max_length=20, unique=True
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tagging_rounds",
                        to="annotation.project",
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                (
                    "tag_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="rounds",
                        to="judges.tagset",
                    ),
                ),
                ("filter", models.JSONField()),
                (
                    "run",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tagging_rounds",
                        to="judges.judgerun",
                    ),
                ),
                ("judge_signature", models.TextField(blank=True)),
                ("size", models.PositiveIntegerField(null=True)),
                ("seed", models.PositiveBigIntegerField()),
                ("population", models.PositiveIntegerField()),
                (
                    "proposals",
                    models.CharField(
                        choices=[("none", "None"), ("hidden", "Hidden"), ("shown", "Shown")],
                        default="none",
                        max_length=20,
                    ),
                ),
                (
                    "proposer_run",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="proposes_in",
                        to="judges.judgerun",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="RoundTagger",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="named",
                        to="judges.tagginground",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="named_in_rounds",
                        to="annotation.membership",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("round", "member"), name="named_once_a_round")
                ],
            },
        ),
        migrations.CreateModel(
            name="TaggedItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=common.identifiers.new_public_id, editable=False, max_length=20, unique=True
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="judges.tagginground",
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tagged_items",
                        to="annotation.question",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tagged_items",
                        to="annotation.candidate",
                    ),
                ),
                (
                    "verdict",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tagged_items",
                        to="judges.verdict",
                    ),
                ),
                ("accepted", models.BooleanField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("round", "position"), name="tagged_position_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("candidate__isnull", False)),
                        fields=("round", "candidate"),
                        name="tagged_answer_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("candidate__isnull", True)),
                        fields=("round", "question"),
                        name="tagged_question_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TagProposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposal",
                        to="judges.taggeditem",
                    ),
                ),
                ("signature", models.TextField()),
                ("tags", models.JSONField(blank=True, default=list)),
                ("reason", models.TextField(blank=True)),
                ("failure", models.CharField(blank=True, max_length=60)),
                ("proposed_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Tagging",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="taggings",
                        to="judges.taggeditem",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("is_current", models.BooleanField(default=True)),
                ("is_withdrawal", models.BooleanField(default=False)),
                ("tags", models.JSONField(blank=True, default=list)),
                ("is_unattributable", models.BooleanField(default=False)),
                ("note", models.TextField(blank=True)),
                (
                    "tagged_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("tagged_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("item", "number"), name="tagging_number_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("is_current", True)), fields=("item",), name="one_current_tagging"
                    ),
                ],
            },
        ),
    ]
