"""Send a message to see whether email works."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from common.mailing.server import explain_mail_server, open_mail_server, send_message

SUBJECT = "Test message from Assay"
BODY = "The Assay server at {server} can send email.\n"


class Command(BaseCommand):
    """Send one message, at once."""

    help = (
        "Send a test message to an address through the mail server set in ASSAY_MAIL_URL. "
        "Exit codes: 0 the mail server accepted the message; 1 it did not, or email is off; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("address", help="where to send the message")

    def handle(self, *args: Any, **options: Any) -> None:
        """Send it."""
        address = options["address"]
        if not settings.ASSAY_SENDS_MAIL:
            raise CommandError("Email is off. Set ASSAY_MAIL_URL, ASSAY_MAIL_FROM, and ASSAY_PUBLIC_URL.")
        try:
            validate_email(address)
        except ValidationError:
            raise CommandError("This is not an email address.") from None
        message = EmailMessage(SUBJECT, BODY.format(server=settings.ASSAY_PUBLIC_URL), to=[address])
        try:
            with open_mail_server() as server:
                send_message(message, over=server)
        except OSError as error:
            raise CommandError(
                f"The mail server {settings.EMAIL_HOST} {explain_mail_server(error)}. Check ASSAY_MAIL_URL."
            ) from None
        self.stdout.write(f"The mail server accepted the message to {address}.")
