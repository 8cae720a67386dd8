"""Whether a process has ended, however busy the machine is and whoever its parent is now."""

import psutil

PATIENCE_TENTHS = 600


def has_ended(pid: int) -> bool:
    """Return whether a process ends within a minute: a kill is carried out after it was asked for.

    An orphan that nobody has buried has ended, too: not every container's first process does that.
    """
    try:
        process = psutil.Process(pid)
        for _ in range(PATIENCE_TENTHS):
            if process.status() == psutil.STATUS_ZOMBIE or psutil.wait_procs([process], timeout=0.1)[0]:
                return True
    except psutil.NoSuchProcess:
        return True
    return False
