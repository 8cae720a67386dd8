"""Says a token’s widest scope as its page does."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0066_disconnected_identities'),
    ]

    operations = [
        migrations.AlterField(
            model_name='apitoken',
            name='scope',
            field=models.CharField(choices=[('read', 'Read'), ('run', 'Read data, and start judges and exports'), ('write', 'Read and write'), ('manage', 'Everything, including people, connections, and deletion')], max_length=20),
        ),
    ]
