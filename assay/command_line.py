"""The command `assay`: starts an installation, and manages one on this machine."""

import argparse
import os
import sys
from collections.abc import Sequence

OVERVIEW = """\
on this machine:
  demo     start Assay with demo studies in it (--host, --port)
  run      start Assay, empty or as it was left (--host, --port)
  manage   run a command on this machine's installation: assay manage help

Exit codes: 0 success, 1 it did not work, 2 usage. The data lie in your user's data folder, or in ASSAY_DATA.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; ends the process with its exit code."""
    name, *rest = _parse(list(sys.argv[1:] if arguments is None else arguments))
    if name == "manage":
        _manage(rest)
    else:
        _start(name, rest)


def _parse(given: list[str]) -> list[str]:
    parser = argparse.ArgumentParser(
        prog="assay", epilog=OVERVIEW, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=["demo", "run", "manage"], metavar="COMMAND")
    parser.parse_args(given[:1])
    return given


def _start(name: str, rest: list[str]) -> None:
    is_own_folder = not os.environ.get("ASSAY_DATA")
    # Said by pages that miss a worker; where data lie is nobody's business but the administrator's.
    os.environ["ASSAY_STARTED_WITH"] = f"assay {name}" if is_own_folder else f"ASSAY_DATA=… assay {name}"
    if is_own_folder:
        from config.env import own_folder

        os.environ["ASSAY_DATA"] = str(own_folder(name))
    _manage(["serve" if name == "run" else name, *rest])


def _manage(arguments: list[str]) -> None:
    from commands.managing import run

    run(["assay manage", *arguments])
