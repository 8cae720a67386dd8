"""Note who signed in, from where, and what else changed who can: for the account's owner and administrators.

Why it is so: docs/decisions/0063.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest

from annotation.accounts.guessing import client_of
from annotation.accounts.models import AccountEvent, User
from common.clock import now
from common.database.rows import batched

Kind = AccountEvent.Kind
FAILURES = (
    Kind.SIGN_IN_FAILED,
    Kind.WRONG_PASSWORD,
    Kind.WRONG_CODE,
    Kind.SSO_FAILED,
    Kind.SSO_REFUSED,
    Kind.SSO_WRONG_CODE,
)
# Of one account: so many failures, and so many of all else, so that nobody's guesses push out the sign-ins.
MOST_OF_AN_ACCOUNT = 200
# Of usernames that nobody has, all together: these are counted, and nothing is known of them but when.
MOST_OF_NOBODY = 10_000
A_CHUNK = 1_000


def note(
    *, user: User, kind: AccountEvent.Kind, request: HttpRequest | None = None, at: datetime | None = None
) -> None:
    """Note that something happened to an account; without a request an administrator's command did it."""
    client, agent = ("", "") if request is None else (client_of(request), agent_of(request))
    note_from(user=user, kind=kind, client=client, agent=agent, at=at or now())


def note_from(*, user: User, kind: AccountEvent.Kind, client: str, agent: str, at: datetime) -> None:
    """Note what a request asked for that is over."""
    AccountEvent.objects.create(user=user, kind=kind, client=client, user_agent=agent, at=at)


def note_new_password(*, user: User) -> None:
    """Note that a command gave the account another password."""
    note(user=user, kind=Kind.PASSWORD_CHANGED)


def note_failure(*, request: HttpRequest, username: str, at: datetime | None = None) -> None:
    """Note that somebody could not sign in; people type passwords for names, so no unknown name is kept.

    The same statements whether there is such an account or not: how long they take tells nobody.
    """
    user = User.objects.filter(username=username, is_active=True).first()
    client, agent = client_of(request), agent_of(request)
    AccountEvent.objects.create(
        user=user,
        kind=Kind.SIGN_IN_FAILED,
        client=client if user else "",
        user_agent=agent if user else "",
        at=at or now(),
    )


def forget_places(*, user: User) -> None:
    """Forget from where somebody came whose account is closed; that they came stays."""
    AccountEvent.objects.filter(user=user).update(client="", user_agent="")


def sweep_events(*, at: datetime | None = None) -> int:
    """Delete what is older than `ASSAY_SIGN_IN_DAYS`, or more than is kept of one account."""
    before = (at or now()) - timedelta(days=settings.ASSAY_SIGN_IN_DAYS)
    deleted = _delete(AccountEvent.objects.filter(at__lt=before))
    for failed in (Q(kind__in=FAILURES), ~Q(kind__in=FAILURES)):
        found = AccountEvent.objects.filter(failed)
        many = found.values("user").annotate(number=Count("pk")).filter(number__gt=MOST_OF_AN_ACCOUNT)
        for user in list(many.order_by("user").values_list("user", flat=True)):
            most = MOST_OF_NOBODY if user is None else MOST_OF_AN_ACCOUNT
            of_one = found.filter(user=user)
            last = of_one.order_by("-at", "-pk").values_list("at", "pk")[most - 1 : most].first()
            if last is not None:
                deleted += _delete(of_one.filter(Q(at__lt=last[0]) | Q(at=last[0], pk__lt=last[1])))
    return deleted


def _delete(rows: QuerySet[AccountEvent]) -> int:
    # Whoever signs in meanwhile waits for a chunk at most.
    ids = list(rows.order_by("pk").values_list("pk", flat=True))
    return sum(AccountEvent.objects.filter(pk__in=chunk).delete()[0] for chunk in batched(ids, A_CHUNK))


def agent_of(request: HttpRequest) -> str:
    """Return what the browser or program calls itself, as it is kept."""
    sent = request.META.get("HTTP_USER_AGENT", "")
    shown = "".join(character for character in sent if character.isprintable())
    return shown[: AccountEvent._meta.get_field("user_agent").max_length]
