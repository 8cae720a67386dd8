"""Write connections, keep their keys, and open them."""

from judges.connections.services.keys import KeyUnusable
from judges.connections.services.opening import OpenAIClient, open_client
from judges.connections.services.policy import address_policy

__all__ = ["KeyUnusable", "OpenAIClient", "address_policy", "open_client"]
