"""What a mail server does wrong is said in a line, by the doctor and by the test message."""

import io
import smtplib
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from commands.management.commands import doctor
from common.mailing.lines import one_line
from common.mailing.server import explain_mail_server, is_final
from tests.smtp import HANG_UP, mail_server, turn_mail_on


def send(address: str = "pat@example.org") -> str:
    said = io.StringIO()
    call_command("send_test_mail", address, stdout=said)
    return said.getvalue()


class TestTestMail:
    def test_arrives(self, settings: LazySettings) -> None:
        with mail_server(settings) as server:
            assert send() == "The mail server accepted the message to pat@example.org.\n"
        (message,) = server.messages
        assert "To: pat@example.org" in message
        assert "From: Assay <assay@assay.test>" in message
        assert "https://assay.test" in message

    @pytest.mark.parametrize(
        ("script", "told"),
        [
            ({"greeting": HANG_UP}, "ended the connection"),
            ({"RCPT": "550 no such person"}, "refused the recipient: 550 no such person"),
            ({"MAIL": "530 sign in first"}, "replied 530 sign in first"),
            ({"message": "554 \x1b[2Jspam"}, "replied 554 [2Jspam"),
            ({"EHLO": HANG_UP}, "ended the connection"),
        ],
    )
    def test_says_what_the_server_did(
        self, script: dict[str, str], told: str, settings: LazySettings
    ) -> None:
        with mail_server(settings, script), pytest.raises(CommandError) as raised:
            send()
        assert told in str(raised.value)

    def test_says_that_mail_is_off(self, settings: LazySettings) -> None:
        settings.ASSAY_SENDS_MAIL = False
        with pytest.raises(CommandError, match="ASSAY_MAIL_URL"):
            send()

    @pytest.mark.parametrize("address", ["pat", "pat@example.org\nBcc: x@example.org", "a@b, c@d"])
    def test_goes_to_an_address_only(self, address: str, settings: LazySettings) -> None:
        turn_mail_on(settings)
        with pytest.raises(CommandError, match="not an email address"):
            send(address)


class TestDoctor:
    def test_is_content_where_mail_is_off(self, settings: LazySettings) -> None:
        settings.ASSAY_SENDS_MAIL = False
        assert doctor.look_at_mail() == doctor.Finding("off: ASSAY_MAIL_URL is not set")

    def test_signs_in(self, settings: LazySettings) -> None:
        with mail_server(settings) as server:
            settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "assay", "secret"
            assert doctor.look_at_mail().cure == ""
        assert any(each.startswith("AUTH") for each in server.commands)

    def test_says_why_it_cannot_sign_in_and_not_with_what(self, settings: LazySettings) -> None:
        with mail_server(settings, {"AUTH": "535 no"}):
            settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "assay", "secret"
            found = doctor.look_at_mail()
        assert "refused the username or password (535)" in found.seen
        assert "ASSAY_MAIL_URL" in found.cure
        assert "secret" not in str(found)

    def test_names_a_server_that_offers_no_starttls(self, settings: LazySettings) -> None:
        with mail_server(settings):
            settings.EMAIL_USE_TLS = True
            assert "STARTTLS" in doctor.look_at_mail().seen

    def test_names_a_server_that_is_not_there(self, settings: LazySettings) -> None:
        with mail_server(settings):
            pass
        assert "refused the connection" in doctor.look_at_mail().seen

    def test_sees_that_links_lead_elsewhere(self, settings: LazySettings) -> None:
        with mail_server(settings):
            settings.ALLOWED_HOSTS = ["other.test"]
            assert "ALLOWED_HOSTS" in doctor.look_at_mail().cure


class TestIsFinal:
    @pytest.mark.parametrize(
        ("error", "final"),
        [
            (smtplib.SMTPRecipientsRefused({"a@b.c": (550, b"no")}), True),
            (smtplib.SMTPRecipientsRefused({"a@b.c": (450, b"later")}), False),
            (smtplib.SMTPDataError(554, b"spam"), True),
            (smtplib.SMTPDataError(451, b"later"), False),
            # These may be mended by the administrator.
            (smtplib.SMTPSenderRefused(550, b"no", "assay@assay.test"), False),
            (smtplib.SMTPAuthenticationError(535, b"no"), False),
            (TimeoutError(), False),
        ],
    )
    def test_only_where_this_message_is_refused_for_good(self, error: Any, final: bool) -> None:
        assert is_final(error) is final

    def test_every_error_has_words(self) -> None:
        assert explain_mail_server(OSError("x")) == "cannot be reached"


class TestOneLine:
    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("NQ301", "NQ301"),
            ("a\r\nBcc: b@example.org", "a Bcc: b@example.org"),
            ("a\u202eb\u2028c\x00d", "a b c d"),
            ("  a \t b ", "a b"),
            ("x" * 30, "x" * 19 + "…"),
            ("", ""),
        ],
    )
    def test_is_one_line_of_what_is_shown(self, text: str, line: str) -> None:
        assert one_line(text, longest=20) == line
