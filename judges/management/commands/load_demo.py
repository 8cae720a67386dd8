"""Load the demo study into this installation."""

from typing import Any

from django.core.management.base import BaseCommand

from judges.management.demo import PASSWORD, PEOPLE, load_demo_study


class Command(BaseCommand):
    """Load the demo study and its logins; doing it again changes nothing."""

    help = (
        "Load the demo study with its logins, whose passwords everybody knows: never on an installation that "
        "others can reach. Doing it again changes nothing. Exit codes: 0 done, 1 data error, 2 usage."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Load it."""
        project = load_demo_study()
        self.stdout.write(
            f"The demo study is at /{project.slug}. Logins: {', '.join(PEOPLE)}; password {PASSWORD}"
        )
