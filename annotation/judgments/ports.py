"""What only later steps know about judgments."""

from collections.abc import Mapping
from datetime import datetime

from annotation.assignments.blind_view import HowDecided
from common.events import Port


@Port
def how_people_decided(*, judged_at: Mapping[int, datetime]) -> dict[int, HowDecided]:
    """Return by answer what a person decided after it was judged."""
    raise NotImplementedError
