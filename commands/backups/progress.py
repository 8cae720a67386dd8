"""What a long command says while it is at work: not more often than one reads it."""

from collections.abc import Callable
from time import monotonic

SECONDS_BETWEEN = 5.0
Tell = Callable[[str], None]


class Progress:
    """Tells how far the work on a part is, every few seconds; a short one tells nothing."""

    def __init__(self, tell: Tell, *, seconds_between: float = SECONDS_BETWEEN) -> None:
        self._tell, self._seconds = tell, seconds_between
        self._told_at = monotonic()

    def note(self, what: str, done: int, of: int | None = None) -> None:
        """Say it, if it is time to."""
        at = monotonic()
        if at - self._told_at >= self._seconds:
            self._told_at = at
            self._tell(f"{what}: {done:,}{'' if of is None else f' of {of:,}'}")
