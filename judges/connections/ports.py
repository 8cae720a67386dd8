"""What only later steps know about connections."""

from datetime import datetime
from typing import NamedTuple

from common.events import Port
from judges.connections.models import Connection


class Charge(NamedTuple):
    """What a test call is charged, in pico-USD; `month_id` is an organization's month, if it is in one."""

    connection_id: int
    month_id: int | None
    amount: int


@Port
def charge_trial(*, connection: Connection, bound: int, at: datetime) -> Charge:
    """Charge a test call at its bound before it is made; raises `JudgeFailed` where a limit forbids it."""
    raise NotImplementedError


@Port
def refund_trial(*, charge: Charge, amount: int) -> None:
    """Give back what a test call did not cost."""
    raise NotImplementedError
