"""Write connections, keep their keys, and open them."""

from judges.connections.services.changing import (
    ConnectionArchived,
    ConnectionNameTaken,
    KeyRequired,
    UnusableConnection,
    archive_connection,
    change_connection,
    create_connection,
)
from judges.connections.services.keys import KeyUnusable
from judges.connections.services.opening import OpenAIClient, open_client
from judges.connections.services.policy import address_policy
from judges.connections.services.trying import Trial, try_connection

__all__ = [
    "ConnectionArchived",
    "ConnectionNameTaken",
    "KeyRequired",
    "KeyUnusable",
    "OpenAIClient",
    "Trial",
    "UnusableConnection",
    "address_policy",
    "archive_connection",
    "change_connection",
    "create_connection",
    "open_client",
    "try_connection",
]
