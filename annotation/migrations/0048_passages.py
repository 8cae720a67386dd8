"""Passages beside questions."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Create the tables of passages, and of which system retrieved them."""

    dependencies = [
        ('annotation', '0047_api_tokens'),
    ]

    operations = [
        migrations.CreateModel(
            name='Passage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_given', models.BooleanField()),
                ('text', models.TextField(blank=True)),
                ('text_hash', models.CharField(max_length=64)),
                ('title', models.CharField(blank=True, max_length=300)),
                ('source', models.CharField(blank=True, max_length=2000)),
                ('is_gold', models.BooleanField(null=True)),
                ('position', models.PositiveIntegerField()),
                ('data_import', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='passages', to='annotation.dataimport')),
                ('question', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='passages', to='annotation.question')),
            ],
        ),
        migrations.CreateModel(
            name='RetrievedPassage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rank', models.PositiveIntegerField()),
                ('score', models.FloatField(null=True)),
                ('data_import', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='retrieved_passages', to='annotation.dataimport')),
                ('passage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='retrieved_by', to='annotation.passage')),
                ('prediction', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='retrieved_passages', to='annotation.prediction')),
            ],
        ),
        migrations.AddConstraint(
            model_name='passage',
            constraint=models.UniqueConstraint(fields=('question', 'is_given', 'text_hash'), name='passage_once'),
        ),
        migrations.AddConstraint(
            model_name='passage',
            constraint=models.CheckConstraint(condition=models.Q(('source', ''), ('text', ''), ('title', ''), _negated=True), name='passage_says_something'),
        ),
        migrations.AddConstraint(
            model_name='retrievedpassage',
            constraint=models.UniqueConstraint(fields=('prediction', 'passage'), name='passage_retrieved_once'),
        ),
    ]
