"""Background work: rung for after commit, who is at it, and what a process does again and again."""

import fcntl
import logging
import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from celery import current_app
from django.conf import settings
from django.db import close_old_connections, transaction
from kombu.exceptions import OperationalError

from common.requests.naming import FIELD, current_request_id

logger = logging.getLogger(__name__)


def enqueue_on_commit(task_name: str, *args: Any, expires_seconds: float | None = None) -> None:
    """Ask a worker to run `task_name` with ids as arguments after the current transaction commits.

    expires_seconds: a worker that comes to it later than that passes over it.

    A broker that cannot be reached is logged and forgotten: the rows are the truth, and the
    sweeper rings again for whatever is still open.
    """
    options = {} if expires_seconds is None else {"expires": expires_seconds}
    transaction.on_commit(partial(_ring, task_name, args, **options))


def _ring(task_name: str, args: tuple[Any, ...], **options: Any) -> None:
    request_id = current_request_id()
    if request_id:
        options["headers"] = {FIELD: request_id}
    try:
        current_app.send_task(task_name, args=args, ignore_result=True, **options)
    except (OperationalError, OSError) as error:
        logger.warning("could not queue %s: %s", task_name, type(error).__name__)


class QueueAway(Exception):
    """The queue cannot be reached, or does not answer."""


@contextmanager
def open_queue() -> Iterator[Any]:
    """Connect to the queue, which takes two seconds or so where it is away; raises `QueueAway`."""
    # Loaded when asked: an installation whose queue is no Redis starts without it.
    from redis.exceptions import RedisError

    try:
        with current_app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=2)
            yield connection
    except (OperationalError, RedisError, OSError) as error:
        raise QueueAway from error


def is_queue_there() -> bool:
    """Return whether the queue can be reached."""
    try:
        with open_queue():
            return True
    except QueueAway:
        return False


@contextmanager
def at_work(name: str) -> Iterator[bool]:
    """Be at work on what has this name, and say whether nobody else on this machine is.

    However the process ends, its lock ends with it: `has_died` sees that at once, long before a lease ends.
    So it does where an error ended the work: the database may have been away, and the row says still that
    somebody is at it.
    """
    path = _path(name)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = _open_locked(path)
    if file is None:
        yield False
        return
    with file:
        yield True
        path.unlink(missing_ok=True)


def _open_locked(path: Path) -> IO[str] | None:
    """Return the file of a work, locked; None where somebody else has it.

    It gets its name only once it is locked: whoever saw it before would take who makes it for dead.
    """
    own = path.with_name(f"{path.name}.{uuid4().hex}")
    file = own.open("w")
    _is_locked_by_us(file.fileno())
    try:
        while True:
            try:
                os.link(own, path)
            except FileExistsError:
                pass
            except OSError:
                # A file system without hard links, on which a look may come between the name and the lock.
                path.touch()
            else:
                return file
            # Somebody has it, or died over it, or ends it now.
            with suppress(FileNotFoundError):
                found = path.open("r+")
                if not _is_locked_by_us(found.fileno()):
                    found.close()
                    file.close()
                    return None
                if _is_at(path, found):
                    file.close()
                    return found
                found.close()
    finally:
        own.unlink(missing_ok=True)


def _is_at(path: Path, file: IO[str]) -> bool:
    """Whether an open file still has this name: who ends work takes it away before the lock ends."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def has_died(name: str) -> bool:
    """Return whether whoever was at work on it on this machine is gone without having ended it.

    False where nobody here ever was: workers on other machines are known by their leases alone.
    """
    try:
        with _path(name).open("r+") as file:
            return _is_locked_by_us(file.fileno()) and _is_at(_path(name), file)
    except FileNotFoundError:
        return False


def forget_work(name: str) -> None:
    """Take away what tells that somebody was at work on this, once the row says what came of it."""
    _path(name).unlink(missing_ok=True)


def _is_locked_by_us(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _path(name: str) -> Path:
    return Path(settings.DATA_DIR) / "at-work" / name


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
            logger.exception("a round of background tasks failed")
            return False
        finally:
            close_old_connections()

    def _draw(self) -> float:
        return self._chance.uniform(0.5, 1.5)

    def stop(self) -> None:
        """Let the round that is under way be the last one."""
        self._is_stopped.set()
