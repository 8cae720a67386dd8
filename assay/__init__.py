"""What other programs import of Assay, and its command line; nothing here loads Django until it is used."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.client import Client

__all__ = ["Client"]


def __getattr__(name: str) -> Any:
    # Judges and agreement are imported without a client of the network.
    if name == "Client":
        from assay.client import Client

        return Client
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
