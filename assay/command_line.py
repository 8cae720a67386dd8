"""The command `assay`: starts and manages an installation on this machine, and works with one over HTTP."""

import os
import sys
from collections.abc import Sequence

# These hand everything behind their name on, so the parser of the others only lists them.
LOCAL = {
    "demo": "start Assay with demo studies (--host, --port)",
    "run": "start Assay with your own data (--host, --port)",
    "backup": "save this machine’s installation, including all files, to one file",
    "restore": "restore a backup into an empty installation on this machine",
    "doctor": "check every part of this machine’s installation, and say how to solve each problem",
    "manage": "run a command on this machine’s installation; to list the commands: assay manage help",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; ends the process with its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] not in LOCAL:
        from assay.remote import run

        sys.exit(run(given, others=LOCAL))
    name, *rest = given
    if name == "manage":
        _manage("assay manage", rest)
    elif name in {"backup", "restore", "doctor"}:
        _manage("assay", given)
    else:
        _start(name, rest)


def _start(name: str, rest: list[str]) -> None:
    is_own_folder = not os.environ.get("ASSAY_DATA")
    # Said by pages that miss a worker; where data lie is nobody's business but the administrator's.
    os.environ["ASSAY_STARTED_WITH"] = f"assay {name}" if is_own_folder else f"ASSAY_DATA=… assay {name}"
    if is_own_folder:
        from config.env import own_folder

        os.environ["ASSAY_DATA"] = str(own_folder(name))
    _manage("assay manage", ["serve" if name == "run" else name, *rest])


def _manage(program: str, arguments: list[str]) -> None:
    from commands.managing import run

    run([program, *arguments])
