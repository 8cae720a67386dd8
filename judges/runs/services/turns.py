"""Whose turn it is when a worker is free, and that never all workers wait for models."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO, Any

from common.clock import now
from common.tasks import enqueue_on_commit
from judges.runs.selectors import whose_turn
from judges.runs.services.batches import finish_if_done
from judges.runs.services.extending import WORK_TASK
from judges.runs.services.working import work_on_run


class Seats:
    """Places for those of a worker's processes that wait for models: one fewer than there are processes.

    The places are bytes of a file, each locked by who has it, so a process that is killed gives its place up.
    """

    def __init__(self) -> None:
        """Let everybody sit, until there are processes to tell apart."""
        self._file: IO[bytes] | None = None
        self._count = 0

    def set_up(self, *, processes: int) -> None:
        """Make the places, before the processes are forked."""
        if self._file is not None:
            self._file.close()
        self._file = TemporaryFile()  # noqa: SIM115 (as long as the worker lives)
        self._count = max(1, processes - 1)

    @contextmanager
    def taken(self) -> Iterator[bool]:
        """Take a place, and say whether there was one."""
        if self._file is None:
            yield True
            return
        place = self._take(self._file)
        try:
            yield place is not None
        finally:
            if place is not None:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)

    def _take(self, file: IO[bytes]) -> int | None:
        for place in range(self._count):
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except OSError:
                continue
            return place
        return None


SEATS = Seats()


def take_turn(*, run_id: int, batches: int, seconds: float) -> int:
    """Work on the run that rings, or on that of a project for which fewer are at work.

    Over a connection only where a place is left: calls cannot be cut short, and somebody must be there for
    imports, exports and whatever people wait for. Who has the place rings again, as does the sweeper.
    """
    with SEATS.taken() as is_seated:
        run = whose_turn(run_id=run_id, at=now(), may_call=is_seated)
        if run is not None and run.connection_id is not None:
            return _work(run.pk, run_id, batches=batches)
    if run is None:
        finish_if_done(run_id, at=now())
        return 0
    return _work(run.pk, run_id, batches=batches, seconds=seconds)


def _work(chosen_id: int, run_id: int, **turn: Any) -> int:
    if chosen_id == run_id:
        return work_on_run(run_id=run_id, **turn)
    # The one chosen has a doorbell of its own; this one is to be rung for again.
    enqueue_on_commit(WORK_TASK, run_id)
    return work_on_run(run_id=chosen_id, rings=False, **turn)
