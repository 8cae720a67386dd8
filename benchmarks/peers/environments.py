"""Where other platforms are installed, and what their own Python is asked to do."""

import os
import secrets
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

VARIABLE = "ASSAY_PEERS"
FOLDER = Path(__file__).resolve().parents[2] / "data" / "peers"


def find_environment(peer: str) -> Path | None:
    """Return the virtual environment that a platform was installed into, where there is one."""
    folder = Path(os.environ.get(VARIABLE, FOLDER)) / peer
    return folder if (folder / "bin" / "python").exists() else None


def version_of(package: str, environment: Path) -> str:
    """Return which version of a package the environment has."""
    found = next(environment.glob(f"lib/python*/site-packages/{package}-*.dist-info"))
    return found.name.removeprefix(f"{package}-").removesuffix(".dist-info")


def run_script(
    command: Sequence[str | Path], *, environment: Mapping[str, str], given: str | None = None
) -> str:
    """Run a command of a platform and return the last line it printed; raises `RuntimeError`."""
    done = subprocess.run(
        command, env=environment, input=given, capture_output=True, text=True, check=False, cwd="/"
    )
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} failed:\n{done.stderr[-2_000:]}")
    return done.stdout.strip().rpartition("\n")[2]


def people_of(made: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what each rater of a Django platform is given: a session with its headers, and what was made."""
    people = []
    for number, session in enumerate(made.pop("people")):
        token = secrets.token_hex(16)
        headers = {"Cookie": f"sessionid={session}; csrftoken={token}", "X-CSRFToken": token}
        people.append({"number": number, "headers": headers, **made})
    return people
