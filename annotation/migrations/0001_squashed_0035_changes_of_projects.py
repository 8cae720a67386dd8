"""The tables of all migrations that it replaces, for databases that have none of them: a quarter of their time."""

import common.identifiers
import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("annotation", "0001_initial"),
        ("annotation", "0002_sheet_drafts_and_fillers"),
        ("annotation", "0003_imports_one_at_a_time_and_own_golds"),
        ("annotation", "0004_votes_set_aside"),
        ("annotation", "0005_answer_cleaning"),
        ("annotation", "0006_asking_again_and_groups"),
        ("annotation", "0007_project_archived_at"),
        ("annotation", "0008_work_plans"),
        ("annotation", "0009_question_corrections"),
        ("annotation", "0010_known_answers"),
        ("annotation", "0011_guidelines_readings"),
        ("annotation", "0012_purposes"),
        ("annotation", "0013_account_language"),
        ("annotation", "0014_work_events"),
        ("annotation", "0015_gold_among_answers"),
        ("annotation", "0016_grouped_decisions"),
        ("annotation", "0017_reused_decisions"),
        ("annotation", "0018_former_keys"),
        ("annotation", "0019_sent_back"),
        ("annotation", "0020_pilots"),
        ("annotation", "0021_stand_ins"),
        ("annotation", "0022_second_pass"),
        ("annotation", "0023_reference_count"),
        ("annotation", "0024_sample_of_votes"),
        ("annotation", "0025_wrong_tries"),
        ("annotation", "0026_project_creators"),
        ("annotation", "0027_sheet_version"),
        ("annotation", "0028_measured_seconds"),
        ("annotation", "0029_export_attempts"),
        ("annotation", "0030_settling_due"),
        ("annotation", "0031_upkeep_and_ways_out"),
        ("annotation", "0032_import_causes"),
        ("annotation", "0033_import_columns"),
        ("annotation", "0034_text_of_row"),
        ("annotation", "0035_changes_of_projects"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=common.identifiers.new_public_id, editable=False, max_length=20, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=150)),
                ("is_imported", models.BooleanField(default=False)),
                ("language", models.CharField(blank=True, default="", max_length=10)),
                ("creates_projects", models.BooleanField(default=False)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Project",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "Open"), ("archived", "Archived")], default="open", max_length=20
                    ),
                ),
                ("archived_at", models.DateTimeField(null=True)),
                ("deleted_at", models.DateTimeField(null=True)),
                (
                    "pooling",
                    models.CharField(
                        choices=[("exact", "Exact"), ("casefold", "Casefold"), ("normalized", "Normalized")],
                        default="normalized",
                        max_length=20,
                    ),
                ),
                (
                    "cleaning",
                    models.CharField(
                        choices=[("none", "None"), ("chat", "Chat")], default="none", max_length=20
                    ),
                ),
                ("seed", models.PositiveBigIntegerField(default=1)),
                (
                    "sample_method",
                    models.CharField(
                        choices=[
                            ("all", "All"),
                            ("seed", "Seed"),
                            ("filter", "Filter"),
                            ("questions", "Questions"),
                            ("votes", "Votes"),
                        ],
                        default="all",
                        max_length=20,
                    ),
                ),
                ("sample_options", models.JSONField(blank=True, default=dict)),
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
            name="ProtocolVersion",
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
                        related_name="protocol_versions",
                        to="annotation.project",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("spec", models.JSONField()),
                ("content_hash", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField()),
                ("frozen_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("project", "number"), name="protocol_version_number_once")
                ],
            },
        ),
        migrations.AddField(
            model_name="project",
            name="protocol",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="current_project",
                to="annotation.protocolversion",
            ),
        ),
        migrations.CreateModel(
            name="WrongTries",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("account", models.CharField(blank=True, max_length=64)),
                ("client", models.CharField(blank=True, max_length=64)),
                ("number", models.PositiveIntegerField(default=0)),
                ("since", models.DateTimeField(db_index=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("account", "client"), name="wrong_tries_counted_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Change",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("project_id", models.BigIntegerField()),
                ("area", models.PositiveSmallIntegerField()),
                ("changes", models.PositiveBigIntegerField()),
                ("mark", models.BigIntegerField()),
            ],
            options={
                "indexes": [models.Index(fields=["project_id", "area"], name="changes_of_project")],
            },
        ),
        migrations.CreateModel(
            name="Upkeep",
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
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="upkeep",
                        to="annotation.project",
                    ),
                ),
                ("due", models.JSONField(blank=True, default=list)),
                ("number", models.PositiveIntegerField(default=0)),
                ("asked_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Membership",
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
                        related_name="members",
                        to="annotation.project",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("lead", "Lead"),
                            ("adjudicator", "Adjudicator"),
                            ("annotator", "Annotator"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("active", "Active"), ("paused", "Paused"), ("left", "Left")],
                        default="active",
                        max_length=20,
                    ),
                ),
                ("pseudonym", models.CharField(max_length=40)),
                ("group", models.CharField(blank=True, max_length=60)),
                ("unblinded_at", models.DateTimeField(null=True)),
                ("joined_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("project", "user"), name="member_once"),
                    models.UniqueConstraint(fields=("project", "pseudonym"), name="pseudonym_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="GuidelinesReading",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="readings",
                        to="annotation.membership",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="readings",
                        to="annotation.protocolversion",
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("read_at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["member", "read_at"], name="readings_of_member")],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
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
                        related_name="invitations",
                        to="annotation.project",
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("lead", "Lead"),
                            ("adjudicator", "Adjudicator"),
                            ("annotator", "Annotator"),
                        ],
                        max_length=20,
                    ),
                ),
                ("label", models.CharField(blank=True, max_length=150)),
                ("group", models.CharField(blank=True, max_length=60)),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                ("accepted_at", models.DateTimeField(null=True)),
                (
                    "accepted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DataImport",
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
                        related_name="imports",
                        to="annotation.project",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("checking", "Checking"),
                            ("ready", "Ready"),
                            ("refused", "Refused"),
                            ("applying", "Applying"),
                            ("applied", "Applied"),
                            ("failed", "Failed"),
                            ("undoing", "Undoing"),
                            ("undone", "Undone"),
                        ],
                        default="checking",
                        max_length=20,
                    ),
                ),
                ("format", models.CharField(blank=True, max_length=60)),
                ("options", models.JSONField(blank=True, default=dict)),
                ("files", models.JSONField(default=list)),
                ("counts", models.JSONField(blank=True, default=dict)),
                ("sample", models.JSONField(blank=True, default=list)),
                ("columns", models.JSONField(blank=True, default=list)),
                ("problems", models.JSONField(blank=True, default=list)),
                ("causes", models.JSONField(blank=True, default=list)),
                ("problem_count", models.PositiveIntegerField(default=0)),
                ("rows_total", models.PositiveIntegerField(default=0)),
                ("rows_done", models.PositiveIntegerField(default=0)),
                ("message", models.TextField(blank=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("lease_expires_at", models.DateTimeField(null=True)),
                ("applied_at", models.DateTimeField(null=True)),
                ("undone_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["applying", "undoing"])),
                        fields=("project",),
                        name="one_import_at_a_time",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Question",
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
                        related_name="questions",
                        to="annotation.project",
                    ),
                ),
                (
                    "data_import",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="questions",
                        to="annotation.dataimport",
                    ),
                ),
                ("key", models.TextField()),
                ("key_hash", models.CharField(max_length=64)),
                ("external_id", models.CharField(blank=True, max_length=200)),
                ("text", models.TextField()),
                ("dataset", models.CharField(blank=True, max_length=100)),
                ("tags", models.JSONField(blank=True, default=list)),
                ("reference_count", models.PositiveSmallIntegerField(null=True)),
                ("position", models.PositiveIntegerField()),
                ("in_sample", models.BooleanField(default=True)),
                ("is_left_out", models.BooleanField(default=False)),
                ("corrected_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["project", "position"], name="question_order")],
                "constraints": [
                    models.UniqueConstraint(fields=("project", "key_hash"), name="question_key_once"),
                    models.CheckConstraint(
                        condition=models.Q(("is_left_out", False), ("in_sample", False), _connector="OR"),
                        name="left_out_is_not_sampled",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="QuestionCorrection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="corrections",
                        to="annotation.question",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("former_text", models.TextField()),
                ("reason", models.TextField()),
                (
                    "corrected_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("corrected_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("question", "number"), name="correction_number_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Candidate",
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
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="candidates",
                        to="annotation.question",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="candidates",
                        to="annotation.project",
                    ),
                ),
                (
                    "data_import",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="candidates",
                        to="annotation.dataimport",
                    ),
                ),
                ("text", models.TextField()),
                ("text_of_row", models.TextField(blank=True)),
                ("pool_hash", models.CharField(max_length=64)),
                ("group", models.CharField(blank=True, max_length=60)),
                ("duplicate", models.PositiveIntegerField(default=0)),
                ("position", models.PositiveIntegerField(default=0)),
                ("is_judgeable", models.BooleanField(default=True)),
                ("from_gold", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("unasked", "Unasked"),
                            ("open", "Open"),
                            ("disputed", "Disputed"),
                            ("decided", "Decided"),
                        ],
                        default="unasked",
                        max_length=20,
                    ),
                ),
                ("wanted", models.PositiveSmallIntegerField(default=0)),
                ("taken", models.PositiveSmallIntegerField(default=0)),
                ("least_votes", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["project", "state"], name="candidate_state"),
                    models.Index(
                        condition=models.Q(("state", "open"), ("taken__lt", models.F("wanted"))),
                        fields=["project", "question"],
                        name="candidate_with_open_slot",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("question", "group", "pool_hash", "duplicate"), name="candidate_pooled_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("taken__lte", models.F("wanted"))), name="taken_at_most_wanted"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="gold_answers",
                        to="annotation.question",
                    ),
                ),
                (
                    "data_import",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="gold_answers",
                        to="annotation.dataimport",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("string", "String"), ("regex", "Regex")], default="string", max_length=10
                    ),
                ),
                ("text", models.TextField()),
                ("position", models.PositiveIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("question", "position"), name="gold_position_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="System",
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
                        related_name="systems",
                        to="annotation.project",
                    ),
                ),
                (
                    "data_import",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="systems",
                        to="annotation.dataimport",
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("label", models.CharField(max_length=200)),
                ("group", models.CharField(blank=True, max_length=60)),
                ("description", models.JSONField(blank=True, default=dict)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("project", "name"), name="system_name_once")],
            },
        ),
        migrations.CreateModel(
            name="Prediction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="predictions",
                        to="annotation.system",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="predictions",
                        to="annotation.question",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="predictions",
                        to="annotation.candidate",
                    ),
                ),
                (
                    "data_import",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="predictions",
                        to="annotation.dataimport",
                    ),
                ),
                ("text", models.TextField()),
                ("raw", models.JSONField(null=True)),
                ("golds", models.JSONField(null=True)),
                ("confidence", models.FloatField(null=True)),
                ("metadata", models.JSONField(blank=True, default=dict)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("system", "question"), name="one_prediction_a_question")
                ],
            },
        ),
        migrations.CreateModel(
            name="Decision",
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
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="annotation.candidate",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("is_current", models.BooleanField(default=True)),
                ("label", models.CharField(blank=True, max_length=60)),
                ("is_reopening", models.BooleanField(default=False)),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("unanimous", "Unanimous"),
                            ("majority", "Majority"),
                            ("adjudicated", "Adjudicated"),
                            ("prejudged", "Prejudged"),
                            ("imported", "Imported"),
                            ("reused", "Reused"),
                        ],
                        max_length=20,
                    ),
                ),
                ("rule", models.CharField(blank=True, max_length=60)),
                ("reason", models.TextField(blank=True)),
                (
                    "category",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("guideline", "Guidelines unclear"),
                            ("evidence", "Knowledge or evidence"),
                            ("granularity", "Borderline granularity"),
                            ("ambiguous_question", "Question ambiguous"),
                            ("time_dependent", "Depends on time"),
                            ("incorrect_gold", "Gold improper"),
                            ("rater_error", "Rater’s slip"),
                            ("other", "Other"),
                        ],
                        max_length=60,
                    ),
                ),
                ("is_reason_shown", models.BooleanField(default=False)),
                ("group", models.CharField(blank=True, max_length=20)),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("decided_at", models.DateTimeField()),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("group", ""), _negated=True),
                        fields=["group"],
                        name="decisions_of_group",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("candidate", "number"), name="decision_number_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("is_current", True)),
                        fields=("candidate",),
                        name="one_current_decision",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("rule", "sent_back"), _negated=True),
                            models.Q(
                                ("decided_by__isnull", False),
                                ("is_reopening", True),
                                ("label", ""),
                                models.Q(("reason", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="sent_back_by_somebody_with_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WorkEvent",
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
                        related_name="work_events",
                        to="annotation.project",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("paused", "Paused"),
                            ("resumed", "Resumed"),
                            ("taken_back", "Taken Back"),
                            ("pilot_begun", "Pilot Begun"),
                            ("pilot_ended", "Pilot Ended"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.membership",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("sheets", models.PositiveIntegerField(default=0)),
                ("answers", models.PositiveIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(fields=["project", "at"], name="work_events_in_order")],
            },
        ),
        migrations.CreateModel(
            name="WorkPlan",
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
                        related_name="work_plan",
                        to="annotation.project",
                    ),
                ),
                (
                    "sharing",
                    models.CharField(
                        choices=[("everyone", "Everyone"), ("named", "Named"), ("shares", "Shares")],
                        default="everyone",
                        max_length=20,
                    ),
                ),
                (
                    "order",
                    models.CharField(
                        choices=[("imported", "Imported"), ("seed", "Seed")],
                        default="imported",
                        max_length=20,
                    ),
                ),
                ("goes_first", models.JSONField(blank=True, default=list)),
                ("saved_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="PlannedRater",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rater",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="planned",
                        to="annotation.membership",
                    ),
                ),
                ("takes_part", models.BooleanField(default=False)),
                (
                    "stand_in",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="stands_in_for",
                        to="annotation.membership",
                    ),
                ),
                ("first_question", models.PositiveIntegerField(null=True)),
                ("last_question", models.PositiveIntegerField(null=True)),
                ("share", models.PositiveIntegerField(default=0)),
                ("piece_start", models.PositiveIntegerField(default=0)),
                ("piece_length", models.PositiveIntegerField(default=0)),
                ("answers_at_most", models.PositiveIntegerField(null=True)),
                ("questions_at_most", models.PositiveIntegerField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("first_question", None),
                            ("last_question", None),
                            ("first_question__lte", models.F("last_question")),
                            _connector="OR",
                        ),
                        name="part_from_first_to_last",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("stand_in", models.F("rater")), _negated=True),
                        name="stand_in_is_another",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PriorityQuestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "question",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="priority",
                        to="annotation.question",
                    ),
                ),
                ("place", models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Sheet",
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
                        related_name="sheets",
                        to="annotation.project",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sheets",
                        to="annotation.question",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sheets",
                        to="annotation.membership",
                    ),
                ),
                (
                    "protocol_version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.protocolversion",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("due", "Due"),
                            ("open", "Open"),
                            ("submitted", "Submitted"),
                            ("skipped", "Skipped"),
                            ("expired", "Expired"),
                        ],
                        default="open",
                        max_length=20,
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("vote", "Vote"),
                            ("pilot", "Pilot"),
                            ("training", "Training"),
                            ("known_answer", "Known Answer"),
                            ("repeat", "Repeat"),
                            ("second_pass", "Second"),
                        ],
                        default="vote",
                        max_length=20,
                    ),
                ),
                (
                    "asks_again",
                    models.CharField(
                        blank=True,
                        choices=[("", "Nothing"), ("checks", "Checks"), ("answers", "Answers")],
                        default="",
                        max_length=20,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("handed_out_at", models.DateTimeField()),
                ("lease_expires_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("submission_key", models.CharField(max_length=64, null=True)),
                ("former_keys", models.JSONField(default=list)),
                ("outcome", models.JSONField(null=True)),
                ("draft", models.JSONField(null=True)),
                ("seconds", models.FloatField(null=True)),
                ("settling_due", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["rater", "state"], name="sheets_of_rater"),
                    models.Index(
                        condition=models.Q(("state", "open")),
                        fields=["project", "lease_expires_at"],
                        name="open_sheet_lease",
                    ),
                    models.Index(
                        condition=models.Q(("settling_due", True)),
                        fields=["project", "question"],
                        name="sheet_settling_due",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "open")),
                        fields=("question", "rater"),
                        name="one_open_sheet_a_question",
                    ),
                    models.UniqueConstraint(fields=("rater", "submission_key"), name="submission_key_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="annotation.sheet",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="annotation.candidate",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="annotation.membership",
                    ),
                ),
                ("slot", models.PositiveSmallIntegerField()),
                (
                    "round",
                    models.CharField(
                        choices=[
                            ("first", "First"),
                            ("replacement", "Replacement"),
                            ("tie_break", "Tie Break"),
                        ],
                        default="first",
                        max_length=20,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("live", "Live"),
                            ("filler", "Filler"),
                            ("done", "Done"),
                            ("surplus", "Surplus"),
                            ("skipped", "Skipped"),
                            ("expired", "Expired"),
                        ],
                        default="live",
                        max_length=20,
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("vote", "Vote"),
                            ("pilot", "Pilot"),
                            ("training", "Training"),
                            ("known_answer", "Known Answer"),
                            ("repeat", "Repeat"),
                            ("second_pass", "Second"),
                        ],
                        default="vote",
                        max_length=20,
                    ),
                ),
                ("skip_reason", models.CharField(blank=True, max_length=200)),
                ("position", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["live", "done"]), ("purpose", "vote")),
                        fields=("candidate", "slot"),
                        name="slot_held_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("purpose", "vote")),
                        fields=("candidate", "rater"),
                        name="rater_once_a_candidate",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("purpose", "pilot")),
                        fields=("candidate", "rater"),
                        name="rater_once_a_pilots_candidate",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("purpose", "vote"),
                            models.Q(("slot", 0), models.Q(("state", "done"), _negated=True)),
                            _connector="OR",
                        ),
                        name="only_votes_hold_slots",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="QuestionFlag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="flags",
                        to="annotation.question",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="flags",
                        to="annotation.membership",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("ambiguous", "Ambiguous"),
                            ("time_dependent", "Time Dependent"),
                            ("list", "List"),
                            ("gold_improper", "Gold Improper"),
                            ("unclear", "Unclear"),
                        ],
                        max_length=20,
                    ),
                ),
                ("note", models.TextField(blank=True)),
                ("flagged_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("question", "rater", "kind"), name="flag_once_a_rater")
                ],
            },
        ),
        migrations.CreateModel(
            name="Pilot",
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
                        related_name="pilots",
                        to="annotation.project",
                    ),
                ),
                ("seed", models.PositiveIntegerField(null=True)),
                (
                    "begun_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("begun_at", models.DateTimeField()),
                (
                    "ended_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "outcome",
                    models.CharField(
                        blank=True, choices=[("again", "Again"), ("left_out", "Left Out")], max_length=20
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)), fields=("project",), name="one_open_pilot"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at", None), ("outcome", "")),
                            models.Q(("ended_at__isnull", False), models.Q(("outcome", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="ended_pilot_has_outcome",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PilotQuestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "pilot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="questions",
                        to="annotation.pilot",
                    ),
                ),
                (
                    "question",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="in_pilot",
                        to="annotation.question",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="GoldChange",
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
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="gold_changes",
                        to="annotation.question",
                    ),
                ),
                (
                    "action",
                    models.CharField(choices=[("added", "Added"), ("removed", "Removed")], max_length=10),
                ),
                ("text", models.TextField()),
                ("text_hash", models.CharField(max_length=64)),
                ("rule", models.CharField(max_length=60)),
                ("reason", models.TextField(blank=True)),
                (
                    "decision",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="gold_changes",
                        to="annotation.decision",
                    ),
                ),
                (
                    "changed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("changed_at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(null=True)),
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
            ],
            options={
                "indexes": [models.Index(fields=["question", "changed_at"], name="gold_change_history")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at__isnull", True)),
                        fields=("question", "action", "text_hash"),
                        name="change_in_force_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Judgment",
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
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgment",
                        to="annotation.assignment",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgments",
                        to="annotation.candidate",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgments",
                        to="annotation.membership",
                    ),
                ),
                ("slot", models.PositiveSmallIntegerField()),
                (
                    "round",
                    models.CharField(
                        choices=[
                            ("first", "First"),
                            ("replacement", "Replacement"),
                            ("tie_break", "Tie Break"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("counted", "Counted"),
                            ("missing", "Missing"),
                            ("surplus", "Surplus"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="counted",
                        max_length=20,
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("vote", "Vote"),
                            ("pilot", "Pilot"),
                            ("training", "Training"),
                            ("known_answer", "Known Answer"),
                            ("repeat", "Repeat"),
                            ("second_pass", "Second"),
                        ],
                        default="vote",
                        max_length=20,
                    ),
                ),
                ("label", models.CharField(max_length=60)),
                ("comment", models.TextField(blank=True)),
                ("evidence_url", models.TextField(blank=True)),
                ("evidence_quote", models.TextField(blank=True)),
                ("judged_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "counted")),
                        fields=("candidate", "slot"),
                        name="slot_counted_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("purpose", "vote")),
                        fields=("candidate", "rater"),
                        name="judged_once_a_rater",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("purpose", "vote"),
                            models.Q(("state", "counted"), _negated=True),
                            _connector="OR",
                        ),
                        name="only_votes_are_counted",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JudgmentRevision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "judgment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="revisions",
                        to="annotation.judgment",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("submit", "Submit"),
                            ("withdraw", "Withdraw"),
                            ("edit", "Edit"),
                            ("set_aside", "Set Aside"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("counted", "Counted"),
                            ("missing", "Missing"),
                            ("surplus", "Surplus"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        max_length=20,
                    ),
                ),
                ("label", models.CharField(max_length=60)),
                ("comment", models.TextField(blank=True)),
                ("evidence_url", models.TextField(blank=True)),
                ("evidence_quote", models.TextField(blank=True)),
                ("seconds", models.FloatField(null=True)),
                (
                    "protocol_version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.protocolversion",
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("judgment", "number"), name="revision_number_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="CheckAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="check_answers",
                        to="annotation.sheet",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="check_answers",
                        to="annotation.question",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="check_answers",
                        to="annotation.membership",
                    ),
                ),
                ("check_key", models.CharField(max_length=60)),
                (
                    "round",
                    models.CharField(
                        choices=[("first", "First"), ("again", "Again")], default="first", max_length=20
                    ),
                ),
                ("answer", models.BooleanField()),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("vote", "Vote"),
                            ("pilot", "Pilot"),
                            ("training", "Training"),
                            ("known_answer", "Known Answer"),
                            ("repeat", "Repeat"),
                            ("second_pass", "Second"),
                        ],
                        default="vote",
                        max_length=20,
                    ),
                ),
                ("answered_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("purpose", "vote")),
                        fields=("question", "rater", "check_key", "round"),
                        name="check_once_a_rater_and_round",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="QualityPlan",
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
                        related_name="quality_plan",
                        to="annotation.project",
                    ),
                ),
                ("known_share", models.FloatField(default=0.05)),
                ("repeat_share", models.FloatField(default=0.0)),
                ("repeat_distance", models.PositiveIntegerField(default=30)),
                ("repeat_hours", models.PositiveIntegerField(default=24)),
                ("second_share", models.FloatField(default=0.0)),
                ("is_training", models.BooleanField(default=False)),
                ("pass_share", models.FloatField(default=0.8)),
                ("least_answers", models.PositiveIntegerField(default=5)),
                ("saved_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("known_share__gte", 0),
                            ("pass_share__gte", 0),
                            ("pass_share__lte", 1),
                            ("repeat_share__gte", 0),
                            (
                                "known_share__lte",
                                django.db.models.expressions.CombinedExpression(
                                    models.Value(1), "-", models.F("repeat_share")
                                ),
                            ),
                        ),
                        name="quality_shares_are_shares",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("second_share__gte", 0), ("second_share__lte", 1)),
                        name="second_share_is_share",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="KnownAnswer",
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
                        related_name="known_answers",
                        to="annotation.project",
                    ),
                ),
                (
                    "candidate",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="known",
                        to="annotation.candidate",
                    ),
                ),
                (
                    "use",
                    models.CharField(choices=[("hidden", "Hidden"), ("training", "Training")], max_length=20),
                ),
                ("label", models.CharField(max_length=60)),
                ("explanation", models.TextField(blank=True)),
                (
                    "marked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("marked_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("withdrawn_at", None)),
                        fields=["project", "use"],
                        name="known_in_use",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TrainingAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="training_attempts",
                        to="annotation.membership",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("rater", "number"), name="training_attempt_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("finished_at", None)),
                        fields=("rater",),
                        name="one_open_training_attempt",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TrainingAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="annotation.trainingattempt",
                    ),
                ),
                (
                    "known",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="training_answers",
                        to="annotation.knownanswer",
                    ),
                ),
                ("label", models.CharField(max_length=60)),
                ("is_right", models.BooleanField()),
                ("answered_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("attempt", "known"), name="training_answer_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="TrainingPass",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rater",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="training_pass",
                        to="annotation.membership",
                    ),
                ),
                ("passed_at", models.DateTimeField()),
                (
                    "let_through_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Export",
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
                        related_name="exports",
                        to="annotation.project",
                    ),
                ),
                ("format", models.CharField(max_length=60)),
                ("options", models.JSONField(blank=True, default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("finished", "Finished"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=20,
                    ),
                ),
                ("file_name", models.CharField(max_length=200)),
                ("path", models.CharField(blank=True, max_length=300)),
                ("rows", models.PositiveIntegerField(default=0)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("sha256", models.CharField(blank=True, max_length=64)),
                ("message", models.TextField(blank=True)),
                ("lease_expires_at", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
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
                ("finished_at", models.DateTimeField(null=True)),
            ],
        ),
    ]
