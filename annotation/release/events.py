"""What later steps hear of exports."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ExportReady:
    """A file is ready; told in the transaction that says so."""

    export_id: int
