"""What lets programs in."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import common.identifiers


class Migration(migrations.Migration):
    """Create the table of API tokens."""

    dependencies = [
        ("annotation", "0046_first_only"),
    ]

    operations = [
        migrations.CreateModel(
            name="ApiToken",
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
                ("name", models.CharField(max_length=100)),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("read", "Read"),
                            ("run", "Read data, and start judges and exports"),
                            ("write", "Read and write"),
                            ("manage", "Everything, including people, connections and deletion"),
                        ],
                        max_length=20,
                    ),
                ),
                ("secret_hash", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                ("last_used_at", models.DateTimeField(null=True)),
                (
                    "project",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="annotation.project",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("expires_at__gt", models.F("created_at"))),
                        name="token_expires_after_creation",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("scope__in", ["read", "run", "write", "manage"])),
                        name="token_scope_is_known",
                    ),
                ],
            },
        ),
    ]
