"""Write connections, keep their keys, and open them."""

from judges.connections.services.changing import archive_connection, change_connection, create_connection
from judges.connections.services.opening import open_client
from judges.connections.services.policy import address_policy
from judges.connections.services.trying import Trial, try_connection
