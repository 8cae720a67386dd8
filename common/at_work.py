"""Who is at work on something on this machine: a locked file, which is free once its process is gone."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings


@contextmanager
def at_work(name: str) -> Iterator[bool]:
    """Be at work on what has this name, and say whether nobody else on this machine is.

    However the process ends, its lock ends with it: `has_died` sees that at once, long before a lease ends.
    So it does where an error ended the work: the database may have been away, and the row says still that
    somebody is at it.
    """
    path = _path(name)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("w") as file:
        if not _is_locked_by_us(file.fileno()):
            yield False
            return
        yield True
        path.unlink(missing_ok=True)


def has_died(name: str) -> bool:
    """Return whether whoever was at work on it on this machine is gone without having ended it.

    False where nobody here ever was: workers on other machines are known by their leases alone.
    """
    try:
        with _path(name).open("r+") as file:
            return _is_locked_by_us(file.fileno())
    except FileNotFoundError:
        return False


def _is_locked_by_us(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _path(name: str) -> Path:
    return Path(settings.DATA_DIR) / "at-work" / name
