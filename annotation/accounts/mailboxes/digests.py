"""Write the digests that are due; whether something waits is looked at when each is sent."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from annotation.accounts.mailboxes.confirming import next_digest
from annotation.accounts.models import Mailbox, OutgoingMail
from annotation.accounts.outbox.writing import write_mail
from common.clock import now

# Later than that the next one is near.
WORTH = timedelta(hours=12)


def write_due_digests(*, at: datetime | None = None) -> None:
    """Write the messages of those whose time has come: a clock's, which nothing that others do moves."""
    if not settings.ASSAY_SENDS_MAIL:
        return
    at = at or now()
    due = Mailbox.objects.filter(digest_at__lte=at, user__is_active=True).select_related("user")
    for box in list(due.order_by("pk")):
        _write(box, at=at)


@transaction.atomic
def _write(box: Mailbox, *, at: datetime) -> None:
    # As it was read: of two who write it at once, the second finds it written.
    same = Mailbox.objects.filter(pk=box.pk, digest=box.digest, digest_at=box.digest_at, address=box.address)
    if not same.update(digest_at=next_digest(box.digest, after=at)):
        return
    write_mail(
        kind=OutgoingMail.Kind.DIGEST,
        user=box.user,
        recipient=box.address,
        language=box.user.language or box.language,
        worth=WORTH,
        at=at,
    )
