"""Look up every locked package in lists of known vulnerabilities: `make audit`.

Python's packages through pip-audit, those of the pages through `npm audit`. If a list cannot be reached or
does not know a package, that is said, and never taken for "nothing known". Exit codes: 0 all were looked up
and nothing is known, 1 something is known, 3 not everything could be looked up.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
NOT_LOCKS = {"left-out.txt", "wheels.txt"}
FOUND, NOT_LOOKED_UP = 1, 3
_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", re.M)


class Result(NamedTuple):
    """A line for each known vulnerability, how many packages were looked up, and why others were not."""

    known: tuple[str, ...] = ()
    looked_up: int = 0
    reasons: tuple[str, ...] = ()

    def and_also(self, other: "Result") -> "Result":
        """Return both as one."""
        return Result(
            self.known + other.known, self.looked_up + other.looked_up, self.reasons + other.reasons
        )


def locked(folder: Path, *, further: Iterable[str] = ()) -> list[list[str]]:
    """Return `name==version` of every package in the folder's lock files, for whatever machine.

    In as many lists as a package has versions, because pip-audit takes one version of each at a time.
    """
    texts = (path.read_text(encoding="utf-8") for path in folder.glob("*.txt") if path.name not in NOT_LOCKS)
    versions: dict[str, set[str]] = defaultdict(set)
    for name, version in _LOCKED.findall("\n".join((*texts, *further))):
        versions[name.lower()].add(version)
    rows = ([f"{name}=={version}" for version in sorted(versions[name])] for name in sorted(versions))
    return [list(filter(None, row)) for row in zip_longest(*rows)]


def python_result(packages: list[str]) -> Result:
    """Ask pip-audit, which exits with 0 even if it could look none of the packages up."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write("\n".join(packages))
        file.flush()
        asked = [
            "-m",
            "pip_audit",
            "--disable-pip",
            "--no-deps",
            "--format",
            "json",
            "--progress-spinner",
            "off",
        ]
        done = _run([sys.executable, *asked, "--requirement", file.name])
    try:
        dependencies: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Result(reasons=(_last_line(done.stderr),))
    skipped = tuple(each["skip_reason"] for each in dependencies if "skip_reason" in each)
    looked_up = len(dependencies) - len(skipped)
    if len(dependencies) < len(packages):
        skipped += (f"{len(packages) - len(dependencies)} packages are missing from the reply.",)
    known = tuple(
        f"{each['name']} {each['version']}: {problem['id']}{_fixed_in(problem['fix_versions'])}"
        for each in dependencies
        for problem in each.get("vulns", ())
    )
    return Result(known, looked_up, skipped)


def _fixed_in(versions: list[str]) -> str:
    return f", fixed in {', '.join(versions)}" if versions else ", no fixed version"


def node_result(folder: Path) -> Result:
    """Ask npm about the lock file of the pages."""
    done = _run(["npm", "audit", "--package-lock-only", "--json"], folder=folder)
    try:
        told: dict[str, Any] = json.loads(done.stdout)
        if "message" in told:
            return Result(reasons=(str(told["message"]),))
        known = tuple(
            f"{name}: {each['severity']}, {each['range']}" for name, each in told["vulnerabilities"].items()
        )
        return Result(known, told["metadata"]["dependencies"]["total"])
    except (ValueError, KeyError, TypeError):
        return Result(reasons=(_last_line(done.stderr),))


def _run(command: list[str], *, folder: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, "", f"{command[0]}: {error.strerror}")


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip() and "complete log" not in line]
    return lines[-1].strip() if lines else "No reason was given."


def tell(name: str, result: Result) -> int:
    """Print a result; return its exit code."""
    for line in result.known:
        print(f"{name}: {line}")
    print(f"{name}: {result.looked_up} packages looked up. Known vulnerabilities: {len(result.known)}.")
    if result.reasons:
        print(f"{name}: not reachable: {len(result.reasons)}. The first reason: {result.reasons[0]}")
    if result.known:
        return FOUND
    return NOT_LOOKED_UP if result.reasons else 0


def main(further: list[str]) -> int:
    """Look everything up. `further` are packages in no lock, as `name==version`; returns the exit code."""
    of_python = Result()
    for packages in locked(ROOT / "requirements", further=further):
        of_python = of_python.and_also(python_result(packages))
    codes = {tell("Python", of_python), tell("Node", node_result(ROOT / "frontend"))}
    return FOUND if FOUND in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
