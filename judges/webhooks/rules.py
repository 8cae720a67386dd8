"""What webhooks say and when, how it is signed, and when no further try is made."""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from common.outgoing.addresses import Destination, parse_destination

MOST_ENDPOINTS = 5
LONGEST_URL = 500
PREFIX = "whsec_"
SECRET_BYTES = 32


class WebhookEvent(StrEnum):
    """What an endpoint may hear of."""

    DECISIONS = "item.decided"
    QUEUE = "queue.grew"
    RUN = "run.finished"
    EXPORT = "export.ready"


# No endpoint chooses it: the lead asks for one.
TEST = "webhook.test"
# Told together, and one at a time: the next is made once this one was delivered or given up.
GATHERED = (WebhookEvent.DECISIONS, WebhookEvent.QUEUE)

# How long after a failed try the next one is made: six tries, the last a day and a bit after the first.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 240, 1_200))
MOST_TRIES = len(PAUSES) + 1
# Failed tries in a row, of any delivery.
MOST_FAILURES = 30
# "Gone": the one status by which a receiver says that it wants no more.
GONE = 410
# So that a receiver can take over a new secret: for so long both sign.
BOTH_SIGN = timedelta(days=1)
KEPT = timedelta(days=30)
TIMEOUT_SECONDS = 10.0
LONGEST_ERROR = 200


class Address(NamedTuple):
    """Where messages go, and the one spelling of it."""

    destination: Destination
    url: str


def read_address(text: str) -> Address:
    """Read an endpoint's address; raises `UnusableAddress` for what is not in plain form.

    A slash at the end stays: to many servers it makes another address.
    """
    destination = parse_destination(text)
    slash = "/" if destination.path and text.endswith("/") else ""
    return Address(destination, f"{destination.url}{slash}")


def pause_after(tries: int) -> timedelta | None:
    """Return how long to wait after so many failed tries (from 1), or None where no further one is made."""
    return PAUSES[tries - 1] if tries <= len(PAUSES) else None


def is_too_much(failures: int) -> bool:
    """Say whether an endpoint is turned off after so many failed tries in a row."""
    return failures >= MOST_FAILURES


def write_body(
    *,
    event: str,
    delivery: str,
    at: datetime,
    project: str,
    counts: Mapping[str, int],
    links: Mapping[str, str],
    about: Mapping[str, str],
) -> str:
    """Return the JSON text of a delivery, made of these fields and nothing else.

    project: its slug. about: ids and states of a run or an export. None of them may hold a text that people
    wrote about an answer, a vote, or anybody's name.
    """
    fields = {
        "type": event,
        "id": delivery,
        "timestamp": at.isoformat(),
        "data": {"project": project, **about, "counts": dict(counts), "links": dict(links)},
    }
    return json.dumps(fields, separators=(",", ":"))


def new_secret() -> str:
    """Return a secret to sign with, as receivers' libraries read it."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def sign(*, delivery: str, timestamp: int, body: str, secrets_in_use: Sequence[str]) -> dict[str, str]:
    """Return the headers of one try; of several secrets each signs.

    timestamp: seconds since 1970 of this try. Source: Standard Webhooks 1.0.0, symmetric signatures.
    """
    signed = f"{delivery}.{timestamp}.{body}".encode()
    signatures = [f"v1,{_mac(secret, signed)}" for secret in secrets_in_use]
    return {
        "webhook-id": delivery,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }


def _mac(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
