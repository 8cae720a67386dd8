"""Make, change and archive connections. A key never follows a connection to another address."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from annotation.accounts.models import User
from annotation.projects.models import Project
from common.clock import now
from common.errors import Conflict, Invalid
from common.outgoing.addresses import UnusableAddress, parse_destination, require_allowed
from judges.connections.models import Connection
from judges.connections.rules.apis import APIS, LOCAL, not_installed, parse_parameters
from judges.connections.rules.calls import UnusableParameter, usd_from_pico
from judges.connections.selectors import (
    LocalModelUnusable,
    address_policy,
    cure_of,
    encrypt_key,
    find_local_model,
    get_connection,
)

CHANGEABLE = frozenset(
    {
        "name",
        "api",
        "base_url",
        "endpoint",
        "model",
        "parameters",
        "key",
        "input_price",
        "output_price",
        "requests_per_minute",
        "parallel_calls",
        "timeout_seconds",
        "spend_cap",
    }
)


class UnusableConnection(Invalid):
    """A field of the connection cannot be what was asked for; details name it."""


class KeyRequired(Invalid):
    """The address changes, so the key has to be entered again."""


class ConnectionNameTaken(Conflict):
    """Another connection of the project has this name."""


class ConnectionArchived(Conflict):
    """The connection is archived, and stays as it is."""


@transaction.atomic
def create_connection(
    *, project: Project, by: User, name: str, model: str, base_url: str = "", **fields: Any
) -> Connection:
    """Make a connection. Money is in pico-USD. Raises `UnusableConnection` and `ConnectionNameTaken`."""
    connection = Connection(project=project, created_by=by, created_at=now())
    _apply(connection, {"name": name, "base_url": base_url, "model": model, **fields})
    return _save(connection)


@transaction.atomic
def change_connection(*, project: Project, public_id: str, changes: Mapping[str, Any]) -> Connection:
    """Change some fields. Whoever changes the address enters the key again, or takes it out with "".

    Raises `ConnectionNotFound`, `ConnectionArchived`, `KeyRequired`, `UnusableConnection`.
    """
    found = get_connection(project=project, public_id=public_id)
    # Two changes at once take turns: one must not bring a key and the other an address.
    connection = Connection.objects.select_for_update().get(pk=found.pk)
    if connection.archived_at is not None:
        raise ConnectionArchived("This connection is archived. Create a new one.")
    _apply(connection, changes)
    return _save(connection)


@transaction.atomic
def archive_connection(*, project: Project, public_id: str) -> Connection:
    """Take a connection out of use and forget its key; what was judged through it stays."""
    connection = get_connection(project=project, public_id=public_id)
    Connection.objects.filter(pk=connection.pk, archived_at=None).update(
        archived_at=now(), encrypted_key="", key_last_four=""
    )
    connection.refresh_from_db()
    return connection


def _apply(connection: Connection, changes: Mapping[str, Any]) -> None:
    plain = dict(changes)
    if unknown := set(plain) - CHANGEABLE:
        raise TypeError(f"no field to change: {sorted(unknown)}")
    api = _checked_api(plain.get("api", connection.api), plain.get("endpoint", connection.endpoint))
    take = _take_local if api == LOCAL else _take_remote
    take(connection, plain, api=api)


def _take_remote(connection: Connection, plain: dict[str, Any], *, api: str) -> None:
    key = plain.pop("key", None)
    base_url = _checked_address(plain.pop("base_url", connection.base_url))
    if base_url != connection.base_url and connection.encrypted_key and key is None:
        raise KeyRequired("The key was entered for another address. Enter it again to change the address.")
    if "spend_cap" in plain:
        _require_affordable(connection, plain["spend_cap"])
    if {"parameters", "api"} & set(plain):
        plain["parameters"] = _checked_parameters(plain.get("parameters", connection.parameters), api=api)
    if key is not None or base_url != connection.base_url:
        # Who asked for silence was another account, or another server.
        connection.rests_until = None
    connection.base_url = base_url
    for name, value in plain.items():
        setattr(connection, name, value)
    if key is not None:
        _set_key(connection, key)


# A model in the worker itself has no address and no key, costs nothing, and takes one prompt at a time.
_OF_LOCAL = {"base_url": "", "input_price": 0, "output_price": 0, "spend_cap": None, "parallel_calls": 1}


def _take_local(connection: Connection, plain: Mapping[str, Any], *, api: str) -> None:
    model = plain.get("model", connection.model)
    try:
        find_local_model(model)
    except LocalModelUnusable as error:
        raise UnusableConnection(str(error), details=_field("model", str(error))) from None
    fields = {name: value for name, value in plain.items() if name != "key"} | _OF_LOCAL
    fields["parameters"] = _checked_parameters(fields.get("parameters", connection.parameters), api=api)
    for name, value in fields.items():
        setattr(connection, name, value)
    _set_key(connection, "")


def _require_affordable(connection: Connection, spend_cap: int | None) -> None:
    gone = connection.spent + connection.reserved
    if spend_cap is not None and spend_cap < gone:
        raise UnusableConnection(
            f"{usd_from_pico(gone):f} USD has already been spent or reserved for calls in progress. Enter at "
            "least this amount.",
            details=_field("spend_cap", "This is less than the amount already spent."),
        )


def _set_key(connection: Connection, key: str) -> None:
    if not key.isascii() or any(sign <= " " or sign == "\x7f" for sign in key):
        raise UnusableConnection(
            "A key can contain only ASCII characters, without spaces. Check it and enter it again.",
            details=_field("key", "Enter a key of ASCII characters, without spaces."),
        )
    connection.encrypted_key = encrypt_key(key=key, base_url=connection.base_url) if key else ""
    # Of a short key the last four characters would be too much of it.
    connection.key_last_four = key[-4:] if len(key) >= 12 else ""


def _checked_address(text: str) -> str:
    try:
        destination = parse_destination(text)
        require_allowed(destination, address_policy())
    except UnusableAddress as error:
        raise UnusableConnection(str(error), details=_field("base_url", str(error))) from None
    return destination.url


def _checked_api(api: str, endpoint: str) -> str:
    if cure := cure_of(api):
        words = not_installed(api, cure)
        raise UnusableConnection(words, details=_field("api", words))
    if endpoint not in APIS[api].endpoints:
        name = APIS[api].name
        words = f"“{endpoint}” is not an endpoint of the {name} API. Use the endpoint “chat” instead."
        raise UnusableConnection(words, details=_field("endpoint", words))
    return api


def _checked_parameters(given: Mapping[str, Any], *, api: str) -> dict[str, Any]:
    try:
        return parse_parameters(given, api=api)
    except UnusableParameter as error:
        raise UnusableConnection(str(error), details=_field("parameters", str(error))) from None


def _field(name: str, reason: str) -> dict[str, Any]:
    return {"fields": {name: [reason]}}


def _save(connection: Connection) -> Connection:
    try:
        with transaction.atomic():
            connection.save()
    except IntegrityError:
        message = f"Another connection is named “{connection.name}.” Choose another name."
        raise ConnectionNameTaken(message, details=_field("name", message)) from None
    return connection
