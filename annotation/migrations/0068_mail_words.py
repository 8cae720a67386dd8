"""Names the digest as the documentation does."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0067_token_scope_words'),
    ]

    operations = [
        migrations.AlterField(
            model_name='outgoingmail',
            name='kind',
            field=models.CharField(choices=[('confirm', 'confirm an email address'), ('address_changed', 'email address changed or removed'), ('password_link', 'link to set a new password'), ('password_changed', 'password changed'), ('invitation', 'invitation to a project'), ('digest', 'digest of waiting work')], max_length=20),
        ),
    ]
