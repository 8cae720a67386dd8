"""Messages that leave: once, again after what passes, and not again after what does not."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core import mail as outbox
from django.db import IntegrityError, transaction

from annotation.accounts.models import OutgoingMail, User
from annotation.accounts.outbox import sending
from annotation.accounts.outbox.letters import make_letter
from annotation.accounts.outbox.sending import LEASE, MOST_TRIES, send_due, sweep_mail
from annotation.accounts.outbox.words import ENGLISH, GERMAN
from annotation.accounts.outbox.writing import LinkUnreadable, open_link, write_mail
from common.clock import now
from common.tasks import at_work
from tests.annotation.accounts.mail.conftest import make_due
from tests.smtp import HANG_UP, mail_server

pytestmark = pytest.mark.django_db
Kind, State = OutgoingMail.Kind, OutgoingMail.State


def write(user: User, **fields: Any) -> OutgoingMail:
    given: dict[str, Any] = {
        "kind": Kind.PASSWORD_LINK,
        "user": user,
        "recipient": "pat@example.org",
        "language": "en",
        "worth": timedelta(days=1),
        "link": "/password/secret",
        **fields,
    }
    return write_mail(**given)


def state_of(mail: OutgoingMail) -> tuple[str, int, str]:
    mail.refresh_from_db()
    return mail.state, mail.tries, mail.error


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(sending, "enqueue_on_commit", found.append)
    return found


class TestOverSmtp:
    def test_is_delivered_as_plain_text_with_headers_of_a_machine(
        self, person: User, settings: LazySettings
    ) -> None:
        mail = write(person)
        with mail_server(settings) as server:
            send_due()
        (message,) = server.messages
        assert state_of(mail) == (State.SENT, 1, "")
        assert f"Message-ID: <{mail.public_id}@assay.test>" in message
        assert "Auto-Submitted: auto-generated" in message
        assert "Content-Type: text/plain" in message
        assert "https://assay.test/password/secret" in message
        assert "List-Unsubscribe" not in message
        assert [each for each in server.commands if each.startswith(("mail", "rcpt"))] == [
            "mail FROM:<assay@assay.test>",
            "rcpt TO:<pat@example.org>",
        ]

    @pytest.mark.parametrize(
        ("script", "state"),
        [
            ({"RCPT": "550 no such person"}, State.GIVEN_UP),
            ({"message": "554 spam"}, State.GIVEN_UP),
            ({"RCPT": "451 greylisted"}, State.WAITING),
            ({"MAIL": "530 sign in"}, State.WAITING),
            ({"greeting": "554 no"}, State.WAITING),
            ({"greeting": HANG_UP}, State.WAITING),
            ({"DATA": HANG_UP}, State.WAITING),
            ({"message": HANG_UP}, State.WAITING),
        ],
    )
    def test_what_is_refused_for_good_is_given_up_and_all_else_tried_again(
        self, script: dict[str, str], state: str, person: User, settings: LazySettings
    ) -> None:
        mail = write(person)
        with mail_server(settings, script):
            send_due()
        assert state_of(mail)[:2] == (state, 1)
        assert mail.error
        if state == State.WAITING:
            assert timedelta(seconds=50) < mail.next_try_at - now() < timedelta(seconds=70)
            make_due(mail)
            with mail_server(settings) as server:
                send_due()
            assert len(server.messages) == 1
            assert state_of(mail)[:2] == (State.SENT, 2)

    def test_one_bad_recipient_does_not_keep_the_others(self, person: User, settings: LazySettings) -> None:
        mails = [write(person) for _ in range(3)]
        with mail_server(settings, {"RCPT": "550 no"}) as server:
            send_due()
        assert [state_of(each)[0] for each in mails] == [State.GIVEN_UP] * 3
        assert server.messages == []

    def test_a_server_that_fails_is_left_alone_until_the_sweeper_rings(
        self, person: User, settings: LazySettings, rung: list[str]
    ) -> None:
        mails = [write(person) for _ in range(3)]
        with mail_server(settings, {"greeting": HANG_UP}):
            send_due()
        assert [state_of(each)[1] for each in mails] == [1, 0, 0]
        assert rung == []
        sweep_mail()
        assert rung == [sending.SEND_TASK]

    def test_no_error_tells_the_address(
        self, person: User, settings: LazySettings, caplog: pytest.LogCaptureFixture
    ) -> None:
        write(person)
        with mail_server(settings, {"RCPT": "550 no"}):
            send_due()
        assert "gave up on email" in caplog.text
        assert "pat@example.org" not in caplog.text


class TestTries:
    def test_six_then_none(self, person: User, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise TimeoutError

        monkeypatch.setattr(sending, "send_message", fail)
        mail = write(person)
        for _ in range(MOST_TRIES + 2):
            make_due(mail)
            send_due()
        assert state_of(mail) == (State.GIVEN_UP, MOST_TRIES, "The mail server did not reply in time")
        assert mail.sealed == ""

    def test_a_try_over_which_its_worker_dies_counts_and_is_made_again(
        self, person: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def die(*_: Any, **__: Any) -> None:
            raise SystemExit

        monkeypatch.setattr(sending, "send_message", die)
        mail = write(person)
        for tries in range(1, MOST_TRIES + 1):
            with pytest.raises(SystemExit):
                send_due()
            assert state_of(mail)[:2] == (State.WAITING, tries)
            # Whoever comes while the dead one might live does nothing.
            send_due()
            assert state_of(mail)[1] == tries
            assert mail.next_try_at - now() > LEASE / 2
            make_due(mail)
        send_due()
        assert state_of(mail)[0] == State.GIVEN_UP
        assert "stopped" in mail.error

    def test_after_one_that_died_it_is_the_same_message(
        self, person: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = sending.send_message

        def die(message: Any, *, over: Any) -> None:
            real(message, over=over)
            raise SystemExit

        mail = write(person)
        with monkeypatch.context() as patch:
            patch.setattr(sending, "send_message", die)
            with pytest.raises(SystemExit):
                send_due()
        make_due(mail)
        send_due()
        first, second = outbox.outbox
        assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]

    def test_of_two_at_once_one_sends(self, person: User, monkeypatch: pytest.MonkeyPatch) -> None:
        real, seen = sending.send_message, []

        def meet(message: Any, *, over: Any) -> None:
            # Another machine's worker comes by while this one sends.
            seen.append(sending._send_next())
            real(message, over=over)

        monkeypatch.setattr(sending, "send_message", meet)
        write(person)
        send_due()
        assert (seen, len(outbox.outbox)) == ([False], 1)

    def test_a_second_worker_of_the_machine_goes_away(self, person: User) -> None:
        write(person)
        with at_work("mail"):
            send_due()
        assert outbox.outbox == []
        send_due()
        assert len(outbox.outbox) == 1

    def test_who_was_rung_for_meanwhile_is_seen_at_the_end(
        self, person: User, monkeypatch: pytest.MonkeyPatch, rung: list[str]
    ) -> None:
        monkeypatch.setattr(sending, "AT_ONCE", 1)
        for _ in range(2):
            write(person)
        send_due()
        assert (len(outbox.outbox), rung) == (1, [sending.SEND_TASK])

    def test_a_bug_in_one_does_not_keep_the_others_for_ever(
        self, person: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = make_letter

        def break_at_first(mail: OutgoingMail) -> Any:
            return 1 / 0 if mail.pk == first.pk else real(mail)

        monkeypatch.setattr(sending, "make_letter", break_at_first)
        first, second = write(person), write(person)
        with pytest.raises(ZeroDivisionError):
            send_due()
        send_due()
        assert (state_of(first)[0], state_of(second)[0]) == (State.WAITING, State.SENT)

    def test_nothing_is_sent_where_mail_is_off(self, person: User, settings: LazySettings) -> None:
        mail = write(person)
        settings.ASSAY_SENDS_MAIL = False
        send_due()
        assert state_of(mail) == (State.WAITING, 0, "")


class TestSweeping:
    def test_gives_up_what_is_of_no_use_any_more(self, person: User) -> None:
        mail = write(person, worth=timedelta(0))
        sweep_mail()
        assert state_of(mail)[0] == State.GIVEN_UP
        assert mail.sealed == ""

    def test_that_is_not_sent_before_the_sweeper_comes_either(self, person: User) -> None:
        mail = write(person, worth=timedelta(0))
        send_due()
        assert (state_of(mail)[0], outbox.outbox) == (State.GIVEN_UP, [])

    def test_forgets_what_was_over_a_week_ago(self, person: User) -> None:
        old, new = write(person), write(person)
        send_due()
        OutgoingMail.objects.filter(pk=old.pk).update(finished_at=now() - timedelta(days=7, seconds=1))
        sweep_mail()
        assert list(OutgoingMail.objects.all()) == [new]

    def test_rings_for_nothing_where_nothing_waits(self, db: None, rung: list[str]) -> None:
        sweep_mail()
        assert rung == []


class TestLinks:
    def test_are_sealed_for_their_message(self, person: User) -> None:
        one, other = write(person), write(person, link="/password/other")
        one.sealed = other.sealed
        with pytest.raises(LinkUnreadable):
            open_link(one)

    def test_that_cannot_be_read_any_more_are_given_up(self, person: User, settings: LazySettings) -> None:
        mail = write(person)
        settings.SECRET_KEY = "another" * 10
        send_due()
        assert state_of(mail)[0] == State.GIVEN_UP
        assert "secret key" in mail.error

    def test_none_is_kept_of_a_message_that_is_over(self, person: User) -> None:
        mail = write(person)
        with pytest.raises(IntegrityError), transaction.atomic():
            OutgoingMail.objects.filter(pk=mail.pk).update(state=State.SENT, finished_at=now())


class TestWords:
    def test_both_languages_have_all_and_the_same_places(self) -> None:
        assert set(ENGLISH) == set(GERMAN) == set(Kind)
        for kind in Kind:
            places = [
                set(re.findall(r"{\w+}", f"{said.subject}{said.text}"))
                for said in (ENGLISH[kind], GERMAN[kind])
            ]
            assert places[0] == places[1]

    @pytest.mark.parametrize("language", ["en", "de"])
    def test_names_with_line_breaks_and_braces_stay_names(self, language: str, person: User) -> None:
        person.username = "pat\r\nBcc: eve@example.org\r\n\r\n{link} %s \u202e"
        mail = write(person, language=language)
        mail.user = person
        letter = make_letter(mail)
        assert letter is not None
        sent = letter.message()
        assert sent["Bcc"] is None
        assert "pat Bcc: eve@example.org {link} %s" in letter.body
        assert letter.recipients() == ["pat@example.org"]

    @pytest.mark.parametrize("language", ["en", "de"])
    def test_subjects_are_one_line(self, language: str, person: User) -> None:
        letter = make_letter(write(person, language=language))
        assert letter is not None
        assert "\n" not in str(letter.message()["Subject"])
