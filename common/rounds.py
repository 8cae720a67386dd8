"""Do again and again what no request waits for, at moments that no request can foresee."""

import logging
import random
import threading
from collections.abc import Callable

from django.db import close_old_connections

MOST_PAUSE_SECONDS = 60.0
logger = logging.getLogger(__name__)


class Rounds(threading.Thread):
    """A thread of a server's process that calls `act` for as long as the process lives.

    act: does whatever is due, and says whether all of it could be done; after a round that failed the next
    ones come more slowly. seconds: between two rounds, on average. Each pause is drawn anew: a client that
    knew when a round comes could ask at that moment and see how long it takes.
    """

    def __init__(self, act: Callable[[], bool], *, seconds: float) -> None:
        """Make the thread; `start` starts it, `stop` lets the round under way be the last one."""
        super().__init__(name="rounds", daemon=True)
        self.act = act
        self.seconds = seconds
        self._chance = random.SystemRandom()
        self._is_stopped = threading.Event()
        self._wait = self._is_stopped.wait

    def run(self) -> None:
        """Go round until the process ends."""
        pause = self.seconds
        while not self._wait(pause * self._draw()):
            pause = self.seconds if self._go_round() else min(2 * pause, MOST_PAUSE_SECONDS)

    def _go_round(self) -> bool:
        close_old_connections()
        try:
            return self.act()
        except Exception:
            # Without a database for a while: the rounds go on once it is back.
            logger.exception("a round failed")
            return False
        finally:
            close_old_connections()

    def _draw(self) -> float:
        return self._chance.uniform(0.5, 1.5)

    def stop(self) -> None:
        """Let the round that is under way be the last one."""
        self._is_stopped.set()
