"""Virtual environments of a test's own, into which pip installs packages as people do."""

import subprocess
import venv
from pathlib import Path

PATIENCE_SECONDS = 900


def make_environment(folder: Path, *packages: str | Path) -> Path:
    """Return the folder of its commands; whatever cannot be installed fails the test."""
    venv.create(folder, with_pip=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", *map(str, packages)]
    subprocess.run(pip, check=True, timeout=PATIENCE_SECONDS)
    return folder / "bin"


def version_of(commands: Path, package: str) -> str:
    """Return which version of a package an environment has."""
    asked = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run(
        [commands / "python", "-c", asked], check=True, capture_output=True, text=True, timeout=60
    )
    return f"{package} {done.stdout.strip()}"
