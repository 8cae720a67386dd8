"""Read connections, their keys (each bound to the address it was entered for), and what may be called."""

import json
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db.models import QuerySet

from annotation.projects.models import Project
from common.encryption.vault import vault_for
from common.errors import Invalid, NotFound
from common.outgoing.addresses import AddressPolicy, parse_policy
from common.web.starting import installation_of
from judges.connections.models import Connection
from judges.connections.rules.apis import APIS, LOCAL, OPENAI, OfferedApi, stated_api
from judges.connections.rules.local import UNREADABLE, LocalModel, parse_models
from judges.methods.neural.pretrained import hash_model, list_model_files


class LocalModelUnusable(Invalid):
    """The administrator offers no such model, or its files cannot be read."""


class ConnectionNotFound(NotFound):
    """The project has no such connection."""


def list_connections(*, project: Project) -> QuerySet[Connection]:
    """Return the connections in use, then the archived ones, newest first."""
    return project.connections.order_by("archived_at", "-created_at", "-pk")


def get_connection(*, project: Project, public_id: str) -> Connection:
    """Return one connection of the project; raises `ConnectionNotFound`."""
    connection = project.connections.filter(public_id=public_id).first()
    if connection is None:
        raise ConnectionNotFound("This project has no such connection.")
    return connection


def describe_connection(connection: Connection) -> dict[str, str]:
    """Return what of a connection may change a verdict: the part of a signature that it makes.

    Neither its name nor its key, price or limits. OpenAI's API is not named: signatures from before there
    were others stay what they are. Raises `LocalModelUnusable`.
    """
    if connection.api == LOCAL:
        return {
            "api": LOCAL,
            "model": connection.model,
            "weights": revision_of(connection.model),
            "parameters": _spelled(connection.parameters),
        }
    is_named = connection.api != OPENAI
    return {
        **({"api": stated_api(connection.api, connection.parameters)} if is_named else {}),
        "model": connection.model,
        "host": _place(connection.base_url),
        "endpoint": connection.endpoint,
        "parameters": _spelled(connection.parameters),
    }


def _spelled(parameters: Mapping[str, Any]) -> str:
    return json.dumps(parameters, sort_keys=True, separators=(",", ":"))


def _place(base_url: str) -> str:
    # A path can choose the model (a deployment, one of several servers behind a name); "/v1" is everybody's.
    address = urlsplit(base_url)
    return (address.netloc + address.path).removesuffix("/v1")


def list_apis() -> list[OfferedApi]:
    """Return the APIs that a connection can speak, also those whose library is not installed."""
    return [
        OfferedApi(
            key=api.key,
            name=api.name,
            base_url=api.base_url,
            cure=cure_of(api.key),
            parameters=api.parameters.names,
            models=tuple(sorted(local_models())) if api.key == LOCAL else (),
        )
        for api in APIS.values()
    ]


def cure_of(api: str) -> str:
    """Return what installs the library for an API; nothing where it is installed."""
    found = APIS[api]
    if all(_is_there(library) for library in (found.library, *found.beside.split())):
        return ""
    return installation_of(found.extra, beside=f" {found.beside}".rstrip())


def _is_there(library: str) -> bool:
    try:
        return find_spec(library) is not None
    except ModuleNotFoundError:
        # A part of a package that is not there.
        return False


def local_models() -> dict[str, LocalModel]:
    """Return by name the models in the workers themselves (`ASSAY_LOCAL_MODELS`)."""
    return parse_models(settings.ASSAY_LOCAL_MODELS)


def find_local_model(name: str) -> LocalModel:
    """Return a model that the administrator offers; raises `LocalModelUnusable`."""
    found = local_models().get(name)
    if found is None:
        raise LocalModelUnusable(
            f"The administrator of this server does not offer a local model “{name}” (ASSAY_LOCAL_MODELS)."
        )
    return found


def revision_of(name: str) -> str:
    """Return what tells a local model from any other: its commit, or the hash of its files.

    Raises `LocalModelUnusable`.
    """
    model = find_local_model(name)
    if model.commit:
        return model.commit
    try:
        return hash_model(model.place)
    except OSError:
        raise LocalModelUnusable(UNREADABLE.format(name=name)) from None


def require_local_files(model: LocalModel) -> None:
    """Raise `LocalModelUnusable` where a model's folder is missing or has no weights; no file is read."""
    if model.commit:
        return
    try:
        list_model_files(model.place)
    except OSError:
        raise LocalModelUnusable(UNREADABLE.format(name=model.name)) from None


def address_policy() -> AddressPolicy:
    """Return what may be called from this server (`ASSAY_LLM_ALLOWED_HOSTS`)."""
    return parse_policy(settings.ASSAY_LLM_ALLOWED_HOSTS)


PURPOSE = b"assay connection keys 1"


class KeyUnusable(Exception):
    """A stored key cannot be read, or was entered for another address."""


def encrypt_key(*, key: str, base_url: str) -> str:
    """Return the key in a form that is of use only with this server's secret and for this address."""
    sealed = json.dumps({"key": key, "base_url": base_url}).encode()
    return vault_for(PURPOSE).encrypt(sealed).decode()


def decrypt_key(*, encrypted: str, base_url: str) -> str:
    """Return the key for the address it was entered for; raises `KeyUnusable` for any other."""
    try:
        opened = json.loads(vault_for(PURPOSE).decrypt(encrypted.encode()))
    except InvalidToken:
        raise KeyUnusable(
            "The saved key cannot be read with this server’s secret key. Enter the connection’s key again."
        ) from None
    if opened["base_url"] != base_url:
        raise KeyUnusable("The saved key was entered for another address. Enter it again.")
    key: str = opened["key"]
    return key
