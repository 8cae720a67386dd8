"""Make a message of its row when it is sent: in the person's language, from facts of one line each."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.signing import BadSignature, Signer

from annotation.accounts.models import Mailbox, OutgoingMail
from annotation.accounts.outbox import words
from annotation.accounts.outbox.ports import Share, Waiting, is_invitation_open, share_of, what_waits
from annotation.accounts.outbox.writing import open_link
from common.mailing.lines import one_line

Kind = OutgoingMail.Kind
LONGEST_NAME = 80
# Of a digest; how many more there are is said.
MOST_PROJECTS = 20
SALT = "annotation.accounts.unsubscribe"


def make_letter(mail: OutgoingMail) -> EmailMessage | None:
    """Return a message as it is sent; None where it has nothing to say any more. Raises `LinkUnreadable`."""
    facts = FACTS[mail.kind](mail)
    if facts is None:
        return None
    facts |= {"server": settings.ASSAY_PUBLIC_URL}
    said = words.WORDS[mail.language][mail.kind]
    return EmailMessage(
        subject=said.subject.format(**facts),
        body=said.text.format(**facts),
        to=[mail.recipient],
        headers=_headers(mail, unsubscribe=facts.get("unsubscribe", "")),
    )


def _headers(mail: OutgoingMail, *, unsubscribe: str) -> dict[str, str]:
    host = urlsplit(settings.ASSAY_PUBLIC_URL).hostname
    headers = {
        # The same at each try, so that mail programs show a message once that came twice.
        "Message-ID": f"<{mail.public_id}@{host}>",
        # Keeps programs from replying that somebody is away (RFC 3834).
        "Auto-Submitted": "auto-generated",
    }
    if unsubscribe:
        # RFC 2369, and for one click RFC 8058.
        headers["List-Unsubscribe"] = f"<{unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers


def _with_link(mail: OutgoingMail) -> dict[str, str] | None:
    return {"link": settings.ASSAY_PUBLIC_URL + open_link(mail), "username": _name(mail.user.username)}


def _of_account(mail: OutgoingMail) -> dict[str, str] | None:
    return {"username": _name(mail.user.username)}


def _of_invitation(mail: OutgoingMail) -> dict[str, str] | None:
    if not is_invitation_open(public_id=mail.about) or mail.project is None:
        return None
    return {
        "link": settings.ASSAY_PUBLIC_URL + open_link(mail),
        # As it is called now.
        "project": _name(mail.project.name),
        "role": _of_role(mail.facts["role"], project_id=mail.project.pk, language=mail.language),
        "until": words.DATES[mail.language].format(at=datetime.fromisoformat(mail.facts["until"])),
    }


def _of_role(role: str, *, project_id: int, language: str) -> str:
    said = words.ROLES[language][role]
    share = share_of(project_id=project_id) if role == words.JUDGING_ROLE else None
    return said if share is None else f"{said}\n\n{_of_share(share, language=language)}"


def _of_share(share: Share, *, language: str) -> str:
    minutes = share.seconds / 60
    units, time = (
        (words.MINUTES, minutes) if minutes < words.FEWEST_HOURS_MINUTES else (words.HOURS, minutes / 60)
    )
    return words.SHARES[language].format(
        answers=_counted(share.answers, words.ANSWERS[language], language=language),
        time=_counted(max(1, round(time)), units[language], language=language),
    )


def _counted(number: int, forms: tuple[str, str], *, language: str) -> str:
    grouped = f"{number:,}".replace(",", words.THOUSANDS[language])
    return forms[number != 1].format(count=grouped)


def _of_digest(mail: OutgoingMail) -> dict[str, str] | None:
    box = Mailbox.objects.filter(user=mail.user, user__is_active=True, address=mail.recipient).first()
    # Whoever wants none any more gets none that was written before.
    if box is None or box.digest == Mailbox.Digest.OFF:
        return None
    waiting = what_waits(user=mail.user)
    if not waiting:
        return None
    token = unsubscribe_token(mail.user.public_id)
    return {
        "list": "\n".join(_line(each, language=mail.language) for each in waiting[:MOST_PROJECTS]),
        "often": words.OFTEN[mail.language][box.digest],
        "unsubscribe": f"{settings.ASSAY_PUBLIC_URL}/account/unsubscribe/{token}",
    }


FACTS: dict[str, Callable[[OutgoingMail], dict[str, str] | None]] = {
    Kind.CONFIRM: _with_link,
    Kind.PASSWORD_LINK: _with_link,
    Kind.ADDRESS_CHANGED: _of_account,
    Kind.PASSWORD_CHANGED: _of_account,
    Kind.INVITATION: _of_invitation,
    Kind.DIGEST: _of_digest,
}


def _line(waiting: Waiting, *, language: str) -> str:
    forms = (words.JUDGING if waiting.is_judging else words.DECIDING)[language]
    what = forms[waiting.number != 1].format(count=waiting.number)
    page = "judge" if waiting.is_judging else "queue"
    address = f"{settings.ASSAY_PUBLIC_URL}/{waiting.project_slug}/{page}"
    return f"{_name(waiting.project_name)}: {what}\n{address}\n"


def _name(text: str) -> str:
    return one_line(text, longest=LONGEST_NAME)


def unsubscribe_token(public_id: str) -> str:
    """Return what ends a person's digest without signing in; it can do nothing else, and lasts."""
    return Signer(salt=SALT).sign(public_id)


def read_unsubscribe_token(token: str) -> str | None:
    """Return whose digest a token ends, None for none."""
    try:
        return Signer(salt=SALT).unsign(token)
    except BadSignature:
        return None
