"""Start everything, with the demo studies in it."""

from commands.demo import PASSWORD, PEOPLE, load_demo_studies
from commands.management.commands import serve


class Command(serve.Command):
    """Start everything, with the demo studies in it."""

    help = (
        "Like `serve`, but also loads the demo studies if needed and prints their logins. The "
        "password is public: never use this command on an installation that others can reach."
    )

    started_with = "make demo"

    def prepare_content(self) -> None:
        """Load the demo studies if they are not there yet."""
        load_demo_studies()

    def notes(self) -> list[str]:
        """Return the demo logins."""
        logins = [f"  {username:<12} {name}" for username, name in PEOPLE.items()]
        return [f"Sign in as one of these, with the password {PASSWORD}:", *logins]
