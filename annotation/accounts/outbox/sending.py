"""Send what waits: claimed beforehand, sent outside of any transaction, and noted afterwards.

A message may arrive twice where a worker dies between the mail server's word and ours; it is never lost. Why
it is so: docs/decisions/0065.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, QuerySet

from annotation.accounts.models import OutgoingMail
from annotation.accounts.outbox.letters import make_letter
from annotation.accounts.outbox.writing import SEND_TASK, LinkUnreadable
from common.clock import now
from common.mailing.server import explain_mail_server, is_final, open_mail_server, send_message
from common.tasks import at_work, enqueue_on_commit

logger = logging.getLogger(__name__)

State = OutgoingMail.State
# How long after a failed try the next one is made: six tries within ten hours.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480))
MOST_TRIES = len(PAUSES) + 1
# Longer than a try takes; whoever tries for longer is dead.
LEASE = timedelta(minutes=5)
# So that others get a worker in between: after so many it rings again.
AT_ONCE = 20
KEPT = timedelta(days=7)
TOO_LATE = "It could not be sent in time."
DIED = "The server stopped during the last attempt."
UNREADABLE = "Its link cannot be read with this server’s secret key."


class _ServerFails(Exception):
    """The mail server takes nothing, whatever the message."""


def send_due() -> None:
    """Send what is due, unless another worker of this machine is at it: a slow mail server keeps one."""
    if not settings.ASSAY_SENDS_MAIL:
        return
    with at_work("mail") as is_ours:
        if not is_ours:
            return
        try:
            # At most so many; the first that finds nothing ends it.
            all(_send_next() for _ in range(AT_ONCE))
        except _ServerFails:
            # The sweeper rings again: others would wait for the same.
            return
    # Once the place is free: whoever was rung for sooner has gone away again.
    if _due(now()).exists():
        enqueue_on_commit(SEND_TASK)


def sweep_mail(*, at: datetime | None = None) -> None:
    """Give up what is of no use any more, forget what was long ago, and ring for whatever is due."""
    at = at or now()
    late = OutgoingMail.objects.filter(state=State.WAITING, worth_until__lte=at)
    late.update(state=State.GIVEN_UP, error=TOO_LATE, sealed="", finished_at=at)
    OutgoingMail.objects.filter(finished_at__lte=at - KEPT).delete()
    if settings.ASSAY_SENDS_MAIL and _due(at).exists():
        enqueue_on_commit(SEND_TASK)


def _due(at: datetime) -> QuerySet[OutgoingMail]:
    return OutgoingMail.objects.filter(state=State.WAITING, next_try_at__lte=at)


def _send_next() -> bool:
    """Try the message that is due for longest; return whether there was one. Raises `_ServerFails`."""
    at = now()
    mail = _due(at).select_related("user", "project").order_by("next_try_at", "pk").first()
    if mail is None:
        return False
    # Before it is sent: a try over which its worker dies counts.
    if not _row(mail).update(tries=F("tries") + 1, next_try_at=at + LEASE):
        return True
    mail.tries += 1
    if mail.tries > MOST_TRIES or mail.worth_until <= at:
        _finish(mail, State.GIVEN_UP, error=DIED if mail.tries > MOST_TRIES else TOO_LATE)
    else:
        _try(mail)
    return True


def _row(mail: OutgoingMail) -> QuerySet[OutgoingMail]:
    return OutgoingMail.objects.filter(pk=mail.pk, state=State.WAITING, tries=mail.tries)


def _try(mail: OutgoingMail) -> None:
    try:
        letter = make_letter(mail)
    except LinkUnreadable:
        _finish(mail, State.GIVEN_UP, error=UNREADABLE)
        return
    if letter is None:
        _finish(mail, State.DROPPED)
        return
    try:
        with open_mail_server() as server:
            send_message(letter, over=server)
    except OSError as error:
        _note_failure(mail, error)
    else:
        _finish(mail, State.SENT)


def _note_failure(mail: OutgoingMail, error: OSError) -> None:
    """Note why a try failed. Raises `_ServerFails` unless it did for this message alone."""
    said = f"The mail server {explain_mail_server(error)}"
    if is_final(error) or mail.tries == MOST_TRIES:
        _finish(mail, State.GIVEN_UP, error=said)
    else:
        _row(mail).update(next_try_at=now() + PAUSES[mail.tries - 1], error=said)
        # Never the address: logs are read by more people than mailboxes.
        logger.warning("could not send email %s: %s", mail.public_id, said)
    if not is_final(error):
        raise _ServerFails


def _finish(mail: OutgoingMail, state: OutgoingMail.State, *, error: str = "") -> None:
    is_noted = _row(mail).update(state=state, error=error, sealed="", finished_at=now())
    if is_noted and state == State.GIVEN_UP:
        logger.error("gave up on email %s (%s): %s", mail.public_id, mail.kind, error)
