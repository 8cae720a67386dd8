"""Post one message over the guarded way out. Loaded when something is sent."""

import httpcore2
import httpx2

from common.outgoing.addresses import AddressPolicy
from common.outgoing.guard import CallRefused, GuardedTransport, Resolve, resolve_host
from judges.webhooks.rules import Address


def post(
    address: Address,
    *,
    policy: AddressPolicy,
    body: str,
    headers: dict[str, str],
    seconds: float,
    resolve: Resolve | None = None,
) -> tuple[int | None, str]:
    """Post a body, and return the status and why it failed: empty for a status from 200 to 299.

    Follows no redirect, and reads nothing of the reply but its head.
    """
    transport = GuardedTransport(
        destination=address.destination,
        policy=policy,
        timeout_seconds=seconds,
        key="",
        # Looked up here: tests put another in its place.
        resolve=resolve or resolve_host,
        headers=tuple(headers),
        reads_replies=False,
    )
    client = httpx2.Client(transport=transport, timeout=seconds, follow_redirects=False, trust_env=False)
    sent = {"Content-Type": "application/json", **headers}
    try:
        with client, client.stream("POST", address.url, content=body.encode(), headers=sent) as reply:
            return reply.status_code, _reason(reply.status_code)
    except CallRefused as refused:
        return None, str(refused)
    except (httpx2.TimeoutException, httpcore2.TimeoutException):
        return None, f"The receiver did not respond within {seconds:g} seconds."
    except (httpx2.HTTPError, httpcore2.ConnectError):
        return None, "The receiver could not be reached, or the connection was lost."


def _reason(status: int) -> str:
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return (
            f"The receiver sent a redirect (status {status}), which Assay does not follow. Use the "
            "final address."
        )
    return f"The receiver responded with status {status}."
