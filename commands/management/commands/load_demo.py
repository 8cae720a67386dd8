"""Load the demo studies into this installation."""

from typing import Any

from django.core.management.base import BaseCommand

from commands.demo import PASSWORD, PEOPLE, load_demo_studies


class Command(BaseCommand):
    """Load the demo study and its logins; doing it again changes nothing."""

    help = (
        "Load the demo studies and their logins. The password is public: never use this command on an "
        "installation that others can reach. Running it again changes nothing. Exit codes: 0 done; 1 "
        "data error; 2 usage error."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Load it."""
        places = ", ".join(f"/{project.slug}" for project in load_demo_studies())
        self.stdout.write(f"The demo studies are at {places}")
        self.stdout.write(f"Logins: {', '.join(PEOPLE)}; password {PASSWORD}")
