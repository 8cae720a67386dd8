"""Links to a new password by email: asked for by anybody, answered in the background.

The request does the same whether somebody has such an account or not, so neither reply nor time tells.
"""

import json
from datetime import datetime, timedelta

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest

from annotation.accounts.guessing import client_of, count_link_request
from annotation.accounts.mailboxes.addresses import AddressUnusable, clean_address
from annotation.accounts.models import Mailbox, OutgoingMail, PasswordRequest, User
from annotation.accounts.outbox.writing import count_written, page_language, require_mail, write_mail
from annotation.accounts.selectors import MAILED_LINK_LASTS, make_mailed_token
from annotation.accounts.sign_ins.noting import Kind as EventKind
from annotation.accounts.sign_ins.noting import agent_of, note_from
from common.clock import now
from common.encryption.vault import vault_for
from common.tasks import enqueue_on_commit

ANSWER_TASK = "accounts.mailboxes.answer_password_request"
PURPOSE = b"annotation.accounts.mailboxes.resetting"
# Of one account, in an hour and in a day: more would be a way to fill somebody's mailbox.
MOST_AN_HOUR, MOST_A_DAY = 3, 10
# Of those that share an address.
MOST_ACCOUNTS = 5
# By then a worker was rung for it.
LEFT_ALONE = timedelta(seconds=10)
KEPT = timedelta(hours=1)


def ask_for_link(*, request: HttpRequest, account: str, at: datetime | None = None) -> None:
    """Have a link sent to whoever has this username or confirmed address.

    Raises `MailOff` and `TooManyLinkRequests`, alike whether there is such an account or not.
    """
    require_mail()
    at = at or now()
    count_link_request(request=request, at=at)
    # People type passwords where names belong: nobody but the server reads it.
    typed = {
        "account": account,
        "client": client_of(request),
        "agent": agent_of(request),
        "language": page_language(User()),
    }
    sealed = vault_for(PURPOSE).encrypt(json.dumps(typed).encode()).decode()
    with transaction.atomic():
        asked = PasswordRequest.objects.create(sealed=sealed, created_at=at)
        enqueue_on_commit(ANSWER_TASK, asked.pk)


def answer_request(*, request_id: int, at: datetime | None = None) -> None:
    """Write messages to whom a request was about, once; most often to nobody."""
    at = at or now()
    asked = PasswordRequest.objects.filter(pk=request_id).first()
    if asked is None:
        return
    try:
        typed = json.loads(vault_for(PURPOSE).decrypt(asked.sealed.encode()))
    except InvalidToken:
        typed = None
    boxes = [] if typed is None else _boxes_of(typed["account"])
    with transaction.atomic():
        # Of two who answer it at once the second finds none.
        if not PasswordRequest.objects.filter(pk=request_id).delete()[0] or typed is None:
            return
        for box in boxes:
            _send_link(box, client=typed["client"], agent=typed["agent"], language=typed["language"], at=at)


def _boxes_of(account: str) -> list[Mailbox]:
    try:
        address = clean_address(account)
    except AddressUnusable:
        address = account
    named = Q(user__username=account) | Q(address__iexact=address)
    boxes = Mailbox.objects.filter(named, user__is_active=True, user__is_imported=False).exclude(address="")
    return list(boxes.select_related("user").order_by("user_id")[:MOST_ACCOUNTS])


def _send_link(box: Mailbox, *, client: str, agent: str, language: str, at: datetime) -> None:
    # Two at once take turns, so that the limits hold.
    user = User.objects.select_for_update(no_key=True).get(pk=box.user_id)
    # Whoever removed or replaced the address meanwhile gets no link to it, nor does who has it now.
    if not Mailbox.objects.filter(pk=box.pk, address=box.address, user__is_active=True).exists():
        return
    kind = OutgoingMail.Kind.PASSWORD_LINK
    for most, within in ((MOST_AN_HOUR, timedelta(hours=1)), (MOST_A_DAY, timedelta(days=1))):
        if count_written(user=user, kind=kind, since=at - within) >= most:
            return
    write_mail(
        kind=kind,
        user=user,
        recipient=box.address,
        language=user.language or language,
        worth=MAILED_LINK_LASTS,
        link=f"/password/{make_mailed_token(user=user)}",
        at=at,
    )
    note_from(user=user, kind=EventKind.RESET_REQUESTED, client=client, agent=agent, at=at)


def sweep_requests(*, at: datetime | None = None) -> None:
    """Ring for requests that nobody answered, and forget those that came long ago."""
    at = at or now()
    PasswordRequest.objects.filter(created_at__lte=at - KEPT).delete()
    waiting = PasswordRequest.objects.filter(created_at__lte=at - LEFT_ALONE)
    for request_id in list(waiting.order_by("pk").values_list("pk", flat=True)[:1_000]):
        enqueue_on_commit(ANSWER_TASK, request_id)
