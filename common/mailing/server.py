"""The mail server: a connection to it, one message over that, and what it means when it refuses."""

import smtplib
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.mail import EmailMessage, get_connection

from common.mailing.lines import one_line

LONGEST_REPLY = 200
# What is neither a reply nor a refusal by name, the narrower kinds first.
FAILURES: tuple[tuple[type[OSError], str], ...] = (
    (
        smtplib.SMTPNotSupportedError,
        "does not offer what ASSAY_MAIL_URL asks for (STARTTLS or authentication)",
    ),
    (smtplib.SMTPServerDisconnected, "ended the connection"),
    (ssl.SSLCertVerificationError, "has a certificate that cannot be verified"),
    (ssl.SSLError, "does not support TLS in the way that ASSAY_MAIL_URL requires"),
    (socket.gaierror, "has a name that cannot be resolved"),
    (TimeoutError, "did not reply in time"),
    (ConnectionRefusedError, "refused the connection"),
)


@contextmanager
def open_mail_server() -> Iterator[Any]:
    """Connect to the mail server and sign in there; raises `OSError`, of which SMTP's errors are some."""
    connection = get_connection()
    try:
        # Where it fails half-way, Django leaves the socket open.
        connection.open()
        yield connection
    finally:
        with suppress(OSError):
            connection.close()


def send_message(message: EmailMessage, *, over: Any) -> None:
    """Hand one message to the mail server; raises `OSError`."""
    message.connection = over
    message.send()


def is_final(error: OSError) -> bool:
    """Whether the mail server refuses a message for good, so that no further try helps.

    Only what concerns this message: a wrong password may be mended, and everything else may pass.
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError) and error.smtp_code >= 500


def explain_mail_server(error: OSError) -> str:
    """Return in one short line what the mail server did; never what was sent to it."""
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return f"refused the username or password ({error.smtp_code})"
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        return f"refused the recipient: {code} {_line(said)}"
    if isinstance(error, smtplib.SMTPResponseException):
        return f"replied {error.smtp_code} {_line(error.smtp_error)}"
    return next((words for kind, words in FAILURES if isinstance(error, kind)), "cannot be reached")


def _line(said: bytes | str) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return one_line(text, longest=LONGEST_REPLY)
