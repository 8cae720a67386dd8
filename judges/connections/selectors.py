"""Read a project's connections."""

import json
from urllib.parse import urlsplit

from django.db.models import QuerySet

from annotation.projects.models import Project
from common.errors import NotFound
from judges.connections.models import Connection


class ConnectionNotFound(NotFound):
    """The project has no such connection."""

    code = "connection_not_found"


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

    Neither its name nor its key, price or limits.
    """
    return {
        "model": connection.model,
        "host": _place(connection.base_url),
        "endpoint": connection.endpoint,
        "parameters": json.dumps(connection.parameters, sort_keys=True, separators=(",", ":")),
    }


def _place(base_url: str) -> str:
    # A path can choose the model (a deployment, one of several servers behind a name); "/v1" is everybody's.
    address = urlsplit(base_url)
    return (address.netloc + address.path).removesuffix("/v1")
